"""Linked pages: fetched for what is new, where robots may; whatever goes wrong, the text of the feed stays."""

from __future__ import annotations

import pytest

from samestory.errors import FetchError
from samestory.feeds import Feed, Fetcher, Pages, Robots, State, follow, parse
from tests.feeds.server import Handler, Told
from tests.feeds.test_parse import rss
from tests.feeds.test_turns import Clock

SENTENCE = "The bridge over the river reopened on Monday after six months of repairs, the mayor said at the opening. "
PAGE = f"<title>Bridge</title><nav><a href=/>Home</a></nav><h1>Bridge reopens</h1>{f'<p>{SENTENCE * 2}</p>' * 5}"


def feed_of(server: Told, *paths: str) -> Feed:
    items = (f"<title>{path}</title><link>{server.url}{path}</link><guid>{path}</guid>" for path in paths)
    return parse(rss(*items).encode(), f"{server.url}/rss")


@pytest.fixture
def pages(fetcher: Fetcher) -> Pages:
    return Pages(fetcher, extractor="heuristic")


def test_the_text_of_a_page_takes_the_place_of_that_of_the_feed(server: Told, fetcher: Fetcher) -> None:
    server.serve("/1", PAGE, "text/html")
    feed = Pages(fetcher)(feed_of(server, "/1"))
    (article,) = feed.articles
    assert SENTENCE.strip() in article.text and "Home" not in article.text
    assert (article.title, article.url, feed.missed, feed.doubts) == ("/1", f"{server.url}/1", 0, ())


def test_where_a_page_cannot_be_used_the_text_of_the_feed_stays_and_is_counted(server: Told, pages: Pages) -> None:
    server.fail("/missing", 404)
    server.serve("/picture", b"\x89PNG\r\n\x1a\n", "image/png")
    server.serve("/said-to-be-a-page", b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 10, "text/html")
    server.serve("/nothing", "<html></html>", "text/html")
    server.serve("/good", PAGE, "text/html")
    feed = pages(feed_of(server, "/missing", "/picture", "/said-to-be-a-page", "/nothing", "/good"))
    texts = {article.title: article.text for article in feed.articles}
    assert [texts[title] for title in ("/missing", "/picture", "/said-to-be-a-page", "/nothing")] == [
        "/missing",
        "/picture",
        "/said-to-be-a-page",
        "/nothing",
    ]
    assert SENTENCE.strip() in texts["/good"]
    assert feed.missed == 4
    assert "pages that could not be used: 1 (404 not found)" in feed.doubts


def test_the_longer_text_stays(server: Told, pages: Pages) -> None:
    server.serve("/1", f"<p>{SENTENCE}</p>", "text/html")
    whole = rss(f"<link>{server.url}/1</link><guid>1</guid><description>{SENTENCE * 20}</description>")
    (article,) = pages(parse(whole.encode(), f"{server.url}/rss")).articles
    assert article.text == (SENTENCE * 20).strip()


def test_what_is_known_is_neither_looked_up_nor_passed_on(server: Told, fetcher: Fetcher) -> None:
    for path in ("/1", "/2"):
        server.serve(path, PAGE, "text/html")
    pages = Pages(fetcher, known=lambda ids: {ids[0]}, extractor="heuristic")
    feed = pages(feed_of(server, "/1", "/2"))
    assert [article.title for article in feed.articles] == ["/2"] and "/1" not in server.paths


def test_what_is_too_much_for_a_round_waits_for_the_next(server: Told, fetcher: Fetcher) -> None:
    """Nothing is said to be unchanged while entries wait."""
    for number in range(5):
        server.serve(f"/{number}", PAGE, "text/html")
    items = (f"<title>{n}</title><link>{server.url}/{n}</link><guid>{n}</guid>" for n in range(5))
    url = server.serve("/rss", rss(*items), ETag='"1"')
    known: set[str] = set()

    def take(feed: Feed) -> int:
        known.update(article.id for article in feed.articles)
        return len(feed.articles)

    pages = Pages(fetcher, known=lambda ids: known, extractor="heuristic", most=2)
    state, etags, sizes = State(url), [], []
    for _ in range(3):
        (state,) = follow([State(url, etag=state.etag)], fetcher, take, pages)
        etags.append(state.etag)
        sizes.append(len(known))
    assert (etags, sizes) == ([None, None, '"1"'], [2, 4, 5])


