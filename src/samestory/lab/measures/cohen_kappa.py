"""Cohen's kappa: agreement of two raters corrected for chance, with separate category shares for each rater.

    κ = (P_a − P_c) / (1 − P_c),  P_c = Σ_j a_j b_j

a_j and b_j are the shares of category j among the choices of either rater.
Cohen (1960), as used by (Varol 2012). [cohen1960, varol2012]
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from samestory.errors import ParameterError
from samestory.lab.measures.data import Ratings
from samestory.lab.measures.data.base import Floats
from samestory.lab.measures.kappa import Kappa
from samestory.lab.measures.measure import share


@dataclass(frozen=True)
class CohenKappa(Kappa):
    """`cohen_kappa(over='pooled')`: agreement of two raters, over all items or averaged over queries."""

    name: ClassVar[str] = "cohen_kappa"
    formula: ClassVar[str] = "(P_a − P_c) / (1 − P_c), P_c = Σ a_j b_j"
    source: ClassVar[str] = "cohen1960, varol2012"

    def counts(self, data: Ratings) -> Floats:
        """Return for every item: 1, whether the raters agree, and the choices of each as indicators."""
        if data.raters != 2:
            raise ParameterError(
                f"{self.name}: expected two raters, got {data.raters}", hint="siegel_kappa supports any number"
            )
        items = np.ones(len(data))
        agree = data.chosen[:, 0] == data.chosen[:, 1]
        return np.column_stack([items, agree, data.counts(0), data.counts(1)]).astype(np.float64)

    def kappa(self, totals: Floats) -> Floats:
        items, agree = totals[..., 0], totals[..., 1]
        categories = (totals.shape[-1] - 2) // 2
        one, other = totals[..., 2 : 2 + categories], totals[..., 2 + categories :]
        chance = share((one * other).sum(axis=-1), items**2)
        return share(share(agree, items) - chance, 1 - chance)
