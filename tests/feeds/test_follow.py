"""A round over feeds of a real server: the failure of one does not stop the others."""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import pytest

from samestory.errors import ParameterError
from samestory.feeds import Feed, FeedState, Fetcher, Schedule, follow
from samestory.feeds import follow as run
from tests.feeds.server import FakeServer, Handler
from tests.feeds.test_parse import rss

NOW = 1_700_000_000_000_000
MINUTE = 60_000_000
STEADY = Schedule(spread=0)


class Collector:
    """Collects articles as an archive does: those with new ids."""

    def __init__(self) -> None:
        self.feeds: list[Feed] = []
        self.ids: set[str] = set()

    def __call__(self, feed: Feed) -> int:
        self.feeds.append(feed)
        new = {article.id for article in feed.articles} - self.ids
        self.ids |= new
        return len(new)

    @property
    def titles(self) -> set[str | None]:
        return {article.title for feed in self.feeds for article in feed.articles}


def poll(states: Sequence[FeedState], fetcher: Fetcher, take: Collector, now: int = NOW) -> dict[str, FeedState]:
    return {state.url: state for state in follow(states, fetcher, take, schedule=STEADY, now=lambda: now)}


def test_a_successful_feed_is_passed_on_and_its_state_updated(server: FakeServer, fetcher: Fetcher) -> None:
    body = rss("<title>a</title>", "<title>b</title>", about="<title>News</title><link>/home</link><ttl>20</ttl>")
    url = server.serve("/rss", body, ETag='"1"', Last_Modified="Sun, 12 May 2024 10:30:00 GMT")
    take = Collector()
    states = poll([FeedState(url)], fetcher, take)
    assert states == {
        url: FeedState(
            url,
            title="News",
            site=f"{server.url}/home",
            etag='"1"',
            modified="Sun, 12 May 2024 10:30:00 GMT",
            checked=NOW,
            due=NOW + 20 * MINUTE,
            status=200,
            seen=2,
            taken=2,
        )
    }
    assert take.titles == {"a", "b"}


@pytest.mark.parametrize("missing", [len("</channel></rss>"), 1, 40])
def test_a_truncated_feed_has_a_warning_and_is_requested_anew(
    server: FakeServer, fetcher: Fetcher, missing: int
) -> None:
    """Its ETag is that of the whole document: with it, the entries that are missing would never arrive."""
    whole = rss(*(f"<title>{letter}</title>" for letter in "abcdef"))
    url = server.serve("/rss", whole[:-missing], ETag='"1"')
    take = Collector()
    state = poll([FeedState(url)], fetcher, take)[url]
    assert state.warning and state.warning.startswith("the document ends too early")
    assert (state.etag, state.failures, state.error) == (None, 0, None) and {"a", "b"} <= take.titles
    server.serve("/rss", whole, ETag='"1"')
    state = poll([replace(state, due=NOW)], fetcher, take)[url]
    assert (state.warning, state.etag) == (None, '"1"') and take.titles == set("abcdef")


def test_a_broken_feed_that_can_be_read_has_a_warning(server: FakeServer, fetcher: Fetcher) -> None:
    url = server.serve("/rss", rss("<title>a</title><b>", "<title>b</title>"), ETag='"1"')
    state = poll([FeedState(url)], fetcher, Collector())[url]
    assert state.warning and "invalid XML" in state.warning and state.etag == '"1"'


def test_an_unchanged_feed_is_not_passed_on(server: FakeServer, fetcher: Fetcher) -> None:
    def answers(handler: Handler) -> None:
        new = handler.headers["If-None-Match"] != '"1"'
        handler.answer(200 if new else 304, {"ETag": '"1"'}, rss("<title>a</title>").encode() if new else b"")

    url = server.by("/rss", answers)
    take = Collector()
    first = poll([FeedState(url)], fetcher, take)[url]
    again = poll([first], fetcher, take, NOW + 10 * MINUTE)[url]
    assert len(take.feeds) == 1
    assert again == replace(first, checked=NOW + 10 * MINUTE, due=NOW + 20 * MINUTE, status=304)


