"""Siegel and Castellan's kappa: agreement of any number of raters, with chance from their pooled choices.

    κ = (P(A) − P(E)) / (1 − P(E)),  P(E) = Σ_j p_j²
    var κ = 2 / (N k (k − 1)) · [P(E) − (2k − 3) P(E)² + 2 (k − 2) Σ p_j³] / (1 − P(E))²      under κ = 0

N items, k raters, p_j the share of category j among all choices, P(A) the share of agreeing pairs of raters.
Siegel and Castellan (1988), as used by (Conrad 2006). [siegel1988, conrad2006]
"""

from __future__ import annotations

from dataclasses import dataclass
from math import erfc, sqrt
from typing import ClassVar, NamedTuple

import numpy as np

from samestory.lab.measures.data import Ratings
from samestory.lab.measures.data.base import Floats
from samestory.lab.measures.kappa import Kappa, band
from samestory.lab.measures.measure import share


class KappaTest(NamedTuple):
    """One-sided test of agreement above chance; kappa is above 0 at 5 % if z > 1.645."""

    kappa: float
    variance: float
    z: float
    p: float
    band: str


@dataclass(frozen=True)
class SiegelKappa(Kappa):
    """`siegel_kappa(over='pooled')`: agreement of any number of raters, over all items or averaged over queries."""

    name: ClassVar[str] = "siegel_kappa"
    formula: ClassVar[str] = "(P(A) − P(E)) / (1 − P(E)), P(E) = Σ p_j²"
    source: ClassVar[str] = "siegel1988, conrad2006"

    def counts(self, data: Ratings) -> Floats:
        """Return for every item: 1, the share of agreeing pairs of raters, and the share of every category."""
        chosen = np.zeros((len(data), data.categories))
        for rater in range(data.raters):
            chosen += data.counts(rater)
        agree = (chosen * (chosen - 1)).sum(axis=1) / (data.raters * (data.raters - 1))
        return np.column_stack([np.ones(len(data)), agree, chosen / data.raters])

    def kappa(self, totals: Floats) -> Floats:
        items, agree, shares = totals[..., 0], totals[..., 1], totals[..., 2:]
        chance = share((shares**2).sum(axis=-1), items**2)
        return share(share(agree, items) - chance, 1 - chance)

    def test(self, data: Ratings) -> KappaTest | None:
        """Test whether the pooled agreement is above chance; None where kappa is undefined.

        >>> table = [["yes", "yes"]] * 40 + [["no", "yes"]] * 10 + [["yes", "no"]] * 20 + [["no", "no"]] * 30
        >>> test = SiegelKappa().test(Ratings(table))
        >>> round(test.kappa, 6), round(test.z, 4), test.band
        (0.393939, 3.9002, 'fair')
        """
        kappa = SiegelKappa().point(data)
        if kappa is None:
            return None
        shares = np.bincount(data.chosen.ravel()) / data.chosen.size
        chance, cubes, raters = float((shares**2).sum()), float((shares**3).sum()), data.raters
        spread = chance - (2 * raters - 3) * chance**2 + 2 * (raters - 2) * cubes
        variance = 2 / (len(data) * raters * (raters - 1)) * spread / (1 - chance) ** 2
        z = kappa / sqrt(variance)
        return KappaTest(kappa, variance, z, erfc(z / sqrt(2)) / 2, band(kappa))
