"""Slots: limits in total and per client, and in which order those who wait come in."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor

import pytest

from samestory.web import work
from samestory.web.errors import Refusal
from samestory.web.limits import WRITER
from samestory.web.work import RecentWork, Slots


def run(trial: Callable[[], Awaitable[None]]) -> None:
    """Runs a trial in an event loop of its own, in a thread: the browser of other tests has one in this thread."""

    async def alone() -> None:
        await trial()

    with ThreadPoolExecutor(1) as executor:
        executor.submit(asyncio.run, alone()).result()


async def settle() -> None:
    """Lets all tasks go on until they wait."""
    for _ in range(5):
        await asyncio.sleep(0)


def test_slots_are_limited_in_total_and_per_client() -> None:
    async def trial() -> None:
        slots = Slots(3, 2, 10)
        held = [await slots.acquire(name) for name in ("a", "a", "b")]
        waiting = {name: asyncio.ensure_future(slots.acquire(name)) for name in ("a", "b", "c")}
        await settle()
        assert not any(each.done() for each in waiting.values())
        held[2]()
        held[2]()  # a slot is released once
        await settle()
        assert [name for name, each in waiting.items() if each.done()] == ["c"]
        held[0]()
        await settle()
        assert [name for name, each in waiting.items() if each.done()] in (["a", "c"], ["b", "c"])
        held[1]()
        assert all([await each for each in waiting.values()])

    run(trial)


def test_the_client_with_the_least_recent_work_goes_first_and_the_token_before_it() -> None:
    async def trial() -> None:
        slots = Slots(1, 1, 10)
        order: list[str] = []

        async def work_of(name: str) -> None:
            release = await slots.acquire(name)
            order.append(name)
            await asyncio.sleep(0.01)
            release()

        await work_of("busy")
        many = [asyncio.ensure_future(work_of("busy")) for _ in range(5)]
        await settle()
        many += [asyncio.ensure_future(work_of(name)) for name in ("new", WRITER)]
        await asyncio.gather(*many)
        assert order == ["busy", "busy", WRITER, "new", "busy", "busy", "busy", "busy"]

    run(trial)


def test_the_token_has_no_limit_of_its_own() -> None:
    async def trial() -> None:
        slots = Slots(3, 1, 10)
        for _ in range(3):
            await slots.acquire(WRITER)

    run(trial)


@pytest.mark.parametrize(("most", "status"), [("MAX_WAITING", 503), ("MAX_WAITING_PER_CLIENT", 429)])
def test_too_many_that_wait_are_refused(monkeypatch: pytest.MonkeyPatch, most: str, status: int) -> None:
    monkeypatch.setattr(work, most, 2)

    async def trial() -> None:
        slots = Slots(1, 1, 10)
        release = await slots.acquire("a")
        waiting = [asyncio.ensure_future(slots.acquire("a")) for _ in range(2)]
        await settle()
        with pytest.raises(Refusal) as refused:
            await slots.acquire("a")
        assert refused.value.status_code == status and refused.value.headers
        release()
        (await waiting[0])()
        (await waiting[1])()
        (await slots.acquire("a"))()

    run(trial)


def test_clients_that_leave_or_have_waited_too_long_hold_nothing() -> None:
    async def trial() -> None:
        slots = Slots(1, 1, 0.05)
        release = await slots.acquire("a")
        with pytest.raises(Refusal, match="busy") as refused:
            await slots.acquire("b")
        assert refused.value.status_code == 503
        leaving = asyncio.ensure_future(slots.acquire("b"))
        late = asyncio.ensure_future(slots.acquire("c"))
        await settle()
        leaving.cancel()
        release()  # before the cancelled client has noticed
        (await late)()
        release = await slots.acquire("a")
        given = asyncio.ensure_future(slots.acquire("b"))
        await settle()
        release()
        given.cancel()  # the slot has been given, and the client has not noticed
        await asyncio.gather(given, return_exceptions=True)
        (await slots.acquire("c"))()

    run(trial)


def test_work_is_forgotten() -> None:
    now = 0.0
    recent = RecentWork(clock=lambda: now)
    recent.add("a", 3)
    recent.add("a", 3)
    assert recent.seconds("a") == 6 and recent.seconds("b") == 0
    now = work.MEMORY_SECONDS
    assert 2 < recent.seconds("a") < 3


def test_the_number_of_remembered_clients_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(work, "MAX_CLIENTS", 10)
    recent = RecentWork()
    for number in range(20):
        recent.add(str(number), 1)
    assert [recent.seconds(str(number)) > 0 for number in range(20)] == [False] * 10 + [True] * 10
