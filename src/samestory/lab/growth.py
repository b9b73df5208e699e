"""How a count grows with the size of a collection: an exponent from nested samples, and what it predicts.

    count(n) = c · nᵇ

The samples are nested: what is counted in the largest of n articles is still there in one of m < n with probability
(m/n)ᵇ (a pair needs both of its articles: b = 2; an article that a standing text absorbs needs only itself: b = 1).
So the counts are a chain of binomial ones, whose likelihood gives b and its interval; three independent counts would
claim to know more.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

#: Pairs grow with the square of the articles, and no count of pairs grows faster.
MAX_EXPONENT = 2.0
EXPONENT_STEP = 0.005
#: Half the 95 % quantile of χ² with one degree of freedom: how far the log likelihood may fall inside the interval.
LIKELIHOOD_DROP = 1.92
#: The size that is predicted, in sizes of the largest sample.
PREDICTED_TIMES = 10.0


@dataclass(frozen=True, slots=True)
class Growth:
    """The exponent of a count over the size of the collection, with its 95 % interval."""

    exponent: float
    low: float
    high: float

    def as_dict(self) -> dict[str, Any]:
        """The growth as it stands in a line of JSON."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Prediction:
    """The rate per thousand articles in a collection of `articles`, and how far it may reach."""

    articles: int
    per_thousand: float
    low: float
    high: float

    def as_dict(self) -> dict[str, Any]:
        """The prediction as it stands in a line of JSON."""
        return asdict(self)


def fit_growth(sizes: Sequence[int], counts: Sequence[int]) -> Growth | None:
    """The exponent of counts in nested samples, the smallest sample first; None where nothing was counted.

    >>> fit_growth([1000, 2000, 4000], [10, 40, 160]).exponent
    2.0
    >>> fit_growth([1000, 2000, 4000], [100, 200, 400]).exponent
    1.0
    """
    import numpy as np

    steps = [
        (m / n, min(few, many), many) for m, n, few, many in zip(sizes, sizes[1:], counts, counts[1:], strict=False)
    ]
    steps = [(ratio, few, many) for ratio, few, many in steps if ratio < 1 and many]
    if not steps:
        return None
    exponents = np.linspace(0.0, MAX_EXPONENT, round(MAX_EXPONENT / EXPONENT_STEP) + 1)
    likelihood = np.zeros(len(exponents))
    for ratio, few, many in steps:
        kept = ratio**exponents
        lost = np.log(np.maximum(1 - kept, np.finfo(np.float64).tiny))
        likelihood += few * np.log(kept) + (many - few) * lost
    best = int(likelihood.argmax())
    inside = exponents[likelihood >= likelihood[best] - LIKELIHOOD_DROP]
    return Growth(*(round(float(each), 3) for each in (exponents[best], inside.min(), inside.max())))


def predict(growth: Growth, articles: int, low: float, rate: float, high: float) -> Prediction:
    """The rate per thousand in a collection of ten times as many articles, from the rate in this one.

    The ends combine the ends of both intervals, and are the wider for it.

    >>> found = predict(Growth(2.0, 1.8, 2.0), 1000, 0.001, 0.002, 0.004)
    >>> found.articles, round(found.per_thousand, 3)
    (10000, 20.0)
    """

    def at(rate: float, exponent: float) -> float:
        return min(1000.0, 1000 * rate * float(PREDICTED_TIMES ** (exponent - 1)))

    larger = round(articles * PREDICTED_TIMES)
    return Prediction(larger, at(rate, growth.exponent), at(low, growth.low), at(high, growth.high))
