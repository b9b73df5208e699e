"""Duplicate cost: the combined cost of misses and false alarms, as in topic detection and tracking.

    C = cost_false · F · (1 − p) + cost_miss · M · p          C_norm = C / min(cost_miss · p, cost_false · (1 − p))

M is the miss rate, F the false-alarm rate, p the share of duplicates. Normalised, a perfect system costs 0, one that
flags nothing 1, and with p = 0.07 one that flags everything 13.29: a hidden story is never noticed.
(Uyar 2009). [uyar2009]
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from samestory.errors import ParameterError
from samestory.lab.measures.data import FlaggedArticles, GroupedArticles, JudgedPairs
from samestory.lab.measures.data.base import Floats
from samestory.lab.measures.documents import table
from samestory.lab.measures.measure import D, SumMeasure, share
from samestory.lab.measures.pairs import UNIT, counts, tally_pairs, unit_of_pairs, unjudged_parameter
from samestory.specs import SHARE, Range, parameter

#: The share of duplicate documents in the study.
DUPLICATE_SHARE = 0.07


@dataclass(frozen=True)
class _CostMeasure(SumMeasure[D]):
    best: ClassVar[float] = 0.0
    source: ClassVar[str] = "uyar2009"
    formula: ClassVar[str] = "(cost_false F (1 − p) + cost_miss M p) / min(cost_miss p, cost_false (1 − p))"

    p: float | str = DUPLICATE_SHARE
    cost_miss: float = parameter(1.0, "cost of a miss", Range(0, 1e9))
    cost_false: float = parameter(1.0, "cost of a false alarm", Range(0, 1e9))
    normalised: bool = parameter(True, "divide by the cost of the better of two constant answers")

    def __post_init__(self) -> None:
        super().__post_init__()
        if isinstance(self.p, str):
            if self.p != "gold":
                raise ParameterError(f"{self.name}: p must be between 0 and 1, or 'gold', got {self.p!r}")
        else:
            self._check("p", SHARE)
            if not 0 < self.p < 1:
                raise ParameterError(f"{self.name}: p must be between 0 and 1, or 'gold', got {self.p!r}")
        for name in ("cost_miss", "cost_false"):
            if not getattr(self, name):
                raise ParameterError(f"{self.name}: {name} must be more than 0, got 0")

    def _cost(self, hits: Floats, wrong: Floats, misses: Floats, others: Floats) -> Floats:
        miss, false_alarm = share(misses, hits + misses), share(wrong, wrong + others)
        p = share(hits + misses, hits + wrong + misses + others) if self.p == "gold" else np.float64(self.p)
        cost = self.cost_false * false_alarm * (1 - p) + self.cost_miss * miss * p
        return share(cost, np.minimum(self.cost_miss * p, self.cost_false * (1 - p))) if self.normalised else cost


@dataclass(frozen=True)
class CDup(_CostMeasure[FlaggedArticles]):
    """`c_dup(p=0.07)`: the cost of articles missed and articles wrongly flagged; `p='gold'` takes p from the gold."""

    name: ClassVar[str] = "c_dup"
    unit: ClassVar[str] = "document"
    needs = (FlaggedArticles,)

    def tally(self, data: FlaggedArticles) -> Floats:
        """Return the four counts a, b, c, d per unit."""
        return table(data)

    def value(self, totals: Floats) -> Floats:
        return self._cost(totals[..., 0], totals[..., 1], totals[..., 2], totals[..., 3])


@dataclass(frozen=True)
class PairCDup(_CostMeasure[JudgedPairs | GroupedArticles]):
    """`pair_c_dup(p=0.07)`: the same cost, of pairs; for thresholds, since only pairs have scores."""

    name: ClassVar[str] = "pair_c_dup"
    unit: ClassVar[str] = UNIT
    needs = (JudgedPairs, GroupedArticles)

    unjudged: str = unjudged_parameter()

    def unit_in(self, data: JudgedPairs | GroupedArticles) -> str:
        return unit_of_pairs(data)

    def tally(self, data: JudgedPairs | GroupedArticles) -> Floats:
        return tally_pairs(data)

    def value(self, totals: Floats) -> Floats:
        return self._cost(*counts(totals, self.unjudged))
