"""The interval of an error rate that was counted: so many errors in so many independent trials.

    normal:  e ± z σ,  σ = √(e (1 − e) / n)
    Wilson:  (e + z²/2n ± z √(e (1 − e) / n + z²/4n²)) / (1 + z²/n)

The normal one is what studies print; it has no width where no error was seen, and may reach below 0. Wilson's does
neither. (Conrad 2006) prints ±0.22 % for 5 errors in 1,000 and calls it 95 %: that is one σ. [conrad2006, wilson1927]
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
    """The interval of an error rate, `method` being 'wilson' or 'normal'.

    >>> found = error_interval(5, 1000, method="normal")
    >>> f"{found.rate:.2%} ± {found.high - found.rate:.4%}"
    '0.50% ± 0.4372%'
    """
    if method not in ("wilson", "normal"):
        raise ParameterError(f"error_interval: method must be 'wilson' or 'normal', got {method!r}")
    if not 0 < confidence < 1:
        raise ParameterError(f"error_interval: confidence must lie between 0 and 1, got {confidence!r}")
    if trials < 1 or not 0 <= errors <= trials:
        raise ParameterError(f"error_interval: wanted are errors among trials, got {errors} among {trials}")
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    rate = errors / trials
    sigma = sqrt(rate * (1 - rate) / trials)
    middle, reach = rate, z * sigma
    if method == "wilson":
        shrink = 1 + z**2 / trials
        middle = (rate + z**2 / (2 * trials)) / shrink
        reach = z * sqrt(sigma**2 + z**2 / (4 * trials**2)) / shrink
    return ErrorInterval(rate, sigma, middle - reach, middle + reach, confidence, method)
