"""Extraction at block level: which blocks of a page are the article.

Precision, recall and F of one label. (Gibson 2007), Identification of duplicate news stories in web pages. [gibson2007]
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from samestory.errors import ParameterError
from samestory.lab.measures.data import LabelledBlocks
from samestory.lab.measures.data.base import Floats
from samestory.lab.measures.f_measure import beta_parameter, f_measure
from samestory.lab.measures.measure import SumMeasure, per_unit, share


@dataclass(frozen=True)
class _BlockMeasure(SumMeasure[LabelledBlocks]):
    unit: ClassVar[str] = "block"
    source: ClassVar[str] = "gibson2007"
    needs = (LabelledBlocks,)

    label: str = "CONTENT"

    def __post_init__(self) -> None:
        super().__post_init__()
        if not isinstance(self.label, str):
            raise ParameterError(f"{self.name}: label must be a text, got {self.label!r}")

    def tally(self, data: LabelledBlocks) -> Floats:
        """Return hits, wrong and missed blocks of the label per unit."""
        gold, found = data.gold == self.label, data.found == self.label
        return per_unit(data, gold & found, ~gold & found, gold & ~found)


@dataclass(frozen=True)
class BlockPrecision(_BlockMeasure):
    """`block_precision(label='CONTENT')`: the share of blocks predicted with the label that have it."""

    name: ClassVar[str] = "block_precision"
    formula: ClassVar[str] = "hits / (hits + wrong)"

    def value(self, totals: Floats) -> Floats:
        return share(totals[..., 0], totals[..., 0] + totals[..., 1])


@dataclass(frozen=True)
class BlockRecall(_BlockMeasure):
    """`block_recall(label='CONTENT')`: the share of blocks with the label that were predicted with it."""

    name: ClassVar[str] = "block_recall"
    formula: ClassVar[str] = "hits / (hits + misses)"

    def value(self, totals: Floats) -> Floats:
        return share(totals[..., 0], totals[..., 0] + totals[..., 2])


@dataclass(frozen=True)
class BlockF(_BlockMeasure):
    """`block_f(label='CONTENT', beta=1)`: harmonic mean of precision and recall, recall weighted beta times."""

    name: ClassVar[str] = "block_f"
    formula: ClassVar[str] = "(1 + β²) hits / ((1 + β²) hits + β² misses + wrong)"

    beta: float = beta_parameter()

    def value(self, totals: Floats) -> Floats:
        return f_measure(totals[..., 0], totals[..., 1], totals[..., 2], self.beta)
