"""Document level: is an article a duplicate of anything, and was it flagged as one?

                    duplicate   not duplicate
    flagged             a             b
    not flagged         c             d

An article is flagged when the system puts it into a group of two or more.
(Uyar 2009), Near-duplicate news detection using named entities. [uyar2009]
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from samestory.measures.data import Flagged
from samestory.measures.data.base import Floats
from samestory.measures.f_measure import f_measure
from samestory.measures.measure import Summed, per_unit, share


class _Documents(Summed[Flagged]):
    unit: ClassVar[str] = "document"
    needs = (Flagged,)
    source: ClassVar[str] = "uyar2009"

    def tally(self, data: Flagged) -> Floats:
        """The four numbers a, b, c, d."""
        return table(data)


def table(data: Flagged) -> Floats:
    """The four numbers a, b, c, d for every unit."""
    gold, found = data.gold, data.found
    return per_unit(data, gold & found, ~gold & found, gold & ~found, ~gold & ~found)


@dataclass(frozen=True)
class DocMiss(_Documents):
    """`doc_miss()`: the share of duplicates that were not flagged."""

    name: ClassVar[str] = "doc_miss"
    formula: ClassVar[str] = "c / (a + c)"
    of_few: ClassVar[bool] = True
    best: ClassVar[float] = 0.0

    def value(self, totals: Floats) -> Floats:
        """See the base."""
        return share(totals[..., 2], totals[..., 0] + totals[..., 2])


@dataclass(frozen=True)
class DocFalseAlarm(_Documents):
    """`doc_false_alarm()`: the share of other articles that were flagged all the same."""

    name: ClassVar[str] = "doc_false_alarm"
    formula: ClassVar[str] = "b / (b + d)"
    best: ClassVar[float] = 0.0

    def value(self, totals: Floats) -> Floats:
        """See the base."""
        return share(totals[..., 1], totals[..., 1] + totals[..., 3])


@dataclass(frozen=True)
class DocPrecision(_Documents):
    """`doc_precision()`: the share of flagged articles that are duplicates."""

    name: ClassVar[str] = "doc_precision"
    formula: ClassVar[str] = "a / (a + b)"
    of_few: ClassVar[bool] = True

    def value(self, totals: Floats) -> Floats:
        """See the base."""
        return share(totals[..., 0], totals[..., 0] + totals[..., 1])


@dataclass(frozen=True)
class DocRecall(_Documents):
    """`doc_recall()`: the share of duplicates that were flagged."""

    name: ClassVar[str] = "doc_recall"
    formula: ClassVar[str] = "a / (a + c)"
    of_few: ClassVar[bool] = True

    def value(self, totals: Floats) -> Floats:
        """See the base."""
        return share(totals[..., 0], totals[..., 0] + totals[..., 2])


@dataclass(frozen=True)
class DocF(_Documents):
    """`doc_f(beta=1)`: precision and recall in one, recall weighing beta times as much."""

    name: ClassVar[str] = "doc_f"
    formula: ClassVar[str] = "(1 + β²) a / ((1 + β²) a + β² c + b)"
    of_few: ClassVar[bool] = True

    beta: float = 1.0

    def __post_init__(self) -> None:
        self._check("beta", 0, 1000)

    def value(self, totals: Floats) -> Floats:
        """See the base."""
        return f_measure(totals[..., 0], totals[..., 1], totals[..., 2], self.beta)
