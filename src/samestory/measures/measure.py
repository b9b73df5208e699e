"""The one interface: a measure is a formula over sums, and the sums run over units that can be drawn again.

`tally` gives a row of numbers for every unit, `value` is the formula on the summed row. A collection in which unit u
occurs w_u times has the sums `w @ tally`, so a thousand rounds of a bootstrap are one matrix product. Measures that
are no formula over sums (a ranking, an expectation over sizes) say themselves what a weighted collection is worth.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any, ClassVar, Generic, TypeVar

import numpy as np

from samestory.errors import ParameterError
from samestory.measures.data.base import Data, Floats, Integers, sums
from samestory.specs import Spec

D = TypeVar("D", bound=Data)
Weighted = Callable[[Floats], Floats]

#: Leaving out one unit of 10,000 at a time costs more than it tells: more than this many are left out in blocks.
BLOCKS = 200


class Measure(Spec, ABC, Generic[D]):
    """What a system's output is worth. Subclasses are frozen dataclasses: their fields are the parameters."""

    unit: ClassVar[str]
    """What is counted: document, unordered pair, set, …"""
    formula: ClassVar[str]
    """The formula, for tables."""
    source: ClassVar[str]
    """The study it is taken from."""
    needs: ClassVar[tuple[type[Data], ...]]
    """The data it can be taken of."""
    best: ClassVar[float] = 1.0
    """The value of a perfect system."""

    @abstractmethod
    def on(self, data: D) -> Weighted:
        """The value on this data, as a function of how often each unit occurs.

        The function takes a row of weights a round and gives a value a round, nan where undefined. What does not
        depend on the weights, such as sorting, is done once, here.
        """

    def point(self, data: D) -> float | None:
        """The value, None where it is undefined (0/0)."""
        self.accept(data)
        (value,) = self.on(data)(np.ones((1, data.count)))
        return None if np.isnan(value) else float(value)

    def left_out(self, data: D) -> Floats:
        """The values without one unit, or one block of units, at a time."""
        blocks = min(data.count, BLOCKS)
        block_of: Integers = np.arange(data.count) % max(blocks, 1)
        return self.on(data)((block_of != np.arange(blocks)[:, None]).astype(np.float64))

    def carriers(self, data: D) -> int:
        """How many units the value is taken of."""
        return data.count

    def unit_in(self, data: D) -> str:
        """What is counted in this data."""
        return self.unit

    def accept(self, data: Data) -> None:
        """Refuses data that it cannot be taken of."""
        if not isinstance(data, self.needs):
            wanted = " or ".join(cls.__name__ for cls in self.needs)
            raise ParameterError(f"{self.name}: wanted is {wanted}, got {type(data).__name__}")


class Summed(Measure[D]):
    """A measure that is a formula over sums."""

    of_few: ClassVar[bool] = False
    """A share of something that many units have none of: those in which it is undefined carry nothing."""

    @abstractmethod
    def tally(self, data: D) -> Floats:
        """One row of numbers for every unit."""

    @abstractmethod
    def value(self, totals: Floats) -> Floats:
        """The formula, on summed rows: the last axis holds the numbers; nan where undefined."""

    def on(self, data: D) -> Weighted:
        """See the base."""
        tally = self.tally(data)
        return lambda weights: self.value(weights @ tally)

    def carriers(self, data: D) -> int:
        """See the base."""
        return int((~np.isnan(self.value(self.tally(data)))).sum()) if self.of_few else data.count

    def left_out(self, data: D) -> Floats:
        """See the base; one at a time, since it is cheap here."""
        tally = self.tally(data)
        return self.value(tally.sum(axis=0) - tally)


def per_unit(data: Data, *columns: Any) -> Floats:
    """Columns of rows, flags or numbers, summed for every unit: what most tallies are."""
    return np.stack([sums(data.units, column, data.count) for column in columns], axis=1)


def share(part: Any, whole: Any) -> Floats:
    """Part by whole, nan for 0/0."""
    with np.errstate(divide="ignore", invalid="ignore"):
        out: Floats = np.where(np.asarray(whole) == 0, np.nan, np.divide(part, whole))
    return out
