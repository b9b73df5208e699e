"""Linked pages: fetched for new entries, where robots.txt allows; on failure the text of the feed is kept."""

from __future__ import annotations

from dataclasses import replace

import pytest

from samestory.errors import FetchError
from samestory.feeds import Feed, FeedState, Fetcher, LinkedPages, Robots, follow, parse
from tests.feeds.server import FakeServer, Handler
from tests.feeds.test_parse import rss
from tests.feeds.test_rate_limit import Clock

SENTENCE = "The bridge over the river reopened on Monday after six months of repairs, the mayor said at the opening. "
PAGE = f"<title>Bridge</title><nav><a href=/>Home</a></nav><h1>Bridge reopens</h1>{f'<p>{SENTENCE * 2}</p>' * 5}"


def feed_of(server: FakeServer, *paths: str) -> Feed:
    items = (f"<title>{path}</title><link>{server.url}{path}</link><guid>{path}</guid>" for path in paths)
    return replace(parse(rss(*items).encode(), f"{server.url}/rss"), addresses=("127.0.0.1",))


@pytest.fixture
def pages(fetcher: Fetcher) -> LinkedPages:
    return LinkedPages(fetcher, extractor="heuristic")


def test_the_text_of_a_page_replaces_that_of_the_feed(server: FakeServer, fetcher: Fetcher) -> None:
    server.serve("/1", PAGE, "text/html")
    feed = LinkedPages(fetcher)(feed_of(server, "/1"))
    (article,) = feed.articles
    assert SENTENCE.strip() in article.text and "Home" not in article.text
    assert (article.title, article.url, feed.missed, feed.warnings) == ("/1", f"{server.url}/1", 0, ())


def test_unusable_pages_keep_the_text_of_the_feed_and_are_counted(server: FakeServer, pages: LinkedPages) -> None:
    server.fail("/missing", 404)
    server.serve("/picture", b"\x89PNG\r\n\x1a\n", "image/png")
    server.serve("/labelled-as-page", b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 10, "text/html")
    server.serve("/nothing", "<html></html>", "text/html")
    server.serve("/good", PAGE, "text/html")
    feed = pages(feed_of(server, "/missing", "/picture", "/labelled-as-page", "/nothing", "/good"))
    texts = {article.title: article.text for article in feed.articles}
    assert [texts[title] for title in ("/missing", "/picture", "/labelled-as-page", "/nothing")] == [
        "/missing",
        "/picture",
        "/labelled-as-page",
        "/nothing",
    ]
    assert SENTENCE.strip() in texts["/good"]
    assert feed.missed == 4
    assert "unusable pages: 1 (404 not found)" in feed.warnings


def test_the_longer_text_is_used(server: FakeServer, pages: LinkedPages) -> None:
    server.serve("/1", f"<p>{SENTENCE}</p>", "text/html")
    whole = rss(f"<link>{server.url}/1</link><guid>1</guid><description>{SENTENCE * 20}</description>")
    (article,) = pages(parse(whole.encode(), f"{server.url}/rss")).articles
    assert article.text == (SENTENCE * 20).strip()


def test_known_entries_are_neither_fetched_nor_passed_on(server: FakeServer, fetcher: Fetcher) -> None:
    for path in ("/1", "/2"):
        server.serve(path, PAGE, "text/html")
    pages = LinkedPages(fetcher, known=lambda ids: {ids[0]}, extractor="heuristic")
    feed = pages(feed_of(server, "/1", "/2"))
    assert [article.title for article in feed.articles] == ["/2"] and "/1" not in server.paths


def test_excess_pages_wait_for_the_next_round(server: FakeServer, fetcher: Fetcher) -> None:
    """Requests are unconditional while entries wait."""
    for number in range(5):
        server.serve(f"/{number}", PAGE, "text/html")
    items = (f"<title>{n}</title><link>{server.url}/{n}</link><guid>{n}</guid>" for n in range(5))
    url = server.serve("/rss", rss(*items), ETag='"1"')
    known: set[str] = set()

    def take(feed: Feed) -> int:
        known.update(article.id for article in feed.articles)
        return len(feed.articles)

    pages = LinkedPages(fetcher, known=lambda ids: known, extractor="heuristic", most=2)
    state, etags, sizes = FeedState(url), [], []
    for _ in range(3):
        (state,) = follow([FeedState(url, etag=state.etag)], fetcher, take, pages)
        etags.append(state.etag)
        sizes.append(len(known))
    assert (etags, sizes) == ([None, None, '"1"'], [2, 4, 5])