def test_only_due_feeds_are_fetched(server: FakeServer, fetcher: Fetcher) -> None:
    url = server.serve("/rss", rss("<title>a</title>"))
    for due in (NOW + 1, None):
        assert poll([FeedState(url, due=due)], fetcher, Collector()) == {}
    assert poll([FeedState(url, due=NOW)], fetcher, Collector()) != {}
    assert len(server.requests) == 1


def test_a_broken_feed_does_not_stop_the_others(server: FakeServer) -> None:
    ended = threading.Event()

    def hangs_up(handler: Handler) -> None:
        handler.close_connection = True

    def stalls(handler: Handler) -> None:
        ended.wait(30)

    def resolver(host: str, port: int) -> Sequence[str]:
        if host == "unknown.example":
            raise OSError("no such name")
        return [host]

    fetcher = Fetcher(allow_private=["127.0.0.0/8"], per_host=0, timeout=3, largest=100_000, resolver=resolver)
    broken = {
        server.fail("/gone", 404): "404 not found",
        server.fail("/error", 500): "500 internal server error",
        server.serve("/page", "<html><p>Not a feed</p></html>", "text/html"): "not a feed: text/html",
        server.serve("/empty", ""): "not a feed: empty",
        server.serve("/large", b"x" * 200_000): "more than 100000 bytes",
        server.serve("/zip", b"\x1f\x8bnonsense", Content_Encoding="gzip"): "body cannot be decompressed",
        server.by("/hangs-up", hangs_up): "the response is not HTTP",
        server.by("/stalls", stalls): "took longer than 3 seconds",
        server.redirect("/round", "/round"): "redirected more than 5 times",
        "nonsense": "expected http or https, got neither",
        "http://unknown.example/rss": "unknown.example: host not found",
    }
    good = [server.serve(f"/good{number}", rss(f"<title>good {number}</title>")) for number in range(5)]
    urls = [url for pair in zip(broken, [*good, *[""] * 10], strict=False) for url in pair if url]
    take = Collector()
    states = poll([FeedState(url) for url in urls], fetcher, take)
    ended.set()
    assert {url: states[url].error for url in broken} == broken
    assert all(states[url].failures == 1 and states[url].due == NOW + 10 * MINUTE for url in broken)
    assert all(states[url].failures == 0 and states[url].error is None for url in good)
    assert take.titles == {f"good {number}" for number in range(5)}


def test_consecutive_failures_lengthen_the_pause_until_a_success(server: FakeServer, fetcher: Fetcher) -> None:
    state, now = FeedState(server.fail("/rss", 500), etag='"old"', seen=7, taken=3), NOW
    for failures in range(1, 5):
        state = poll([state], fetcher, Collector(), now)[state.url]
        assert (state.failures, state.status, state.due) == (failures, 500, now + 10 * MINUTE * 2 ** (failures - 1))
        now = state.due or 0
    assert (state.etag, state.seen, state.taken) == ('"old"', 7, 3)
    server.serve("/rss", rss("<title>a</title>"))
    state = poll([state], fetcher, Collector(), now)[state.url]
    assert (state.failures, state.error, state.status, state.due) == (0, None, 200, now + 10 * MINUTE)
    assert (state.seen, state.taken) == (8, 4)


def test_a_feed_that_is_gone_is_not_fetched_again(server: FakeServer, fetcher: Fetcher) -> None:
    state = poll([FeedState(server.fail("/rss", 410))], fetcher, Collector())[f"{server.url}/rss"]
    assert (state.due, state.status) == (None, 410)
    assert poll([state], fetcher, Collector(), NOW * 2) == {}


def test_a_busy_host_gets_one_request_and_all_its_feeds_wait(server: FakeServer, fetcher: Fetcher) -> None:
    urls = [server.fail(f"/{number}", 429, Retry_After="3600") for number in range(4)]
    states = poll([FeedState(url) for url in urls], fetcher, Collector())
    assert len(server.requests) == 1
    assert all((state.due or 0) > NOW + 59 * MINUTE for state in states.values())


