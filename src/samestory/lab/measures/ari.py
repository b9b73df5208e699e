"""Adjusted Rand index: agreement of two groupings about pairs, corrected for chance.

    ARI = (I − E) / ((A + B) / 2 − E),  E = A B / C2(n)

I, A and B count the pairs inside one group of both, of the gold, of the system; C2(n) are all pairs of articles.
Undefined where both groupings are all singletons, or one group: chance would agree too.
Hubert and Arabie (1985), as used by (Fomin 2017). [hubert1985, fomin2017]
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from samestory.lab.measures.data import GroupedArticles
from samestory.lab.measures.data.base import Floats
from samestory.lab.measures.measure import SumMeasure, share
from samestory.lab.measures.pairs import UNIT, pairs_in, tally_pairs


@dataclass(frozen=True)
class Ari(SumMeasure[GroupedArticles]):
    """`ari()`: agreement about pairs, 0 for chance and 1 for the same groups."""

    name: ClassVar[str] = "ari"
    unit: ClassVar[str] = UNIT
    formula: ClassVar[str] = "(I − E) / ((A + B) / 2 − E), E = A B / C2(n)"
    source: ClassVar[str] = "hubert1985, fomin2017"
    needs = (GroupedArticles,)

    def tally(self, data: GroupedArticles) -> Floats:
        return tally_pairs(data)

    def value(self, totals: Floats) -> Floats:
        both, found, gold, _, _, articles = np.moveaxis(totals, -1, 0)
        expected = share(gold * found, pairs_in(articles))
        return share(both - expected, (gold + found) / 2 - expected)
