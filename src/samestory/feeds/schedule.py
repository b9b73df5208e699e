"""When a feed is due again; pure reckoning, nothing is asked and no clock is read.

it answered          after the interval, or as long as it says it will not change, within bounds
it failed            after the interval twice as long with every failure, up to a day, and a little more by chance,
                     so that those that failed together do not come back together
it named a time      not before then (Retry-After)
it is gone (410)     never again
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta

from samestory.errors import ParameterError

#: The status of what is gone for good.
GONE = 410


@dataclass(frozen=True, slots=True)
class Schedule:
    """How often feeds are asked. Times are microseconds since 1970.

    `interval` between two good answers; `longest_wish` is how long a feed may wish to be left alone, `longest` how
    long one that fails is; `spread` is the share that is added by chance, which `draw` gives from [0, 1).
    """

    interval: timedelta = timedelta(minutes=10)
    longest_wish: timedelta = timedelta(hours=6)
    longest: timedelta = timedelta(days=1)
    spread: float = 0.1
    draw: Callable[[], float] = random.random

    def __post_init__(self) -> None:
        if not timedelta(0) < self.interval <= min(self.longest, self.longest_wish):
            raise ParameterError(
                "Schedule: interval must be longer than nothing and not longer than longest and longest_wish, "
                f"got {self.interval}"
            )
        if not 0 <= self.spread <= 1:
            raise ParameterError(f"Schedule: spread must be between 0 and 1, got {self.spread}")

    def after_answer(self, now: int, *wishes: float | None) -> int:
        """When it is due after an answer at `now`; the wishes are seconds, as a feed and its server name them.

        >>> (Schedule().after_answer(0, 60.0, 1800.0), Schedule().after_answer(0, None)) == (1_800_000_000, 600_000_000)
        True
        """
        wish = max((wish for wish in wishes if wish is not None), default=0.0)
        bounded = min(max(wish, self.interval.total_seconds()), self.longest_wish.total_seconds())
        return now + round(bounded * 1e6)

    def after_failure(
        self, now: int, failures: int, status: int | None = None, wait: float | None = None
    ) -> int | None:
        """When it is due after so many failures in a row; `wait` are the seconds that the server asks for. None: never.

        >>> Schedule(spread=0).after_failure(0, 3) == 4 * 600_000_000
        True
        """
        if status == GONE:
            return None
        longest = self.longest.total_seconds()
        # beyond some doublings it is the longest anyway, and powers of millions take their time
        pause = min(self.interval.total_seconds() * 2.0 ** min(max(failures - 1, 0), 60), longest)
        pause = max(pause, min(wait or 0.0, longest))
        return now + round(pause * (1 + self.spread * self.draw()) * 1e6)