def test_articles_that_were_not_accepted_are_fetched_again(server: FakeServer, fetcher: Fetcher) -> None:
    """A full disk must not lose articles: the validators of their response are not stored."""
    bad, good = (server.serve(path, rss(f"<title>{path}</title>"), ETag='"1"') for path in ("/bad", "/good"))

    def take(feed: Feed) -> int:
        if feed.url == bad:
            raise OSError("no space left")
        return 1

    states = {state.url: state for state in follow([FeedState(bad), FeedState(good)], fetcher, take)}
    assert (states[bad].etag, states[bad].failures, states[bad].taken) == (None, 1, 0)
    assert states[bad].error == "articles not accepted: OSError: no space left"
    assert (states[good].etag, states[good].failures) == ('"1"', 0)


def test_articles_are_passed_on_in_the_thread_of_the_caller(server: FakeServer, fetcher: Fetcher) -> None:
    threads = set()
    urls = [server.serve(f"/{number}", rss("<title>a</title>")) for number in range(5)]
    for _ in follow(map(FeedState, urls), fetcher, lambda feed: threads.add(threading.get_ident())):
        pass
    assert threads == {threading.get_ident()}


def test_hosts_are_fetched_in_parallel_and_feeds_of_a_host_in_sequence(server: FakeServer) -> None:
    """Each of four hosts responds only when all four have a request; on one host no two requests overlap."""
    together = threading.Barrier(4)
    running: dict[str, int] = {}
    overlaps = []

    def first(handler: Handler) -> None:
        together.wait(30)
        handler.answer(200, {}, rss("<title>a</title>").encode())

    def in_turn(handler: Handler) -> None:
        host = handler.headers["Host"]
        running[host] = running.get(host, 0) + 1
        overlaps.append(running[host])
        time.sleep(0.01)  # time for another request to arrive, if there were one
        running[host] -= 1  # before the response: its client may send the next request at once
        handler.answer(200, {}, rss("<title>a</title>").encode())

    server.by("/first", first)
    for number in range(5):
        server.by(f"/{number}", in_turn)
    hosts = [f"http://host{number}.example:{server.port}" for number in range(4)]
    states = [FeedState(f"{host}/{path}") for host in hosts for path in ("first", *range(5))]
    fetcher = Fetcher(allow_private=["127.0.0.0/8"], per_host=0, timeout=60, resolver=lambda host, port: ["127.0.0.1"])
    assert all(state.error is None for state in follow(states, fetcher, Collector(), workers=4))
    assert set(overlaps) == {1} and len(overlaps) == 20


def test_pauses_apply_between_feeds_of_one_host(server: FakeServer) -> None:
    lock, now, times = threading.Lock(), [0.0], []

    def sleep(seconds: float) -> None:
        with lock:
            now[0] += seconds

    def notes(handler: Handler) -> None:
        times.append(now[0])
        handler.answer(200, {}, rss("<title>a</title>").encode())

    urls = [server.by(f"/{number}", notes) for number in range(6)]
    fetcher = Fetcher(allow_private=["127.0.0.0/8"], per_host=2.0, clock=lambda: now[0], sleep=sleep)
    list(follow(map(FeedState, urls), fetcher, Collector()))
    assert all(later - earlier >= 2.0 for earlier, later in pairwise(times)) and len(times) == 6


def test_closing_the_iterator_ends_the_round(server: FakeServer, fetcher: Fetcher) -> None:
    urls = [server.serve(f"/{number}", rss("<title>a</title>")) for number in range(50)]
    round_ = follow(map(FeedState, urls), fetcher, Collector(), workers=2)
    next(iter(round_))
    round_.close()  # type: ignore[attr-defined]
    assert len(server.requests) < 50


def test_a_round_without_feeds_ends_and_one_without_workers_is_refused(fetcher: Fetcher) -> None:
    assert list(follow([], fetcher, Collector())) == []
    with pytest.raises(ParameterError, match="workers"):
        list(run([FeedState("http://a.example/")], fetcher, Collector(), workers=0))
