"""Computes when a feed is due again; pure functions without I/O or clock.

success         after the interval, or its declared time to live, within bounds
failure         after the interval, doubled with every failure up to a day, plus jitter, so that feeds that failed
                together are not retried together
Retry-After     not before then
gone (410)      never again
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta

from samestory.errors import ParameterError

#: The HTTP status of a feed that is gone for good.
GONE = 410


@dataclass(frozen=True, slots=True)
class Schedule:
    """How often feeds are polled. Times are microseconds since 1970.

    `interval` is the time between two successful polls; `longest_wish` the longest time to live that a feed can
    declare, `longest` the longest wait after a failure; `spread` is the share of jitter, scaled by `draw` from [0, 1).
    """

    interval: timedelta = timedelta(minutes=10)
    longest_wish: timedelta = timedelta(hours=6)
    longest: timedelta = timedelta(days=1)
    spread: float = 0.1
    draw: Callable[[], float] = random.random

    def __post_init__(self) -> None:
        if not timedelta(0) < self.interval <= min(self.longest, self.longest_wish):
            raise ParameterError(
                f"Schedule: interval must be above 0 and not longer than longest and longest_wish, got {self.interval}"
            )
        if not 0 <= self.spread <= 1:
            raise ParameterError(f"Schedule: spread must be between 0 and 1, got {self.spread}")

    def after_answer(self, now: int, *wishes: float | None) -> int:
        """Return when a feed is due after a response at `now`; `wishes` are its declared times to live, in seconds.

        >>> (Schedule().after_answer(0, 60.0, 1800.0), Schedule().after_answer(0, None)) == (1_800_000_000, 600_000_000)
        True
        """
        wish = max((wish for wish in wishes if wish is not None), default=0.0)
        bounded = min(max(wish, self.interval.total_seconds()), self.longest_wish.total_seconds())
        return now + round(bounded * 1e6)

    def after_failure(
        self, now: int, failures: int, status: int | None = None, wait: float | None = None
    ) -> int | None:
        """Return when a feed is due after consecutive failures, None for never; `wait` is its Retry-After in seconds.

        >>> Schedule(spread=0).after_failure(0, 3) == 4 * 600_000_000
        True
        """
        if status == GONE:
            return None
        longest = self.longest.total_seconds()
        # bounded: after some doublings the maximum applies anyway, and huge powers overflow
        pause = min(self.interval.total_seconds() * 2.0 ** min(max(failures - 1, 0), 60), longest)
        pause = max(pause, min(wait or 0.0, longest))
        return now + round(pause * (1 + self.spread * self.draw()) * 1e6)
