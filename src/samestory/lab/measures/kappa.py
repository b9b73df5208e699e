"""Base of the kappas: agreement corrected for chance, pooled over all items or averaged over queries.

    κ = (P_a − P_c) / (1 − P_c)

Undefined where chance agreement is 1 because only one category was ever chosen. Such a query counts as full agreement
in the average (`unanimous='agree'`) or is left out of it (`unanimous='out'`).
(Conrad 2006) calls the pooled one "macro" and the average "micro", contrary to current usage. [conrad2006]
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from samestory.errors import ParameterError
from samestory.lab.measures.data import Ratings
from samestory.lab.measures.data.base import Floats, Integers, sums
from samestory.lab.measures.measure import SumMeasure, share
from samestory.specs import parameter

#: Landis and Koch (1977): the upper end of every band, and its name. [landis1977]
BANDS = (
    (0.0, "none"),
    (0.2, "slight"),
    (0.4, "fair"),
    (0.6, "moderate"),
    (0.8, "substantial"),
    (1.0, "almost perfect"),
)


@dataclass(frozen=True)
class Kappa(SumMeasure[Ratings]):
    """Agreement corrected for chance. Subclasses define the counts of an item, and the chance agreement."""

    unit: ClassVar[str] = "item"
    needs = (Ratings,)

    over: str = parameter("pooled", "of several queries: one kappa of all, or their mean", ("pooled", "mean"))
    unanimous: str = parameter("agree", "where all ratings are equal: agreement, or left out", ("agree", "out"))

    @abstractmethod
    def counts(self, data: Ratings) -> Floats:
        """Return a row of numbers per item."""

    @abstractmethod
    def kappa(self, totals: Floats) -> Floats:
        """Apply the formula to summed rows."""

    def tally(self, data: Ratings) -> Floats:
        """Return the counts of every unit; or the sum of its queries' kappas, and their number."""
        if self.over == "pooled":
            return _sums(self.counts(data), data.units, data.count)
        if data.query is None:
            raise ParameterError(f"{self.name}: for over='mean' every item needs a query")
        queries = int(data.query.max()) + 1 if len(data) else 0
        kappas = self.kappa(_sums(self.counts(data), data.query, queries))
        if self.unanimous == "agree":
            kappas = np.where(np.isnan(kappas), 1.0, kappas)
        defined = ~np.isnan(kappas)
        unit = np.zeros(queries, np.int64)
        unit[data.query] = data.units
        return _sums(np.column_stack([np.where(defined, kappas, 0.0), defined]), unit, data.count)

    def value(self, totals: Floats) -> Floats:
        return self.kappa(totals) if self.over == "pooled" else share(totals[..., 0], totals[..., 1])


def _sums(rows: Floats, places: Integers, count: int) -> Floats:
    return np.stack([sums(places, column, count) for column in rows.T], axis=1)


def band(kappa: float) -> str:
    """Return Landis and Koch's name for agreement of this strength.

    >>> band(0.40), band(0.73)
    ('fair', 'substantial')
    """
    return next((name for upper, name in BANDS if kappa <= upper), BANDS[-1][1])
