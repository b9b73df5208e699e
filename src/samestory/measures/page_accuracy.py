"""Extraction, page by page: the share of pages with every block right.

(Gibson 2007) calls it document accuracy. [gibson2007]
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from samestory.measures.data import Blocks
from samestory.measures.data.base import Floats, sums
from samestory.measures.measure import Summed, share


@dataclass(frozen=True)
class PageAccuracy(Summed[Blocks]):
    """`page_accuracy()`: the share of pages with every block right, whatever the label."""

    name: ClassVar[str] = "page_accuracy"
    unit: ClassVar[str] = "page"
    formula: ClassVar[str] = "pages without a wrong block / pages"
    source: ClassVar[str] = "gibson2007"
    needs = (Blocks,)

    def tally(self, data: Blocks) -> Floats:
        """Pages that are all right, and pages."""
        wrong = np.bincount(data.page, data.gold != data.found)
        unit = np.zeros(len(wrong), np.int64)
        unit[data.page] = data.units
        columns = (wrong == 0, np.ones(len(wrong)))
        return np.stack([sums(unit, column, data.count) for column in columns], axis=1)

    def value(self, totals: Floats) -> Floats:
        """See the base."""
        return share(totals[..., 0], totals[..., 1])
