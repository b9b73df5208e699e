"""Document level: whether an article is a duplicate of any other, and whether it was flagged as one.

                    duplicate   not duplicate
    flagged             a             b
    not flagged         c             d

An article is flagged when the system puts it into a group of two or more.
(Uyar 2009), Near-duplicate news detection using named entities. [uyar2009]
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from samestory.lab.measures.data import FlaggedArticles
from samestory.lab.measures.data.base import Floats
from samestory.lab.measures.f_measure import beta_parameter, f_measure
from samestory.lab.measures.measure import SumMeasure, per_unit, share


class _DocumentMeasure(SumMeasure[FlaggedArticles]):
    unit: ClassVar[str] = "document"
    needs = (FlaggedArticles,)
    source: ClassVar[str] = "uyar2009"

    def tally(self, data: FlaggedArticles) -> Floats:
        return table(data)


def table(data: FlaggedArticles) -> Floats:
    """Return the four counts a, b, c, d per unit."""
    gold, found = data.gold, data.found
    return per_unit(data, gold & found, ~gold & found, gold & ~found, ~gold & ~found)


@dataclass(frozen=True)
class DocMiss(_DocumentMeasure):
    """`doc_miss()`: the share of duplicates that were not flagged."""

    name: ClassVar[str] = "doc_miss"
    formula: ClassVar[str] = "c / (a + c)"
    skips_undefined_units: ClassVar[bool] = True
    best: ClassVar[float] = 0.0

    def value(self, totals: Floats) -> Floats:
        return share(totals[..., 2], totals[..., 0] + totals[..., 2])


@dataclass(frozen=True)
class DocFalseAlarm(_DocumentMeasure):
    """`doc_false_alarm()`: the share of other articles that were flagged."""

    name: ClassVar[str] = "doc_false_alarm"
    formula: ClassVar[str] = "b / (b + d)"
    best: ClassVar[float] = 0.0

    def value(self, totals: Floats) -> Floats:
        return share(totals[..., 1], totals[..., 1] + totals[..., 3])


@dataclass(frozen=True)
class DocPrecision(_DocumentMeasure):
    """`doc_precision()`: the share of flagged articles that are duplicates."""

    name: ClassVar[str] = "doc_precision"
    formula: ClassVar[str] = "a / (a + b)"
    skips_undefined_units: ClassVar[bool] = True

    def value(self, totals: Floats) -> Floats:
        return share(totals[..., 0], totals[..., 0] + totals[..., 1])


@dataclass(frozen=True)
class DocRecall(_DocumentMeasure):
    """`doc_recall()`: the share of duplicates that were flagged."""

    name: ClassVar[str] = "doc_recall"
    formula: ClassVar[str] = "a / (a + c)"
    skips_undefined_units: ClassVar[bool] = True

    def value(self, totals: Floats) -> Floats:
        return share(totals[..., 0], totals[..., 0] + totals[..., 2])


@dataclass(frozen=True)
class DocF(_DocumentMeasure):
    """`doc_f(beta=1)`: harmonic mean of precision and recall, recall weighted beta times."""

    name: ClassVar[str] = "doc_f"
    formula: ClassVar[str] = "(1 + β²) a / ((1 + β²) a + β² c + b)"
    skips_undefined_units: ClassVar[bool] = True

    beta: float = beta_parameter()

    def value(self, totals: Floats) -> Floats:
        return f_measure(totals[..., 0], totals[..., 1], totals[..., 2], self.beta)
