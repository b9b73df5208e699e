"""Sets of duplicates in result lists: agreement of the system's sets with the assessors'.

    precision = sets found that agree with a gold set / sets found        recall = gold sets that agree / gold sets

Two sets agree when they contain the same articles (`match='exact'`) or share two or more (`match='overlap'`); the study
does not specify which, so report both. (Conrad 2006), Managing déjà vu. [conrad2006]
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from samestory.lab.measures.data import DuplicateSets
from samestory.lab.measures.data.base import Floats, sums
from samestory.lab.measures.measure import SumMeasure, share
from samestory.specs import parameter

SetList = Sequence[frozenset[Hashable]]


@dataclass(frozen=True)
class _SetMeasure(SumMeasure[DuplicateSets]):
    unit: ClassVar[str] = "set"
    source: ClassVar[str] = "conrad2006"
    needs = (DuplicateSets,)

    match: str = parameter("exact", "when sets agree: equal, or with a common article", ("exact", "overlap"))

    def tally(self, data: DuplicateSets) -> Floats:
        """Return per unit: found sets that agree, found sets, gold sets that agree, gold sets."""
        agreeing = _same if self.match == "exact" else _overlapping
        rows = [
            (agreeing(found, gold), len(found), agreeing(gold, found), len(gold))
            for gold, found in zip(data.gold, data.found, strict=True)
        ]
        columns = np.array(rows, np.float64).reshape(len(rows), 4).T
        return np.stack([sums(data.units, column, data.count) for column in columns], axis=1)


def _same(these: SetList, those: SetList) -> int:
    expected = set(those)
    return sum(one in expected for one in these)


def _overlapping(these: SetList, those: SetList) -> int:
    holders: dict[Hashable, list[int]] = {}
    for number, members in enumerate(those):
        for article in members:
            holders.setdefault(article, []).append(number)
    return sum(
        any(times > 1 for times in Counter(number for article in one for number in holders.get(article, ())).values())
        for one in these
    )


@dataclass(frozen=True)
class SetPrecision(_SetMeasure):
    """`set_precision(match='exact')`: the share of found sets that agree with a set of the assessors."""

    name: ClassVar[str] = "set_precision"
    formula: ClassVar[str] = "sets found that agree / sets found"

    def value(self, totals: Floats) -> Floats:
        return share(totals[..., 0], totals[..., 1])


@dataclass(frozen=True)
class SetRecall(_SetMeasure):
    """`set_recall(match='exact')`: the share of the assessors' sets that agree with a found set."""

    name: ClassVar[str] = "set_recall"
    formula: ClassVar[str] = "gold sets that agree / gold sets"

    def value(self, totals: Floats) -> Floats:
        return share(totals[..., 2], totals[..., 3])
