"""A round over feeds, from a real server: each for itself, none stops the others."""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import pytest

from samestory.errors import ParameterError
from samestory.feeds import Feed, Fetcher, Schedule, State, follow
from samestory.feeds import follow as run
from tests.feeds.server import Handler, Told
from tests.feeds.test_parse import rss

NOW = 1_700_000_000_000_000
MINUTE = 60_000_000
STEADY = Schedule(spread=0)


class Taking:
    """Takes articles as an archive does: those it does not know."""

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


def round_of(states: Sequence[State], fetcher: Fetcher, take: Taking, now: int = NOW) -> dict[str, State]:
    return {state.url: state for state in follow(states, fetcher, take, schedule=STEADY, now=lambda: now)}


def test_a_feed_that_answers_is_passed_on_and_remembered(server: Told, fetcher: Fetcher) -> None:
    body = rss("<title>a</title>", "<title>b</title>", about="<title>News</title><link>/home</link><ttl>20</ttl>")
    url = server.serve("/rss", body, ETag='"1"', Last_Modified="Sun, 12 May 2024 10:30:00 GMT")
    take = Taking()
    states = round_of([State(url)], fetcher, take)
    assert states == {
        url: State(
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


def test_nothing_new_is_asked_for_and_nothing_passed_on(server: Told, fetcher: Fetcher) -> None:
    def answers(handler: Handler) -> None:
        new = handler.headers["If-None-Match"] != '"1"'
        handler.answer(200 if new else 304, {"ETag": '"1"'}, rss("<title>a</title>").encode() if new else b"")

    url = server.by("/rss", answers)
    take = Taking()
    first = round_of([State(url)], fetcher, take)[url]
    again = round_of([first], fetcher, take, NOW + 10 * MINUTE)[url]
    assert len(take.feeds) == 1
    assert again == replace(first, checked=NOW + 10 * MINUTE, due=NOW + 20 * MINUTE, status=304)


def test_only_what_is_due_is_asked(server: Told, fetcher: Fetcher) -> None:
    url = server.serve("/rss", rss("<title>a</title>"))
    for due in (NOW + 1, None):
        assert round_of([State(url, due=due)], fetcher, Taking()) == {}
    assert round_of([State(url, due=NOW)], fetcher, Taking()) != {}
    assert len(server.asked) == 1


def test_a_feed_that_breaks_never_stops_the_others(server: Told) -> None:
    ended = threading.Event()

    def hangs_up(handler: Handler) -> None:
        handler.close_connection = True

    def stalls(handler: Handler) -> None:
        ended.wait(30)

    def resolver(host: str, port: int) -> Sequence[str]:
        if host == "unknown.example":
            raise OSError("no such name")
        return [host]

    fetcher = Fetcher(allow_private=True, per_host=0, timeout=3, largest=100_000, resolver=resolver)
    broken = {
        server.fail("/gone", 404): "404 not found",
        server.fail("/error", 500): "500 internal server error",
        server.serve("/page", "<html><p>Not a feed</p></html>", "text/html"): "no feed: text/html",
        server.serve("/empty", ""): "no feed: nothing in it",
        server.serve("/large", b"x" * 200_000): "more than 100000 bytes",
        server.serve("/zip", b"\x1f\x8bnonsense", Content_Encoding="gzip"): "its body cannot be unpacked",
        server.by("/hangs-up", hangs_up): "what it answers is no HTTP",
        server.by("/stalls", stalls): "took longer than 3 seconds",
        server.redirect("/round", "/round"): "redirected more than 5 times",
        "nonsense": "http or https is wanted, got neither",
        "http://unknown.example/rss": "unknown.example is not known",
    }
    good = [server.serve(f"/good{number}", rss(f"<title>good {number}</title>")) for number in range(5)]
    urls = [url for pair in zip(broken, [*good, *[""] * 10], strict=False) for url in pair if url]
    take = Taking()
    states = round_of([State(url) for url in urls], fetcher, take)
    ended.set()
    assert {url: states[url].error for url in broken} == broken
    assert all(states[url].failures == 1 and states[url].due == NOW + 10 * MINUTE for url in broken)
    assert all(states[url].failures == 0 and states[url].error is None for url in good)
    assert take.titles == {f"good {number}" for number in range(5)}


def test_failures_in_a_row_make_pauses_longer_and_an_answer_ends_them(server: Told, fetcher: Fetcher) -> None:
    state, now = State(server.fail("/rss", 500), etag='"old"', seen=7, taken=3), NOW
    for failures in range(1, 5):
        state = round_of([state], fetcher, Taking(), now)[state.url]
        assert (state.failures, state.status, state.due) == (failures, 500, now + 10 * MINUTE * 2 ** (failures - 1))
        now = state.due or 0
    assert (state.etag, state.seen, state.taken) == ('"old"', 7, 3)
    server.serve("/rss", rss("<title>a</title>"))
    state = round_of([state], fetcher, Taking(), now)[state.url]
    assert (state.failures, state.error, state.status, state.due) == (0, None, 200, now + 10 * MINUTE)
    assert (state.seen, state.taken) == (8, 4)


def test_what_is_gone_is_not_asked_again(server: Told, fetcher: Fetcher) -> None:
    state = round_of([State(server.fail("/rss", 410))], fetcher, Taking())[f"{server.url}/rss"]
    assert (state.due, state.status) == (None, 410)
    assert round_of([state], fetcher, Taking(), NOW * 2) == {}


def test_a_busy_host_is_asked_once_and_all_its_feeds_wait(server: Told, fetcher: Fetcher) -> None:
    urls = [server.fail(f"/{number}", 429, Retry_After="3600") for number in range(4)]
    states = round_of([State(url) for url in urls], fetcher, Taking())
    assert len(server.asked) == 1
    assert all((state.due or 0) > NOW + 59 * MINUTE for state in states.values())


def test_articles_that_were_not_taken_come_again(server: Told, fetcher: Fetcher) -> None:
    """A full disk must not cost articles: what the server said of them is not remembered."""
    bad, good = (server.serve(path, rss(f"<title>{path}</title>"), ETag='"1"') for path in ("/bad", "/good"))

    def take(feed: Feed) -> int:
        if feed.url == bad:
            raise OSError("no space left")
        return 1

    states = {state.url: state for state in follow([State(bad), State(good)], fetcher, take)}
    assert (states[bad].etag, states[bad].failures, states[bad].taken) == (None, 1, 0)
    assert states[bad].error == "could not be taken: OSError: no space left"
    assert (states[good].etag, states[good].failures) == ('"1"', 0)


def test_articles_are_passed_on_in_the_thread_of_who_asks(server: Told, fetcher: Fetcher) -> None:
    threads = set()
    urls = [server.serve(f"/{number}", rss("<title>a</title>")) for number in range(5)]
    for _ in follow(map(State, urls), fetcher, lambda feed: threads.add(threading.get_ident())):
        pass
    assert threads == {threading.get_ident()}


def test_hosts_are_asked_side_by_side_and_the_feeds_of_one_in_turn(server: Told) -> None:
    """Each of four hosts answers only when all four were asked; on one host no two questions overlap."""
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
        time.sleep(0.01)  # time for another one to come, if there were one
        running[host] -= 1  # before the answer: who has it may ask again at once
        handler.answer(200, {}, rss("<title>a</title>").encode())

    server.by("/first", first)
    for number in range(5):
        server.by(f"/{number}", in_turn)
    hosts = [f"http://host{number}.example:{server.port}" for number in range(4)]
    states = [State(f"{host}/{path}") for host in hosts for path in ("first", *range(5))]
    fetcher = Fetcher(allow_private=True, per_host=0, timeout=60, resolver=lambda host, port: ["127.0.0.1"])
    assert all(state.error is None for state in follow(states, fetcher, Taking(), workers=4))
    assert set(overlaps) == {1} and len(overlaps) == 20


def test_pauses_hold_between_feeds_of_one_host(server: Told) -> None:
    lock, now, times = threading.Lock(), [0.0], []

    def sleep(seconds: float) -> None:
        with lock:
            now[0] += seconds

    def notes(handler: Handler) -> None:
        times.append(now[0])
        handler.answer(200, {}, rss("<title>a</title>").encode())

    urls = [server.by(f"/{number}", notes) for number in range(6)]
    fetcher = Fetcher(allow_private=True, per_host=2.0, clock=lambda: now[0], sleep=sleep)
    list(follow(map(State, urls), fetcher, Taking()))
    assert all(later - earlier >= 2.0 for earlier, later in pairwise(times)) and len(times) == 6


def test_who_stops_asking_ends_the_round(server: Told, fetcher: Fetcher) -> None:
    urls = [server.serve(f"/{number}", rss("<title>a</title>")) for number in range(50)]
    round_ = follow(map(State, urls), fetcher, Taking(), workers=2)
    next(iter(round_))
    round_.close()  # type: ignore[attr-defined]
    assert len(server.asked) < 50


def test_a_round_without_feeds_ends_and_one_without_workers_is_refused(fetcher: Fetcher) -> None:
    assert list(follow([], fetcher, Taking())) == []
    with pytest.raises(ParameterError, match="workers"):
        list(run([State("http://a.example/")], fetcher, Taking(), workers=0))