def test_robots_txt_is_fetched_once_and_obeyed(server: FakeServer, pages: LinkedPages) -> None:
    server.serve("/robots.txt", "User-agent: *\nDisallow: /private\n", "text/plain")
    server.serve("/private/1", PAGE, "text/html")
    server.serve("/2", PAGE, "text/html")
    server.redirect("/3", "/private/1")
    feed = pages(feed_of(server, "/private/1", "/2", "/3"))
    assert [SENTENCE.strip() in article.text for article in feed.articles] == [False, True, False]
    assert server.paths == ["/robots.txt", "/2", "/3"]
    assert feed.missed == 2 and any("forbidden by robots.txt" in doubt for doubt in feed.warnings)


def test_rules_for_our_agent_precede_general_rules(server: FakeServer, fetcher: Fetcher) -> None:
    server.serve("/robots.txt", "User-agent: samestory\nDisallow: /a\n\nUser-agent: *\nDisallow: /\n", "text/plain")
    robots = Robots(fetcher)
    robots.check(f"{server.url}/b")
    with pytest.raises(FetchError, match="forbidden"):
        robots.check(f"{server.url}/a/1")


@pytest.mark.parametrize(
    ("status", "may"), [(404, True), (403, True), (410, True), (500, False), (503, False), (429, False)]
)
def test_a_site_without_robots_txt_allows_all_and_an_unavailable_one_nothing(
    status: int, may: bool, server: FakeServer, fetcher: Fetcher
) -> None:
    server.fail("/robots.txt", status)
    robots = Robots(fetcher)
    for _ in range(2):
        if may:
            robots.check(f"{server.url}/1")
        else:
            with pytest.raises(FetchError, match=r"robots\.txt is unavailable"):
                robots.check(f"{server.url}/1")
    assert server.paths == ["/robots.txt"]


def test_robots_txt_is_fetched_again_after_a_day(server: FakeServer, fetcher: Fetcher) -> None:
    clock = Clock()
    robots = Robots(fetcher, clock)
    server.serve("/robots.txt", "", "text/plain")
    for seconds in (0, 86_399, 2):
        clock.now += seconds
        robots.check(f"{server.url}/1")
    assert server.paths == ["/robots.txt", "/robots.txt"]


def test_the_crawl_delay_is_honoured_up_to_a_limit(server: FakeServer) -> None:
    for wish, pause in (("7", 7.0), ("3600", 30.0)):
        clock = Clock()
        fetcher = Fetcher(allow_private=["127.0.0.0/8"], per_host=1.0, clock=clock, sleep=clock.sleep)
        server.serve("/robots.txt", f"User-agent: *\nCrawl-delay: {wish}\n", "text/plain")
        server.serve("/1", PAGE, "text/html")
        check = Robots(fetcher).check
        for _ in range(3):
            fetcher.fetch(f"{server.url}/1", check=check)
        assert clock.slept == [1.0, pause, pause]


def test_an_invalid_robots_txt_allows_what_it_does_not_forbid(server: FakeServer, fetcher: Fetcher) -> None:
    server.serve("/robots.txt", bytes(range(256)) * 100, "text/plain")
    Robots(fetcher).check(f"{server.url}/1")


def test_a_page_at_a_private_address_is_not_fetched(server: FakeServer) -> None:
    """The links are chosen by the author of the feed."""

    def answers(handler: Handler) -> None:
        raise AssertionError("asked")

    server.by("/secret", answers)
    pages = LinkedPages(Fetcher(per_host=0), extractor="heuristic")
    feed = pages(feed_of(server, "/secret"))
    assert [article.text for article in feed.articles] == ["/secret"] and feed.missed == 1
    assert server.requests == []
