"""Predictions: predicted and true numbers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from numpy.typing import NDArray

from samestory.lab.measures.data.base import Data, Floats, numbers


@dataclass(frozen=True, eq=False)
class Predictions(Data):
    """One row per prediction: the true and the predicted number; each is a unit unless units are given."""

    what: ClassVar[str] = "predictions"

    truth: Floats
    predicted: Floats
    units: Any = None

    def __post_init__(self) -> None:
        self._set("truth", numbers(self.truth, f"{self.what}: truth"))
        self._set("predicted", numbers(self.predicted, f"{self.what}: predicted"))
        self._same_lengths("truth", "predicted", "units")
        self._set("units", self._units(self.units, len(self.truth)))

    @property
    def drawn(self) -> str:
        return "single predictions" if self.count == len(self) else "predictions that belong together"

    def __len__(self) -> int:
        return len(self.truth)

    def gold_columns(self) -> tuple[NDArray[Any], ...]:
        return (self.truth,)
