"""Extraction at page level: the share of pages with every block right.

(Gibson 2007) calls it document accuracy. [gibson2007]
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from samestory.lab.measures.data import LabelledBlocks
from samestory.lab.measures.data.base import Floats, sums
from samestory.lab.measures.measure import SumMeasure, share


@dataclass(frozen=True)
class PageAccuracy(SumMeasure[LabelledBlocks]):
    """`page_accuracy()`: the share of pages with every block right, whatever the label."""

    name: ClassVar[str] = "page_accuracy"
    unit: ClassVar[str] = "page"
    formula: ClassVar[str] = "pages without a wrong block / pages"
    source: ClassVar[str] = "gibson2007"
    needs = (LabelledBlocks,)

    def tally(self, data: LabelledBlocks) -> Floats:
        """Return the pages with every block right, and all pages, per unit."""
        wrong = np.bincount(data.page, data.gold != data.found)
        unit = np.zeros(len(wrong), np.int64)
        unit[data.page] = data.units
        columns = (wrong == 0, np.ones(len(wrong)))
        return np.stack([sums(unit, column, data.count) for column in columns], axis=1)

    def value(self, totals: Floats) -> Floats:
        return share(totals[..., 0], totals[..., 1])
