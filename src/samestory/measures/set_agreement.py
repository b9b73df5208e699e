"""Sets of duplicates in result lists: how many of those named are those that assessors named?

    precision = sets found that agree with a gold set / sets found        recall = gold sets that agree / gold sets

Two sets agree when they hold the same articles (`match='exact'`) or share two or more (`match='overlap'`); the study
does not say which, so report both. (Conrad 2006), Managing déjà vu. [conrad2006]
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from samestory.measures.data import Sets
from samestory.measures.data.base import Floats, sums
from samestory.measures.measure import Summed, share

Named = Sequence[frozenset[Hashable]]


@dataclass(frozen=True)
class _Sets(Summed[Sets]):
    unit: ClassVar[str] = "set"
    source: ClassVar[str] = "conrad2006"
    needs = (Sets,)

    match: str = "exact"

    def __post_init__(self) -> None:
        self._check_choice("match", "exact", "overlap")

    def tally(self, data: Sets) -> Floats:
        """Sets found that agree, sets found, gold sets that agree, gold sets."""
        agreeing = _same if self.match == "exact" else _overlapping
        rows = [
            (agreeing(found, gold), len(found), agreeing(gold, found), len(gold))
            for gold, found in zip(data.gold, data.found, strict=True)
        ]
        columns = np.array(rows, np.float64).reshape(len(rows), 4).T
        return np.stack([sums(data.units, column, data.count) for column in columns], axis=1)


def _same(these: Named, those: Named) -> int:
    wanted = set(those)
    return sum(one in wanted for one in these)


def _overlapping(these: Named, those: Named) -> int:
    holders: dict[Hashable, list[int]] = {}
    for number, members in enumerate(those):
        for article in members:
            holders.setdefault(article, []).append(number)
    return sum(
        any(times > 1 for times in Counter(number for article in one for number in holders.get(article, ())).values())
        for one in these
    )


@dataclass(frozen=True)
class SetPrecision(_Sets):
    """`set_precision(match='exact')`: the share of sets found that agree with a set of the assessors."""

    name: ClassVar[str] = "set_precision"
    formula: ClassVar[str] = "sets found that agree / sets found"

    def value(self, totals: Floats) -> Floats:
        """See the base."""
        return share(totals[..., 0], totals[..., 1])


@dataclass(frozen=True)
class SetRecall(_Sets):
    """`set_recall(match='exact')`: the share of the assessors' sets that agree with a set found."""

    name: ClassVar[str] = "set_recall"
    formula: ClassVar[str] = "gold sets that agree / gold sets"

    def value(self, totals: Floats) -> Floats:
        """See the base."""
        return share(totals[..., 2], totals[..., 3])
