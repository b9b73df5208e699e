"""Accuracy of predicted numbers.

    R² = 1 − Σ (y − ŷ)² / Σ (y − ȳ)²        MAE = mean |y − ŷ|        RMSE = √ mean (y − ŷ)²

R² is undefined where all y are equal. (Fomin 2017), for thresholds predicted from a day's news. [fomin2017]
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from samestory.lab.measures.data import Predictions
from samestory.lab.measures.data.base import Floats
from samestory.lab.measures.measure import SumMeasure, per_unit, share

#: A spread of y below this share of its squares is rounding error.
SPREAD_TOLERANCE = 1e-12


@dataclass(frozen=True)
class _RegressionMeasure(SumMeasure[Predictions]):
    unit: ClassVar[str] = "prediction"
    source: ClassVar[str] = "fomin2017"
    needs = (Predictions,)
    best: ClassVar[float] = 0.0

    def tally(self, data: Predictions) -> Floats:
        """Return count, absolute and squared errors, y and its square, per unit."""
        error = data.truth - data.predicted
        # y is centred on its median, where squares cancel least; equal y become exact zeros
        y = data.truth - (np.median(data.truth) if len(data) else 0.0)
        return per_unit(data, np.ones(len(data)), np.abs(error), error**2, y, y**2)


@dataclass(frozen=True)
class R2(_RegressionMeasure):
    """`r2()`: the share of the spread that the predictions explain; below 0 if worse than predicting the mean."""

    name: ClassVar[str] = "r2"
    formula: ClassVar[str] = "1 − Σ (y − ŷ)² / Σ (y − ȳ)²"
    best: ClassVar[float] = 1.0

    def value(self, totals: Floats) -> Floats:
        count, _, squares, y, y_squares = np.moveaxis(totals, -1, 0)
        spread = y_squares - np.nan_to_num(share(y**2, count))
        return 1 - share(squares, np.where(spread <= SPREAD_TOLERANCE * y_squares, 0.0, spread))


@dataclass(frozen=True)
class Mae(_RegressionMeasure):
    """`mae()`: the mean absolute error of a prediction."""

    name: ClassVar[str] = "mae"
    formula: ClassVar[str] = "mean |y − ŷ|"

    def value(self, totals: Floats) -> Floats:
        return share(totals[..., 1], totals[..., 0])


@dataclass(frozen=True)
class Rmse(_RegressionMeasure):
    """`rmse()`: the root mean squared error, in which large errors weigh more."""

    name: ClassVar[str] = "rmse"
    formula: ClassVar[str] = "√ mean (y − ŷ)²"

    def value(self, totals: Floats) -> Floats:
        root: Floats = np.sqrt(share(totals[..., 2], totals[..., 0]))
        return root
