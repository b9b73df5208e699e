"""Politeness, by a clock of our own: nobody sleeps, and nothing depends on how fast the machine is."""

from __future__ import annotations

import threading
from collections import defaultdict
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from samestory.feeds import Fetcher
from samestory.feeds.turns import Turns
from tests.feeds.server import Told


class Clock:
    """A clock that goes on when somebody sleeps."""

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
def test_between_two_questions_to_one_host_lies_a_pause(pause: float, asked: list[tuple[str, float]]) -> None:
    clock = Clock()
    turns = Turns(pause, clock, clock.sleep)
    times = defaultdict(list)
    for host, later in asked:
        clock.now += later
        turns.wait(host)
        times[host].append(clock.now)
    for at in times.values():
        assert all(b - a >= pause - 1e-9 for a, b in pairwise(at))


def test_a_host_does_not_wait_for_another() -> None:
    clock = Clock()
    turns = Turns(1.0, clock, clock.sleep)
    for host in "abcdef":
        turns.wait(host)
    assert clock.slept == []


def test_threads_are_given_turns_that_no_other_has() -> None:
    waits: list[float] = []
    turns = Turns(1.0, lambda: 0.0, waits.append)  # a clock that stands: who sleeps sleeps until its turn
    threads = [threading.Thread(target=lambda: [turns.wait("a") for _ in range(25)]) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(waits) == [float(turn) for turn in range(1, 200)]


def test_a_host_may_wish_for_longer_pauses_but_not_for_shorter_ones() -> None:
    clock = Clock()
    turns = Turns(2.0, clock, clock.sleep)
    turns.slow("a", 5.0)
    turns.slow("b", 0.5)
    for host in ("a", "a", "b", "b"):
        turns.wait(host)
    assert clock.slept == [5.0, 2.0]


def test_hosts_whose_turn_is_over_are_forgotten() -> None:
    clock = Clock()
    turns = Turns(1.0, clock, clock.sleep)
    for number in range(25_000):
        clock.now += 1
        turns.wait(f"host{number}")
    assert len(turns._next) <= 10_001


def test_every_hop_and_every_address_of_a_host_waits_for_its_turn(server: Told) -> None:
    clock = Clock()
    fetcher = Fetcher(allow_private=True, per_host=3.0, clock=clock, sleep=clock.sleep)
    server.redirect("/a", "/b")
    server.serve("/b", "there")
    fetcher.fetch(f"{server.url}/a")
    fetcher.fetch(f"{server.url}/b")
    assert clock.slept == [3.0, 3.0] and server.paths == ["/a", "/b", "/b"]
    fetcher.fetch(f"http://localhost:{server.port}/b")
    assert clock.slept == [3.0, 3.0], "another host"


def test_pauses_do_not_count_against_the_deadline(server: Told) -> None:
    clock = Clock()
    fetcher = Fetcher(allow_private=True, per_host=1000.0, timeout=20, clock=clock, sleep=clock.sleep)
    url = server.serve("/rss", "body")
    assert [fetcher.fetch(url).status for _ in range(3)] == [200, 200, 200]
    assert clock.now == 2000.0
