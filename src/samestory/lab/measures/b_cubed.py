"""B-cubed: the purity of an article's group, and the share of its story in that group, averaged over articles.

    P_d = |found(d) ∩ gold(d)| / |found(d)|        R_d = |found(d) ∩ gold(d)| / |gold(d)|

d itself counts, singletons are included, and F is that of the two averages. All n_ij articles in both gold group i and
found group j have the same two shares, so the sums run over the contingency table.
Bagga and Baldwin (1998), as used by (Gibson 2007). [bagga1998, gibson2007]
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from samestory.lab.measures.data import GroupedArticles
from samestory.lab.measures.data.base import Floats
from samestory.lab.measures.f_measure import beta_parameter
from samestory.lab.measures.measure import SumMeasure, share


@dataclass(frozen=True)
class _BCubedMeasure(SumMeasure[GroupedArticles]):
    unit: ClassVar[str] = "document"
    needs = (GroupedArticles,)
    source: ClassVar[str] = "bagga1998, gibson2007"

    def tally(self, data: GroupedArticles) -> Floats:
        """Return the sum of precisions, the sum of recalls, and the number of articles per unit."""
        gold, found, both = data.cells
        units, squares = data.gold_units[gold], both.astype(np.float64) ** 2
        columns = [squares / data.found_sizes[found], squares / data.gold_sizes[gold], both]
        return np.stack([data.per_unit(units, column) for column in columns], axis=1)


@dataclass(frozen=True)
class BCubedPrecision(_BCubedMeasure):
    """`b_cubed_precision()`: the mean purity of an article's group."""

    name: ClassVar[str] = "b_cubed_precision"
    formula: ClassVar[str] = "mean of |found(d) ∩ gold(d)| / |found(d)|"

    def value(self, totals: Floats) -> Floats:
        return share(totals[..., 0], totals[..., 2])


@dataclass(frozen=True)
class BCubedRecall(_BCubedMeasure):
    """`b_cubed_recall()`: the mean share of an article's story that is in its group."""

    name: ClassVar[str] = "b_cubed_recall"
    formula: ClassVar[str] = "mean of |found(d) ∩ gold(d)| / |gold(d)|"

    def value(self, totals: Floats) -> Floats:
        return share(totals[..., 1], totals[..., 2])


@dataclass(frozen=True)
class BCubed(_BCubedMeasure):
    """`b_cubed(beta=1)`: F of the two averages, recall weighted beta times."""

    name: ClassVar[str] = "b_cubed"
    formula: ClassVar[str] = "(1 + β²) P R / (β² P + R)"

    beta: float = beta_parameter()

    def value(self, totals: Floats) -> Floats:
        precision, recall = share(totals[..., 0], totals[..., 2]), share(totals[..., 1], totals[..., 2])
        return share((1 + self.beta**2) * precision * recall, self.beta**2 * precision + recall)
