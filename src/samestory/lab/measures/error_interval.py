"""Confidence interval of an error rate, from errors in independent trials.

    normal:  e ± z σ,  σ = √(e (1 − e) / n)
    Wilson:  (e + z²/2n ± z √(e (1 − e) / n + z²/4n²)) / (1 + z²/n)

The normal interval is common in studies; it has zero width where there are no errors, and may extend below 0. Wilson's
does neither. (Conrad 2006) prints ±0.22 % for 5 errors in 1,000 as 95 %, but that is one σ. [conrad2006, wilson1927]
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from statistics import NormalDist

from samestory.errors import ParameterError


@dataclass(frozen=True, slots=True)
class ErrorInterval:
    """An error rate, its standard deviation, and the interval."""

    rate: float
    sigma: float
    low: float
    high: float
    confidence: float
    method: str


def error_interval(errors: int, trials: int, confidence: float = 0.95, method: str = "wilson") -> ErrorInterval:
    """Compute the interval of an error rate; `method` is 'wilson' or 'normal'.

    >>> found = error_interval(5, 1000, method="normal")
    >>> f"{found.rate:.2%} ± {found.high - found.rate:.4%}"
    '0.50% ± 0.4372%'
    """
    if method not in ("wilson", "normal"):
        raise ParameterError(f"error_interval: method must be 'wilson' or 'normal', got {method!r}")
    if not 0 < confidence < 1:
        raise ParameterError(f"error_interval: confidence must be between 0 and 1, got {confidence!r}")
    if trials < 1 or not 0 <= errors <= trials:
        raise ParameterError(f"error_interval: expected 0 ≤ errors ≤ trials and trials > 0, got {errors} of {trials}")
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    rate = errors / trials
    sigma = sqrt(rate * (1 - rate) / trials)
    middle, reach = rate, z * sigma
    if method == "wilson":
        shrink = 1 + z**2 / trials
        middle = (rate + z**2 / (2 * trials)) / shrink
        reach = z * sqrt(sigma**2 + z**2 / (4 * trials**2)) / shrink
    return ErrorInterval(rate, sigma, middle - reach, middle + reach, confidence, method)
