"""Extraction, block by block: which blocks of a page are the article?

Precision, recall and F of one label. (Gibson 2007), Identification of duplicate news stories in web pages. [gibson2007]
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from samestory.errors import ParameterError
from samestory.measures.data import Blocks
from samestory.measures.data.base import Floats
from samestory.measures.f_measure import f_measure
from samestory.measures.measure import Summed, per_unit, share


@dataclass(frozen=True)
class _Blocks(Summed[Blocks]):
    unit: ClassVar[str] = "block"
    source: ClassVar[str] = "gibson2007"
    needs = (Blocks,)

    label: str = "CONTENT"

    def __post_init__(self) -> None:
        if not isinstance(self.label, str):
            raise ParameterError(f"{self.name}: label must be a text, got {self.label!r}")

    def tally(self, data: Blocks) -> Floats:
        """Blocks rightly, wrongly and not given the label."""
        gold, found = data.gold == self.label, data.found == self.label
        return per_unit(data, gold & found, ~gold & found, gold & ~found)


@dataclass(frozen=True)
class BlockPrecision(_Blocks):
    """`block_precision(label='CONTENT')`: the share of blocks given the label that have it."""

    name: ClassVar[str] = "block_precision"
    formula: ClassVar[str] = "hits / (hits + wrong)"

    def value(self, totals: Floats) -> Floats:
        """See the base."""
        return share(totals[..., 0], totals[..., 0] + totals[..., 1])


@dataclass(frozen=True)
class BlockRecall(_Blocks):
    """`block_recall(label='CONTENT')`: the share of blocks with the label that were given it."""

    name: ClassVar[str] = "block_recall"
    formula: ClassVar[str] = "hits / (hits + misses)"

    def value(self, totals: Floats) -> Floats:
        """See the base."""
        return share(totals[..., 0], totals[..., 0] + totals[..., 2])


@dataclass(frozen=True)
class BlockF(_Blocks):
    """`block_f(label='CONTENT', beta=1)`: both in one, recall weighing beta times as much."""

    name: ClassVar[str] = "block_f"
    formula: ClassVar[str] = "(1 + β²) hits / ((1 + β²) hits + β² misses + wrong)"

    beta: float = 1.0

    def __post_init__(self) -> None:
        super().__post_init__()
        self._check("beta", 0, 1000)

    def value(self, totals: Floats) -> Floats:
        """See the base."""
        return f_measure(totals[..., 0], totals[..., 1], totals[..., 2], self.beta)
