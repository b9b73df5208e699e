"""The interface of measures: a formula over sums, and the sums run over units that the bootstrap can resample.

`tally` returns a row of numbers per unit, `value` is the formula on the summed row. A collection in which unit u
occurs w_u times has the sums `w @ tally`, so a thousand rounds of a bootstrap are one matrix product. Measures that
are no formula over sums (a ranking, an expectation over sizes) implement `on` themselves.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any, ClassVar, Generic, TypeVar

import numpy as np

from samestory.errors import ParameterError
from samestory.lab.measures.data.base import Data, Floats, Integers, sums
from samestory.specs import Spec

D = TypeVar("D", bound=Data)
#: Maps a row of unit weights per round to a value per round.
WeightedValue = Callable[[Floats], Floats]

#: The jackknife leaves out at most this many blocks: single units of 10,000 cost time and add no information.
MAX_JACKKNIFE_BLOCKS = 200


class Measure(Spec, ABC, Generic[D]):
    """A quality measure of a system's output. Subclasses are frozen dataclasses whose fields are the parameters."""

    unit: ClassVar[str]
    """What is counted: document, unordered pair, set, …"""
    formula: ClassVar[str]
    """The formula, for tables."""
    source: ClassVar[str]
    """The studies that define it, as keys of references.bib."""
    needs: ClassVar[tuple[type[Data], ...]]
    """The types of data it applies to."""
    best: ClassVar[float] = 1.0
    """The value of a perfect system."""

    @abstractmethod
    def on(self, data: D) -> WeightedValue:
        """Return the value on this data as a function of how often each unit occurs.

        The function maps a row of weights per round to a value per round, nan where undefined. Work that does not
        depend on the weights, such as sorting, is done once, here.
        """

    def point(self, data: D) -> float | None:
        """Return the value, None where it is undefined (0/0)."""
        self.accept(data)
        (value,) = self.on(data)(np.ones((1, data.count)))
        return None if np.isnan(value) else float(value)

    def left_out(self, data: D) -> Floats:
        """Return the jackknife values: without one unit, or one block of units, at a time."""
        blocks = min(data.count, MAX_JACKKNIFE_BLOCKS)
        block_of: Integers = np.arange(data.count) % max(blocks, 1)
        return self.on(data)((block_of != np.arange(blocks)[:, None]).astype(np.float64))

    def contributing_units(self, data: D) -> int:
        """Return how many units contribute to the value."""
        return data.count

    def unit_in(self, data: D) -> str:
        """Return what is counted in this data."""
        return self.unit

    def accept(self, data: Data) -> None:
        """Raise for data that the measure does not apply to."""
        if not isinstance(data, self.needs):
            wanted = " or ".join(cls.__name__ for cls in self.needs)
            raise ParameterError(f"{self.name}: expected {wanted}, got {type(data).__name__}")


class SumMeasure(Measure[D]):
    """A measure that is a formula over sums."""

    skips_undefined_units: ClassVar[bool] = False
    """Whether units in which the value is undefined do not contribute: many units have nothing to count."""

    @abstractmethod
    def tally(self, data: D) -> Floats:
        """Return one row of numbers per unit."""

    @abstractmethod
    def value(self, totals: Floats) -> Floats:
        """Apply the formula to summed rows: the last axis holds the numbers; nan where undefined."""

    def on(self, data: D) -> WeightedValue:
        tally = self.tally(data)
        return lambda weights: self.value(weights @ tally)

    def contributing_units(self, data: D) -> int:
        return int((~np.isnan(self.value(self.tally(data)))).sum()) if self.skips_undefined_units else data.count

    def left_out(self, data: D) -> Floats:
        # always one unit at a time: cheap for sums
        tally = self.tally(data)
        return self.value(tally.sum(axis=0) - tally)


def per_unit(data: Data, *columns: Any) -> Floats:
    """Sum columns of flags or numbers per unit; most tallies are this."""
    return np.stack([sums(data.units, column, data.count) for column in columns], axis=1)


def share(part: Any, whole: Any) -> Floats:
    """Return part / whole, nan where whole is 0."""
    with np.errstate(divide="ignore", invalid="ignore"):
        out: Floats = np.where(np.asarray(whole) == 0, np.nan, np.divide(part, whole))
    return out
