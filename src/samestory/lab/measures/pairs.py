"""Pair level: the share of accepted pairs that are right, and of duplicate pairs that were accepted.

Unordered pairs for symmetric relations, ordered ones for containment. Groups are counted as all pairs inside a
group, from group sizes: a group of a thousand articles is 499,500 pairs, which are never enumerated.

An accepted pair without a judgement is wrong (`unjudged='wrong'`, strict) or left out (`unjudged='out'`,
condensed). With a pooled gold, precision is unbiased for the methods of the pool and recall too high for all of them by
one factor; a method from outside the pool is undervalued by the strict reading until its pairs are judged.
(Gibson 2007), (Varol 2012), (Fomin 2017). [gibson2007, varol2012, fomin2017]
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from samestory.lab.measures.data import GroupedArticles, JudgedPairs
from samestory.lab.measures.data.base import Floats, Integers
from samestory.lab.measures.f_measure import beta_parameter, f_measure
from samestory.lab.measures.measure import SumMeasure, per_unit, share
from samestory.specs import parameter

UNIT = "unordered pair"

PairData = JudgedPairs | GroupedArticles


def unit_of_pairs(data: PairData) -> str:
    """Return the unit: ordered or unordered pairs."""
    return "ordered pair" if isinstance(data, JudgedPairs) and data.ordered else UNIT


def tally_pairs(data: PairData) -> Floats:
    """Count pairs per unit: right and accepted, accepted, right, accepted but unjudged, judged; and articles of groups.

    The last column counts articles because all pairs of articles are no sum over units, but articles are.
    """
    if isinstance(data, GroupedArticles):
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
    """Return the number of pairs in groups of these sizes."""
    sizes = sizes.astype(np.float64)
    return sizes * (sizes - 1) / 2


def unjudged_parameter() -> Any:
    """Declares how accepted pairs without a judgement count."""
    return parameter("wrong", "accepted pairs without a judgement: 'wrong', or left 'out'", ("wrong", "out"))


def counts(totals: Floats, unjudged: str) -> tuple[Floats, Floats, Floats, Floats]:
    """Return hits, wrong, misses, and the other pairs, correctly not accepted."""
    hits, accepted, gold, never_judged, judged, articles = np.moveaxis(totals, -1, 0)
    wrong = accepted - hits
    others = judged + pairs_in(articles) - gold - wrong
    return hits, wrong + (never_judged if unjudged == "wrong" else 0), gold - hits, others


@dataclass(frozen=True)
class _PairMeasure(SumMeasure[JudgedPairs | GroupedArticles]):
    unit: ClassVar[str] = UNIT
    needs = (JudgedPairs, GroupedArticles)
    source: ClassVar[str] = "gibson2007, varol2012, fomin2017"

    def unit_in(self, data: PairData) -> str:
        return unit_of_pairs(data)

    def tally(self, data: PairData) -> Floats:
        return tally_pairs(data)


@dataclass(frozen=True)
class PairPrecision(_PairMeasure):
    """`pair_precision(unjudged='wrong')`: the share of accepted pairs that are right."""

    name: ClassVar[str] = "pair_precision"
    formula: ClassVar[str] = "hits / (hits + wrong)"
    skips_undefined_units: ClassVar[bool] = True

    unjudged: str = unjudged_parameter()

    def value(self, totals: Floats) -> Floats:
        hits, wrong, _, _ = counts(totals, self.unjudged)
        return share(hits, hits + wrong)


@dataclass(frozen=True)
class PairRecall(_PairMeasure):
    """`pair_recall()`: the share of duplicate pairs that were accepted."""

    name: ClassVar[str] = "pair_recall"
    formula: ClassVar[str] = "hits / (hits + misses)"
    skips_undefined_units: ClassVar[bool] = True

    def value(self, totals: Floats) -> Floats:
        hits, _, misses, _ = counts(totals, "out")
        return share(hits, hits + misses)


@dataclass(frozen=True)
class PairF(_PairMeasure):
    """`pair_f(beta=1, unjudged='wrong')`: harmonic mean of precision and recall, recall weighted beta times."""

    name: ClassVar[str] = "pair_f"
    formula: ClassVar[str] = "(1 + β²) hits / ((1 + β²) hits + β² misses + wrong)"
    skips_undefined_units: ClassVar[bool] = True

    beta: float = beta_parameter()
    unjudged: str = unjudged_parameter()

    def value(self, totals: Floats) -> Floats:
        hits, wrong, misses, _ = counts(totals, self.unjudged)
        return f_measure(hits, wrong, misses, self.beta)


@dataclass(frozen=True)
class PairMiss(_PairMeasure):
    """`pair_miss()`: the share of duplicate pairs that were not accepted."""

    name: ClassVar[str] = "pair_miss"
    formula: ClassVar[str] = "misses / (hits + misses)"
    skips_undefined_units: ClassVar[bool] = True
    best: ClassVar[float] = 0.0

    def value(self, totals: Floats) -> Floats:
        hits, _, misses, _ = counts(totals, "out")
        return share(misses, hits + misses)


@dataclass(frozen=True)
class PairFalseAlarm(_PairMeasure):
    """`pair_false_alarm(unjudged='wrong')`: the share of other pairs that were accepted."""

    name: ClassVar[str] = "pair_false_alarm"
    formula: ClassVar[str] = "wrong / (wrong + others)"
    best: ClassVar[float] = 0.0

    unjudged: str = unjudged_parameter()

    def value(self, totals: Floats) -> Floats:
        _, wrong, _, others = counts(totals, self.unjudged)
        return share(wrong, wrong + others)
