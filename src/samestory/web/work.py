"""Slots for requests that are being answered: limited in total and per client; clients that use little go first."""

from __future__ import annotations

import asyncio
import math
import time
from collections import Counter, OrderedDict, deque
from collections.abc import Callable
from dataclasses import dataclass

from samestory.web.errors import Refusal
from samestory.web.limits import MAX_CLIENTS, WRITER, Limits

#: Requests that wait for a slot.
MAX_WAITING, MAX_WAITING_PER_CLIENT = 1000, 64
#: Time in which the memory of past work falls to a third.
MEMORY_SECONDS = 10.0


class RecentWork:
    """Seconds in which clients have held slots, less those that are long past."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._clients: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def seconds(self, client: str) -> float:
        """Return the recent work for a client."""
        seconds, then = self._clients.get(client, (0.0, 0.0))
        return seconds * math.exp((then - self._clock()) / MEMORY_SECONDS)

    def add(self, client: str, seconds: float) -> None:
        """Add work that has just ended."""
        total = self.seconds(client) + seconds
        self._clients.pop(client, None)
        self._clients[client] = total, self._clock()
        if len(self._clients) > MAX_CLIENTS:
            self._clients.popitem(last=False)


class Slots:
    """Slots of one kind of work.

    A free slot goes to the waiting client with the least recent work, so that a client with many requests waits for its
    own and not the others for it. Clients with the token go first, and have no limit of their own.
    """

    def __init__(self, total: int, per_client: int, max_wait_seconds: float) -> None:
        self._free, self._per_client, self._max_wait_seconds = total, per_client, max_wait_seconds
        self._used: Counter[str] = Counter()
        self._recent = RecentWork()
        self._queues: dict[str, deque[asyncio.Future[None]]] = {}
        self._waiting = 0

    async def acquire(self, client: str) -> Callable[[], None]:
        """Wait for a slot; return the function that releases it, once. Raises a refusal if there are too many."""
        if self._free and self._may_take(client):
            self._take(client)
        else:
            await self._wait(client)
        began: float | None = time.monotonic()

        def release() -> None:
            nonlocal began
            if began is not None:
                self._recent.add(client, time.monotonic() - began)
                began = None
                self._release(client)

        return release

    async def _wait(self, client: str) -> None:
        waiting = self._queues.get(client, ())
        if len(waiting) >= MAX_WAITING_PER_CLIENT:
            raise Refusal(429, "too many requests at once", "send fewer at a time", {"Retry-After": "1"})
        if self._waiting >= MAX_WAITING:
            raise _busy()
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._queues.setdefault(client, deque()).append(turn)
        self._waiting += 1
        try:
            async with asyncio.timeout(self._max_wait_seconds):
                await turn
        except BaseException as error:
            if turn in self._queues.get(client, ()):
                self._queues[client].remove(turn)
                self._forget_one(client)
            elif not turn.cancelled():
                self._release(client)  # the slot came at the same moment
            if isinstance(error, TimeoutError):
                raise _busy() from None
            raise

    def _may_take(self, client: str) -> bool:
        return client == WRITER or self._used[client] < self._per_client

    def _take(self, client: str) -> None:
        self._free -= 1
        self._used[client] += 1

    def _release(self, client: str) -> None:
        self._free += 1
        self._used[client] -= 1
        if not self._used[client]:
            del self._used[client]
        while self._free:
            waiting = [each for each in self._queues if self._may_take(each)]
            if not waiting:
                return
            chosen = min(waiting, key=lambda each: -1.0 if each == WRITER else self._recent.seconds(each))
            turn = self._queues[chosen].popleft()
            self._forget_one(chosen)
            if not turn.cancelled():
                turn.set_result(None)
                self._take(chosen)

    def _forget_one(self, client: str) -> None:
        """Note that one request of a client does not wait any more."""
        self._waiting -= 1
        if not self._queues[client]:
            del self._queues[client]


def _busy() -> Refusal:
    return Refusal(503, "the server is busy", "try again in 5 s", {"Retry-After": "5"})


@dataclass(frozen=True, slots=True)
class Work:
    """The slots of the kinds of work: pages; comparisons of texts that clients send; writes."""

    pages: Slots
    comparisons: Slots
    writes: Slots

    @classmethod
    def from_limits(cls, limits: Limits) -> Work:
        """Return free slots."""
        wait = limits.max_wait_seconds
        return cls(
            Slots(limits.max_pages, limits.max_pages_per_client, wait),
            Slots(limits.max_comparisons, limits.max_comparisons_per_client, wait),
            Slots(limits.max_writes, limits.max_writes, wait),
        )
