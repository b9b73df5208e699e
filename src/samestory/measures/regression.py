"""How well numbers were predicted.

    R² = 1 − Σ (y − ŷ)² / Σ (y − ȳ)²        MAE = mean |y − ŷ|        RMSE = √ mean (y − ŷ)²

R² is undefined where all y are the same. (Fomin 2017), for thresholds predicted from a day's news. [fomin2017]
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from samestory.measures.data import Predictions
from samestory.measures.data.base import Floats
from samestory.measures.measure import Summed, per_unit, share

#: A spread of y under this share of its squares is rounding, not spread.
ROUNDING = 1e-12


@dataclass(frozen=True)
class _Regression(Summed[Predictions]):
    unit: ClassVar[str] = "prediction"
    source: ClassVar[str] = "fomin2017"
    needs = (Predictions,)
    best: ClassVar[float] = 0.0

    def tally(self, data: Predictions) -> Floats:
        """How many; absolute and squared errors; y and its square."""
        error = data.truth - data.predicted
        # y is counted from its middle, where squares cancel least; all y alike gives exact zeros
        y = data.truth - (np.median(data.truth) if len(data) else 0.0)
        return per_unit(data, np.ones(len(data)), np.abs(error), error**2, y, y**2)


@dataclass(frozen=True)
class R2(_Regression):
    """`r2()`: the share of the spread that the predictions explain; below 0 if the mean would have done better."""

    name: ClassVar[str] = "r2"
    formula: ClassVar[str] = "1 − Σ (y − ŷ)² / Σ (y − ȳ)²"
    best: ClassVar[float] = 1.0

    def value(self, totals: Floats) -> Floats:
        """See the base."""
        count, _, squares, y, y_squares = np.moveaxis(totals, -1, 0)
        spread = y_squares - np.nan_to_num(share(y**2, count))
        return 1 - share(squares, np.where(spread <= ROUNDING * y_squares, 0.0, spread))


@dataclass(frozen=True)
class Mae(_Regression):
    """`mae()`: by how much a prediction is wrong, on average."""

    name: ClassVar[str] = "mae"
    formula: ClassVar[str] = "mean |y − ŷ|"

    def value(self, totals: Floats) -> Floats:
        """See the base."""
        return share(totals[..., 1], totals[..., 0])


@dataclass(frozen=True)
class Rmse(_Regression):
    """`rmse()`: the same, large errors weighing more."""

    name: ClassVar[str] = "rmse"
    formula: ClassVar[str] = "√ mean (y − ŷ)²"

    def value(self, totals: Floats) -> Floats:
        """See the base."""
        root: Floats = np.sqrt(share(totals[..., 2], totals[..., 0]))
        return root
