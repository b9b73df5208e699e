"""Politeness: nobody is asked more often than once in a while, however many threads ask.

A host that says when to come back (Retry-After) is left alone until then.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

#: Hosts remembered before those are forgotten whose turn is over.
_MANY = 10_000


class Turns:
    """When each host may be asked again."""

    def __init__(
        self,
        pause: float,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._pause, self._clock, self._sleep = pause, clock, sleep
        self._lock = threading.Lock()
        self._next: dict[str, float] = {}
        self._pauses: dict[str, float] = {}
        self._held: dict[str, float] = {}

    def wait(self, host: str) -> None:
        """Waits for the turn of who asks: turns are given in the order of asking, a pause apart."""
        with self._lock:
            now = self._clock()
            self._forget(now)
            turn = max(now, self._next.get(host, now))
            self._next[host] = turn + self._pauses.get(host, self._pause)
        if turn > now:
            self._sleep(turn - now)

    def held(self, host: str) -> float | None:
        """The seconds for which a host wants to be left alone; none if it does not."""
        with self._lock:
            left = self._held.get(host, 0.0) - self._clock() if host in self._held else 0.0
        return left if left > 0 else None

    def hold(self, host: str, seconds: float) -> None:
        """Leaves a host alone for so long."""
        with self._lock:
            self._held[host] = max(self._held.get(host, 0.0), self._clock() + seconds)

    def slow(self, host: str, pause: float) -> None:
        """Makes the pauses of a host longer, as it wishes; never shorter."""
        with self._lock:
            self._pauses[host] = max(self._pause, pause)

    def _forget(self, now: float) -> None:
        if len(self._next) > _MANY:
            self._next = {host: at for host, at in self._next.items() if at > now}
        if len(self._held) > _MANY:
            self._held = {host: at for host, at in self._held.items() if at > now}
        if len(self._pauses) > _MANY:
            self._pauses.clear()
