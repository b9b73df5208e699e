"""Rate limiting with a fake clock: no test sleeps, and none depends on the speed of the machine."""

from __future__ import annotations

import threading
from collections import defaultdict
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from samestory.feeds import Fetcher
from samestory.feeds.rate_limit import HostRateLimiter
from tests.feeds.server import FakeServer


class Clock:
    """A clock that advances on sleep."""

    def __init__(self) -> None:
        self.now, self.slept = 0.0, []

    def __call__(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds


@given(
    st.floats(0, 10),
    st.lists(st.tuples(st.sampled_from(["a", "b", "c"]), st.floats(0, 5)), max_size=30),
)
def test_requests_to_one_host_are_a_pause_apart(pause: float, asked: list[tuple[str, float]]) -> None:
    clock = Clock()
    limiter = HostRateLimiter(pause, clock, clock.sleep)
    times = defaultdict(list)
    for host, later in asked:
        clock.now += later
        limiter.wait(host)
        times[host].append(clock.now)
    for at in times.values():
        assert all(b - a >= pause - 1e-9 for a, b in pairwise(at))


def test_a_host_does_not_wait_for_another() -> None:
    clock = Clock()
    limiter = HostRateLimiter(1.0, clock, clock.sleep)
    for host in "abcdef":
        limiter.wait(host)
    assert clock.slept == []


def test_threads_get_distinct_slots() -> None:
    waits: list[float] = []
    limiter = HostRateLimiter(1.0, lambda: 0.0, waits.append)  # a stopped clock: each thread sleeps until its slot
    threads = [threading.Thread(target=lambda: [limiter.wait("a") for _ in range(25)]) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(waits) == [float(turn) for turn in range(1, 200)]


def test_a_host_can_lengthen_its_pause_but_not_shorten_it() -> None:
    clock = Clock()
    limiter = HostRateLimiter(2.0, clock, clock.sleep)
    limiter.slow("a", 5.0)
    limiter.slow("b", 0.5)
    for host in ("a", "a", "b", "b"):
        limiter.wait(host)
    assert clock.slept == [5.0, 2.0]


def test_expired_hosts_are_dropped() -> None:
    clock = Clock()
    limiter = HostRateLimiter(1.0, clock, clock.sleep)
    for number in range(25_000):
        clock.now += 1
        limiter.wait(f"host{number}")
    assert len(limiter._next) <= 10_001


def test_every_hop_and_every_url_of_a_host_is_rate_limited(server: FakeServer) -> None:
    clock = Clock()
    fetcher = Fetcher(allow_private=["127.0.0.0/8"], per_host=3.0, clock=clock, sleep=clock.sleep)
    server.redirect("/a", "/b")
    server.serve("/b", "there")
    fetcher.fetch(f"{server.url}/a")
    fetcher.fetch(f"{server.url}/b")
    assert clock.slept == [3.0, 3.0] and server.paths == ["/a", "/b", "/b"]
    fetcher.fetch(f"http://localhost:{server.port}/b")
    assert clock.slept == [3.0, 3.0], "another host"


def test_pauses_do_not_count_against_the_deadline(server: FakeServer) -> None:
    clock = Clock()
    fetcher = Fetcher(allow_private=["127.0.0.0/8"], per_host=1000.0, timeout=20, clock=clock, sleep=clock.sleep)
    url = server.serve("/rss", "body")
    assert [fetcher.fetch(url).status for _ in range(3)] == [200, 200, 200]
    assert clock.now == 2000.0
