"""One-sided tests of two systems across several test sets.

    t = mean(d) / (sd(d) / √n),  d_i = left_i − right_i,  n − 1 degrees of freedom

The t-test is that of (Uyar 2009). Differences across test sets are often many zeros and a few large values, far
from normal: Wilcoxon's signed-rank test uses only their order, with zeros ranked too (Pratt). [uyar2009, pratt1959]
"""

from __future__ import annotations

from dataclasses import dataclass

from numpy.typing import ArrayLike

from samestory.errors import ParameterError
from samestory.lab.measures.data.base import Floats, numbers
from samestory.lab.measures.extra import scipy


@dataclass(frozen=True, slots=True)
class PairedTest:
    """A test of paired differences, left minus right; `statistic` and `p` are None where all differences are equal."""

    test: str
    expected: str
    mean: float
    sd: float
    statistic: float | None
    p: float | None
    sets: int

    def __str__(self) -> str:
        p = "undefined" if self.p is None else f"{self.p:.3g}"
        return (
            f"{self.test}: left {self.expected} than right, mean difference {self.mean:+.4g}, p = {p}, {self.sets} sets"
        )


def paired_t(left: ArrayLike, right: ArrayLike, expected: str) -> PairedTest:
    """One-sided t-test; `expected` is the claim about left: 'less' or 'greater'.

    >>> print(paired_t([0.01, 0.12, 0.04, 0.09, 0.04], [0.15, 0.47, 0.06, 0.18, 0.31], expected="less"))
    paired t: left less than right, mean difference -0.174, p = 0.0221, 5 sets
    """
    differences = _differences(left, right, expected)
    mean, sd = float(differences.mean()), float(differences.std(ddof=1))
    if (differences == differences[0]).all():
        return PairedTest("paired t", expected, mean, 0.0, None, None, len(differences))
    test = scipy("stats").ttest_rel(left, right, alternative=expected)
    return PairedTest("paired t", expected, mean, sd, float(test.statistic), float(test.pvalue), len(differences))


def wilcoxon(left: ArrayLike, right: ArrayLike, expected: str) -> PairedTest:
    """One-sided signed-rank test; `expected` as for the t-test."""
    differences = _differences(left, right, expected)
    mean, sd = float(differences.mean()), float(differences.std(ddof=1))
    if not differences.any():
        return PairedTest("Wilcoxon", expected, mean, sd, None, None, len(differences))
    test = scipy("stats").wilcoxon(differences, zero_method="pratt", alternative=expected)
    return PairedTest("Wilcoxon", expected, mean, sd, float(test.statistic), float(test.pvalue), len(differences))


def _differences(left: ArrayLike, right: ArrayLike, expected: str) -> Floats:
    if expected not in ("less", "greater"):
        raise ParameterError(f"paired test: expected must be 'less' or 'greater', got {expected!r}")
    ones, others = numbers(left, "paired test: left"), numbers(right, "paired test: right")
    if len(ones) != len(others):
        raise ParameterError(f"paired test: got {len(ones)} left and {len(others)} right values")
    if len(ones) < 2:
        raise ParameterError(f"paired test: expected at least two test sets, got {len(ones)}")
    return ones - others
