"""Pair level: of the pairs accepted, how many are right; of the pairs to be found, how many were found?

Unordered pairs for symmetric relations, ordered ones for containment. Grouped articles are pairs too, all those inside
a group, counted from group sizes: a thousand articles in a group are 499,500 pairs that nobody lists.

A pair the system accepts and nobody judged is wrong (`unjudged='wrong'`, strict) or left out (`unjudged='out'`,
condensed). With a pooled gold, precision is right for the methods of the pool and recall too high for all of them by
one factor; a method from outside the pool is undervalued by the strict reading until its pairs are judged.
(Gibson 2007), (Varol 2012), (Fomin 2017). [gibson2007, varol2012, fomin2017]
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from samestory.measures.data import Grouped, JudgedPairs
from samestory.measures.data.base import Floats, Integers
from samestory.measures.f_measure import f_measure
from samestory.measures.measure import Summed, per_unit, share

UNIT = "unordered pair"

Paired = JudgedPairs | Grouped


def unit_of_pairs(data: Paired) -> str:
    """Ordered or unordered pairs."""
    return "ordered pair" if isinstance(data, JudgedPairs) and data.ordered else UNIT


def tally_pairs(data: Paired) -> Floats:
    """Pairs both right and accepted, accepted, right, accepted but never judged, judged; articles, if all pairs count.

    Articles stand in the last column because pairs of articles are no sum over units, and articles are.
    """
    if isinstance(data, Grouped):
        gold, _, both = data.cells
        columns = [
            data.per_unit(data.gold_units[gold], pairs_in(both)),
            data.per_unit(data.found_units, pairs_in(data.found_sizes)),
            data.per_unit(data.gold_units, pairs_in(data.gold_sizes)),
            np.zeros(data.count),
            np.zeros(data.count),
            data.per_unit(data.gold_units, data.gold_sizes),
        ]
        return np.stack(columns, axis=1)
    accepted, judged = data.accepts(), data.judged
    none = np.zeros(len(data), np.bool_)
    return per_unit(data, data.gold & accepted, accepted & judged, data.gold, accepted & ~judged, judged, none)


def pairs_in(sizes: Integers) -> Floats:
    """How many pairs there are in groups of these sizes."""
    sizes = sizes.astype(np.float64)
    return sizes * (sizes - 1) / 2


def counts(totals: Floats, unjudged: str) -> tuple[Floats, Floats, Floats, Floats]:
    """Hits, wrong, misses, and the others that were rightly not accepted."""
    hits, accepted, gold, never_judged, judged, articles = np.moveaxis(totals, -1, 0)
    wrong = accepted - hits
    others = judged + pairs_in(articles) - gold - wrong
    return hits, wrong + (never_judged if unjudged == "wrong" else 0), gold - hits, others


@dataclass(frozen=True)
class _Pairs(Summed[JudgedPairs | Grouped]):
    unit: ClassVar[str] = UNIT
    needs = (JudgedPairs, Grouped)
    source: ClassVar[str] = "gibson2007, varol2012, fomin2017"

    def unit_in(self, data: Paired) -> str:
        """See the base."""
        return unit_of_pairs(data)

    def tally(self, data: Paired) -> Floats:
        """See `tally_pairs`."""
        return tally_pairs(data)


@dataclass(frozen=True)
class PairPrecision(_Pairs):
    """`pair_precision(unjudged='wrong')`: the share of accepted pairs that are right."""

    name: ClassVar[str] = "pair_precision"
    formula: ClassVar[str] = "hits / (hits + wrong)"
    of_few: ClassVar[bool] = True

    unjudged: str = "wrong"

    def __post_init__(self) -> None:
        self._check_choice("unjudged", "wrong", "out")

    def value(self, totals: Floats) -> Floats:
        """See the base."""
        hits, wrong, _, _ = counts(totals, self.unjudged)
        return share(hits, hits + wrong)


@dataclass(frozen=True)
class PairRecall(_Pairs):
    """`pair_recall()`: the share of the pairs to be found that were accepted."""

    name: ClassVar[str] = "pair_recall"
    formula: ClassVar[str] = "hits / (hits + misses)"
    of_few: ClassVar[bool] = True

    def value(self, totals: Floats) -> Floats:
        """See the base."""
        hits, _, misses, _ = counts(totals, "out")
        return share(hits, hits + misses)


@dataclass(frozen=True)
class PairF(_Pairs):
    """`pair_f(beta=1, unjudged='wrong')`: precision and recall in one, recall weighing beta times as much."""

    name: ClassVar[str] = "pair_f"
    formula: ClassVar[str] = "(1 + β²) hits / ((1 + β²) hits + β² misses + wrong)"
    of_few: ClassVar[bool] = True

    beta: float = 1.0
    unjudged: str = "wrong"

    def __post_init__(self) -> None:
        self._check("beta", 0, 1000)
        self._check_choice("unjudged", "wrong", "out")

    def value(self, totals: Floats) -> Floats:
        """See the base."""
        hits, wrong, misses, _ = counts(totals, self.unjudged)
        return f_measure(hits, wrong, misses, self.beta)


@dataclass(frozen=True)
class PairMiss(_Pairs):
    """`pair_miss()`: the share of the pairs to be found that were not accepted."""

    name: ClassVar[str] = "pair_miss"
    formula: ClassVar[str] = "misses / (hits + misses)"
    of_few: ClassVar[bool] = True
    best: ClassVar[float] = 0.0

    def value(self, totals: Floats) -> Floats:
        """See the base."""
        hits, _, misses, _ = counts(totals, "out")
        return share(misses, hits + misses)


@dataclass(frozen=True)
class PairFalseAlarm(_Pairs):
    """`pair_false_alarm(unjudged='wrong')`: the share of all other pairs that were accepted."""

    name: ClassVar[str] = "pair_false_alarm"
    formula: ClassVar[str] = "wrong / (wrong + others)"
    best: ClassVar[float] = 0.0

    unjudged: str = "wrong"

    def __post_init__(self) -> None:
        self._check_choice("unjudged", "wrong", "out")

    def value(self, totals: Floats) -> Floats:
        """See the base."""
        _, wrong, _, others = counts(totals, self.unjudged)
        return share(wrong, wrong + others)
