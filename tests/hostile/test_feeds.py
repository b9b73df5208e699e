"""Hostile feeds: no feed changes the articles of another, and none leads into a private network."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from samestory.archive import Archive
from samestory.archive.subscriptions import poll, save, states, subscribe
from samestory.errors import FetchError, ParameterError
from samestory.feeds import FeedState, Fetcher, LinkedPages, follow
from tests.conftest import Runner
from tests.feeds.server import FakeServer, serving
from tests.feeds.test_parse import rss

LOOPBACK = ["127.0.0.0/8"]
TEXT = "The council closed the bridge over the river on Monday, and buses take another way until June."
FALSE = "The council opened nothing, the mayor fled to an island, and all the money is gone for ever."


@pytest.fixture
def archive(tmp_path: Path) -> Iterator[Archive]:
    with Archive.open(tmp_path / "news.db") as archive:
        yield archive


def entry(guid: str, text: str) -> str:
    return f"<guid>{guid}</guid><title>Bridge</title><description>{text}</description>"


def polled(archive: Archive, fetcher: Fetcher) -> None:
    """Polls all feeds, whenever they are due."""
    for state in states(archive):
        save(archive, replace(state, due=0, etag=None, modified=None))
    assert [state.error for state in poll(archive, fetcher)] == [None] * len(states(archive))


@pytest.mark.parametrize("attack", ["other port", "other path", "other name"])
def test_a_feed_cannot_change_the_articles_of_another(attack: str, archive: Archive) -> None:
    names = {"victim.example": ["127.0.0.1"], "evil.victim.example": ["127.0.0.1"]}
    fetcher = Fetcher(allow_private=LOOPBACK, per_host=0, resolver=lambda host, port: names[host])
    with serving() as server, serving() as other:
        home = f"http://victim.example:{server.port}"
        place = {
            "other port": (other, f"http://victim.example:{other.port}/rss"),
            "other path": (server, f"{home}/evil/rss"),
            "other name": (server, f"http://evil.victim.example:{server.port}/evil/rss"),
        }
        evil, evil_url = place[attack]
        guids = [f"{home}/1", f"{home}/rss#2"]
        server.serve("/rss", rss(entry(guids[0], TEXT), entry("2", TEXT)))
        evil.serve("/evil/rss" if evil is server else "/rss", rss(*(entry(guid, FALSE) for guid in guids)))
        subscribe(archive, [f"{home}/rss"])
        polled(archive, fetcher)
        assert set(archive.articles(guids)) == set(guids)
        subscribe(archive, [f"{home}/rss", evil_url])
        for _ in range(2):
            polled(archive, fetcher)
        assert {each.article.text for each in archive.articles(guids).values()} == {TEXT}
        # the feed itself may change its articles
        server.serve("/rss", rss(entry(guids[0], TEXT + " Trams too."), entry("2", TEXT)))
        polled(archive, fetcher)
        assert archive.articles(guids)[guids[0]].article.text == TEXT + " Trams too."


def test_an_article_that_two_feeds_of_a_server_list_is_one(archive: Archive) -> None:
    with serving() as server:
        fetcher = Fetcher(allow_private=LOOPBACK, per_host=0)
        urls = [
            server.serve(path, rss(entry(f"{server.url}/1", TEXT))) for path in ("/world.xml", "/home.xml", "/all.xml")
        ]
        subscribe(archive, urls)
        polled(archive, fetcher)
        assert archive.stats()["articles"] == 1


def test_claims_end_with_their_articles(archive: Archive) -> None:
    with serving() as server:
        fetcher = Fetcher(allow_private=LOOPBACK, per_host=0)
        first = server.serve("/a", rss(entry(f"{server.url}/1", TEXT)))
        subscribe(archive, [first])
        polled(archive, fetcher)
        archive.remove([f"{server.url}/1"])
        subscribe(archive, [server.serve("/b", rss(entry(f"{server.url}/1", FALSE)))])
        polled(archive, fetcher)
        assert archive.articles([f"{server.url}/1"])[f"{server.url}/1"].article.text == FALSE


@pytest.mark.parametrize("network", ["0.0.0.0/0", "::/0", "0.0.0.0/1", "10.0.0.0/7", "all", "", "127.0.0.1/8"])
def test_networks_are_named_and_never_all(network: str, samestory: Runner, tmp_path: Path) -> None:
    (tmp_path / "feeds.txt").write_text("http://127.0.0.1:1/rss\n")
    done = samestory("follow", "n.db", "--feeds", "feeds.txt", "--once", "--allow-private", network)
    assert (done.code, "Traceback" in done.err) == (2, False)
    with pytest.raises(ParameterError):
        Fetcher(allow_private=[network])
    for given in (True, False, network):
        with pytest.raises(ParameterError):
            Fetcher(allow_private=given)  # type: ignore[arg-type]


def page(server: FakeServer, path: str) -> str:
    return server.serve(
        path, f"<html><body><h1>Bridge</h1><p>{'Secret words of the intranet. ' * 20}</p></body></html>", "text/html"
    )


def resolver(host: str, port: int) -> Sequence[str]:
    """The names of a public feed, of an intranet and of this machine; all servers of the test listen on loopback."""
    return {"inside.example": ["127.1.0.1"], "also-inside.example": ["127.1.0.2"], "here.example": ["127.0.0.1"]}.get(
        host, [host]
    )


def linked_texts(fetcher: Fetcher, feed: str) -> list[str]:
    """Follows a feed with its linked pages; returns the texts of its articles."""
    out: list[str] = []
    pages = LinkedPages(fetcher, extractor="whole")
    (state,) = follow([FeedState(feed)], fetcher, lambda feed: out.extend(a.text for a in feed.articles), pages)
    assert state.error is None
    return out


def test_links_of_a_feed_lead_only_where_the_feed_is() -> None:
    """Both networks are allowed: a feed of the one leads into the other as little as a public feed would."""
    fetcher = Fetcher(allow_private=["127.0.0.1/32", "127.1.0.0/16"], per_host=0, resolver=resolver)
    with serving() as server:
        page(server, "/page")
        for host, is_inside in (("inside.example", False), ("also-inside.example", False), ("here.example", True)):
            link = f"http://{host}:{server.port}/page"
            server.serve("/rss", rss(f"<title>Short</title><link>{link}</link>"))
            server.requests.clear()
            (text,) = linked_texts(fetcher, f"http://here.example:{server.port}/rss")
            assert ("Secret" in text) is is_inside
            assert ("/page" in server.paths) is is_inside


def test_redirects_lead_only_where_the_server_is_that_names_them() -> None:
    fetcher = Fetcher(allow_private=["127.0.0.1/32", "127.1.0.0/16"], per_host=0, resolver=resolver)
    with serving() as server:
        page(server, "/page")
        home, inside = f"http://here.example:{server.port}", f"http://inside.example:{server.port}"
        server.redirect("/in", f"{inside}/page")
        server.redirect("/twice", f"{home}/in")
        for path in ("/in", "/twice"):
            with pytest.raises(FetchError, match=r"inside\.example is 127\.1\.0\.1, which is no public address"):
                fetcher.fetch(f"{home}{path}")
        assert "/page" not in server.paths


def test_a_feed_whose_name_changes_its_address_leads_nowhere_else() -> None:
    """The rule is that of the address from which the feed came, and not of what its name resolves to later."""
    answers = iter([["127.0.0.1"]])

    def rebinding(host: str, port: int) -> Sequence[str]:
        return next(answers, ["127.1.0.9"]) if host == "evil.example" else resolver(host, port)

    fetcher = Fetcher(allow_private=["127.0.0.1/32", "127.1.0.0/16"], per_host=0, resolver=rebinding)
    with serving() as server:
        page(server, "/page")
        server.serve("/rss", rss(f"<title>Short</title><link>http://inside.example:{server.port}/page</link>"))
        assert linked_texts(fetcher, f"http://evil.example:{server.port}/rss") == ["Short"]
        assert "/page" not in server.paths


def test_what_a_feed_writes_does_not_steer_the_terminal(samestory: Runner, tmp_path: Path) -> None:
    with serving() as server:
        server.serve(
            "/rss", rss("<guid>\x9b31m&#x9b;31m</guid><title>&#x1b;]0;x&#7;\x9b2J</title><pubDate>&#x9b;x</pubDate>")
        )
        server.fail("/bad", 500, Retry_After="\x9b31m")
        (tmp_path / "feeds.txt").write_text(f"{server.url}/rss\n{server.url}/bad\nhttp://x/\x1b[2J\x9b\n")
        done = samestory(
            "follow", "n.db", "--feeds", "feeds.txt", "--once", "--allow-private", "127.0.0.0/8", "--pause", 0
        )
    assert done.code == 1
    assert not any((ord(letter) < 32 and letter != "\n") or 127 <= ord(letter) < 160 for letter in done.err)
    with Archive.open(tmp_path / "n.db") as archive:
        assert archive.stats()["articles"] <= 1
