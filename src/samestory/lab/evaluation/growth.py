"""Growth of a count with the size of a collection: an exponent fitted to nested samples, and a prediction.

    count(n) = c · nᵇ

The samples are nested: an item counted in a sample of n articles remains in a subsample of m < n with probability
(m/n)ᵇ (a pair needs both of its articles: b = 2; an article absorbed by a standing text needs only itself: b = 1).
The counts are therefore a chain of binomials, whose likelihood yields b and its interval; treating them as independent
would overstate the precision.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

#: Pairs grow with the square of the articles, and no count of pairs grows faster.
MAX_EXPONENT = 2.0
EXPONENT_STEP = 0.005
#: Half the 95 % quantile of χ² with one degree of freedom: the log-likelihood drop at the ends of the interval.
LIKELIHOOD_DROP = 1.92
#: The predicted size, as a multiple of the largest sample.
PREDICTED_FACTOR = 10.0


@dataclass(frozen=True, slots=True)
class Growth:
    """The exponent of a count over the size of the collection, with its 95 % interval."""

    exponent: float
    low: float
    high: float

    def to_dict(self) -> dict[str, Any]:
        """Return the growth as a JSON object."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Prediction:
    """The predicted rate per thousand in a collection of `articles`, with its interval."""

    articles: int
    per_thousand: float
    low: float
    high: float

    def to_dict(self) -> dict[str, Any]:
        """Return the prediction as a JSON object."""
        return asdict(self)


def fit_growth(sizes: Sequence[int], counts: Sequence[int]) -> Growth | None:
    """Fit the exponent of counts in nested samples, smallest first; None where all counts are 0.

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
    """Predict the rate per thousand in a collection ten times as large, from the rate in this one.

    The bounds combine those of both intervals and are therefore conservative.

    >>> found = predict(Growth(2.0, 1.8, 2.0), 1000, 0.001, 0.002, 0.004)
    >>> found.articles, round(found.per_thousand, 3)
    (10000, 20.0)
    """

    def at(rate: float, exponent: float) -> float:
        return min(1000.0, 1000 * rate * float(PREDICTED_FACTOR ** (exponent - 1)))

    larger = round(articles * PREDICTED_FACTOR)
    return Prediction(larger, at(rate, growth.exponent), at(low, growth.low), at(high, growth.high))
