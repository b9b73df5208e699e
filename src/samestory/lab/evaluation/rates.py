"""Rates with intervals that allow for clustered errors.

Wilson's interval assumes independent trials. The dropped articles of one group are not: a live blog that absorbs
fifty articles is one error of the detector, not fifty. For trials in clusters, the interval is Wilson's
for an effective number of trials, reduced by the design effect of the clusters (units u):

    deff = Σ (errorsᵤ − p · trialsᵤ)² · U/(U − 1)  /  (n · p · (1 − p)),    effective trials: n / max(1, deff)

Where all trials agree, that variance is 0 and uninformative; there every unit counts once, weighted by its size:
(Σ trialsᵤ)² / Σ trialsᵤ². Kish (1965), Survey sampling. [kish1965]
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import NormalDist
from typing import Any

from samestory.lab.measures.error_interval import error_interval

#: The share of intervals that contain the true rate.
CONFIDENCE = 0.95


@dataclass(frozen=True, slots=True)
class Rate:
    """A count out of a total, with the 95 % interval of the share; None where there were no trials."""

    count: int
    total: int
    low: float | None
    high: float | None

    @property
    def value(self) -> float | None:
        """The share count / total."""
        return self.count / self.total if self.total else None

    def to_dict(self, times: int = 1) -> dict[str, Any]:
        """Return the rate as a JSON object; `times=1000` for a rate per thousand."""
        scaled = [None if each is None else round(each * times, 6) for each in (self.value, self.low, self.high)]
        return {"count": self.count, "of": self.total, "rate": scaled[0], "low": scaled[1], "high": scaled[2]}


def independent_rate(count: int, total: int) -> Rate:
    """Return the rate of independent trials.

    >>> found = independent_rate(0, 50)
    >>> f"{found.low:.3f} to {found.high:.3f}"
    '0.000 to 0.071'
    """
    if not total:
        return Rate(count, total, None, None)
    found = error_interval(count, total, CONFIDENCE)
    return Rate(count, total, max(0.0, found.low), min(1.0, found.high))


def clustered_rate(counts: Sequence[int], totals: Sequence[int], alone: int = 0) -> Rate:
    """Return the rate of clustered trials, from the errors and trials of each cluster.

    `alone` is the number of further clusters with one trial and no error.

    >>> apart, together = clustered_rate([1] * 5, [1] * 5, 95), clustered_rate([5], [5], 95)
    >>> apart.value == together.value, apart.high < together.high
    (True, True)
    """
    errors, trials, units = sum(counts), sum(totals) + alone, len(totals) + alone
    if not trials:
        return Rate(errors, trials, None, None)
    rate = errors / trials
    if 0 < rate < 1 and units > 1:
        squares = sum((one - rate * of) ** 2 for one, of in zip(counts, totals, strict=True)) + alone * rate**2
        effect = squares * units / (units - 1) / (trials * rate * (1 - rate))
        effective = trials / max(1.0, effect)
    else:
        effective = trials**2 / (sum(of**2 for of in totals) + alone)
    low, high = _wilson(rate, effective)
    return Rate(errors, trials, low, high)


def _wilson(rate: float, trials: float) -> tuple[float, float]:
    """Return Wilson's interval for a possibly fractional number of trials."""
    z = NormalDist().inv_cdf((1 + CONFIDENCE) / 2)
    shrink = 1 + z**2 / trials
    middle = (rate + z**2 / (2 * trials)) / shrink
    reach = z * sqrt(rate * (1 - rate) / trials + z**2 / (4 * trials**2)) / shrink
    # rounding may push the bound past a rate of 0 or 1
    return (0.0 if rate == 0 else max(0.0, middle - reach)), (1.0 if rate == 1 else min(1.0, middle + reach))
