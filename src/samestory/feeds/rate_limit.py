"""Rate limiting per host, across threads: a minimum pause between requests.

A host that sends Retry-After gets no requests until then.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

#: The number of hosts above which expired ones are dropped.
_MAX_HOSTS = 10_000


class HostRateLimiter:
    """Tracks when each host may be requested again."""

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
        """Sleep until the next free slot of a host; slots are assigned in call order, a pause apart."""
        with self._lock:
            now = self._clock()
            self._forget(now)
            slot = max(now, self._next.get(host, now))
            self._next[host] = slot + self._pauses.get(host, self._pause)
        if slot > now:
            self._sleep(slot - now)

    def held(self, host: str) -> float | None:
        """Return the seconds for which a host is on hold, or None."""
        with self._lock:
            left = self._held.get(host, 0.0) - self._clock() if host in self._held else 0.0
        return left if left > 0 else None

    def hold(self, host: str, seconds: float) -> None:
        """Put a host on hold."""
        with self._lock:
            self._held[host] = max(self._held.get(host, 0.0), self._clock() + seconds)

    def slow(self, host: str, pause: float) -> None:
        """Set a longer pause for a host; a shorter one than the default is ignored."""
        with self._lock:
            self._pauses[host] = max(self._pause, pause)

    def _forget(self, now: float) -> None:
        if len(self._next) > _MAX_HOSTS:
            self._next = {host: at for host, at in self._next.items() if at > now}
        if len(self._held) > _MAX_HOSTS:
            self._held = {host: at for host, at in self._held.items() if at > now}
        if len(self._pauses) > _MAX_HOSTS:
            self._pauses.clear()