def test_robots_txt_is_read_once_and_kept_to(server: Told, pages: Pages) -> None:
    server.serve("/robots.txt", "User-agent: *\nDisallow: /private\n", "text/plain")
    server.serve("/private/1", PAGE, "text/html")
    server.serve("/2", PAGE, "text/html")
    server.redirect("/3", "/private/1")
    feed = pages(feed_of(server, "/private/1", "/2", "/3"))
    assert [SENTENCE.strip() in article.text for article in feed.articles] == [False, True, False]
    assert server.paths == ["/robots.txt", "/2", "/3"]
    assert feed.missed == 2 and any("robots.txt forbids it" in doubt for doubt in feed.doubts)


def test_rules_for_us_come_before_rules_for_all(server: Told, fetcher: Fetcher) -> None:
    server.serve("/robots.txt", "User-agent: samestory\nDisallow: /a\n\nUser-agent: *\nDisallow: /\n", "text/plain")
    robots = Robots(fetcher)
    robots.check(f"{server.url}/b")
    with pytest.raises(FetchError, match="forbids"):
        robots.check(f"{server.url}/a/1")


@pytest.mark.parametrize(
    ("status", "may"), [(404, True), (403, True), (410, True), (500, False), (503, False), (429, False)]
)
def test_a_site_without_rules_allows_all_and_one_that_is_down_nothing(
    status: int, may: bool, server: Told, fetcher: Fetcher
) -> None:
    server.fail("/robots.txt", status)
    robots = Robots(fetcher)
    for _ in range(2):
        if may:
            robots.check(f"{server.url}/1")
        else:
            with pytest.raises(FetchError, match=r"robots\.txt cannot be had"):
                robots.check(f"{server.url}/1")
    assert server.paths == ["/robots.txt"]


def test_rules_are_asked_for_again_after_a_day(server: Told, fetcher: Fetcher) -> None:
    clock = Clock()
    robots = Robots(fetcher, clock)
    server.serve("/robots.txt", "", "text/plain")
    for seconds in (0, 86_399, 2):
        clock.now += seconds
        robots.check(f"{server.url}/1")
    assert server.paths == ["/robots.txt", "/robots.txt"]


def test_a_site_may_wish_to_be_asked_slowly_but_not_once_an_hour(server: Told) -> None:
    for wish, pause in (("7", 7.0), ("3600", 30.0)):
        clock = Clock()
        fetcher = Fetcher(allow_private=True, per_host=1.0, clock=clock, sleep=clock.sleep)
        server.serve("/robots.txt", f"User-agent: *\nCrawl-delay: {wish}\n", "text/plain")
        server.serve("/1", PAGE, "text/html")
        check = Robots(fetcher).check
        for _ in range(3):
            fetcher.fetch(f"{server.url}/1", check=check)
        assert clock.slept == [1.0, pause, pause]


def test_garbage_for_rules_allows_what_it_does_not_forbid(server: Told, fetcher: Fetcher) -> None:
    server.serve("/robots.txt", bytes(range(256)) * 100, "text/plain")
    Robots(fetcher).check(f"{server.url}/1")


def test_a_page_of_a_private_machine_is_not_fetched(server: Told) -> None:
    """Whoever writes a feed chooses its links."""

    def answers(handler: Handler) -> None:
        raise AssertionError("asked")

    server.by("/secret", answers)
    pages = Pages(Fetcher(per_host=0), extractor="heuristic")
    feed = pages(feed_of(server, "/secret"))
    assert [article.text for article in feed.articles] == ["/secret"] and feed.missed == 1
    assert server.asked == []
