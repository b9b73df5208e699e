"""The data of measures: validated columns of gold and system output, with the sampling unit of every row.

The bootstrap resamples units. Dependent rows (pairs that share an article, articles of one story, blocks of one page)
have correlated errors: resampled individually they would count as independent, and every interval would be too narrow.
See docs/concepts/intervals.md.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from samestory.errors import ParameterError
from samestory.lab.measures.units import components

Integers = NDArray[np.int64]
Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]


class Data(ABC):
    """Rows of gold and output. Subclasses are frozen dataclasses of arrays, all of one length."""

    what: ClassVar[str]
    """The name of the rows for messages: "judged pairs"."""
    units: Any
    """The unit of every row, numbered from 0."""

    @property
    def count(self) -> int:
        """The number of units."""
        return int(self.units.max()) + 1 if len(self.units) else 0

    @property
    @abstractmethod
    def drawn(self) -> str:
        """What the bootstrap draws, for messages."""

    @abstractmethod
    def __len__(self) -> int:
        """Return the number of rows."""

    @abstractmethod
    def gold_columns(self) -> tuple[NDArray[Any], ...]:
        """Return the columns that must be equal in two outputs to compare them."""

    def paired(self, other: Self) -> tuple[Self, Self]:
        """Return both over common units, so that they can be resampled together; raise if their gold differs."""
        if type(self) is not type(other):
            raise ParameterError(f"{self.what}: expected another output of the same kind, got {other.what}")
        mine, theirs = self.gold_columns(), other.gold_columns()
        if not mine:
            raise ParameterError(f"{self.what}: without gold, two of them cannot be compared")
        if not all(np.array_equal(a, b) for a, b in zip(mine, theirs, strict=True)):
            raise ParameterError(f"{self.what}: two outputs can only be compared on the same gold, in the same order")
        units = joined(self.units, other.units)
        return self.in_units(units), other.in_units(units)

    def in_units(self, units: Integers) -> Self:
        """Return the same rows with other units."""
        return replace(self, units=units)  # type: ignore[type-var]

    def _set(self, name: str, value: object) -> None:
        # frozen dataclasses normalise their arguments once, on construction
        object.__setattr__(self, name, value)

    def _same_lengths(self, *names: str) -> None:
        lengths = {name: len(getattr(self, name)) for name in names if getattr(self, name) is not None}
        if len(set(lengths.values())) > 1:
            counts = ", ".join(f"{length} {name}" for name, length in lengths.items())
            raise ParameterError(f"{self.what}: all columns must have one length, got {counts}")

    def _check_unsplit(self, labels: Integers, what: str) -> None:
        """Raise for units that split rows of one label."""
        unit = np.zeros(int(labels.max(initial=-1)) + 1, np.int64)
        unit[labels] = self.units
        if not np.array_equal(unit[labels], self.units):
            raise ParameterError(f"{self.what}: units split a {what}")

    def _units(self, given: ArrayLike | None, rows: int) -> Integers:
        """Return the given units numbered from 0, or one unit per row."""
        return np.arange(rows, dtype=np.int64) if given is None else codes(given, f"{self.what}: units")


def codes(labels: ArrayLike | Sequence[object], what: str) -> Integers:
    """Return labels of any type as numbers from 0."""
    array = np.asarray(labels)
    if array.ndim != 1:
        raise ParameterError(f"{what} must be one label per row, got an array of {array.ndim} dimensions")
    if array.dtype.kind == "f":
        if not np.isfinite(array).all():
            raise ParameterError(f"{what} must be labels, got a number that is not finite")
        if (array != np.floor(array)).any():
            raise ParameterError(f"{what} must be labels, got numbers with a fraction")
    if array.dtype.kind in "OUS":
        # faster than sorting strings, and works for labels that cannot be sorted
        numbered: dict[object, int] = {}
        return np.array([numbered.setdefault(label, len(numbered)) for label in array.tolist()], np.int64)
    return np.unique(array, return_inverse=True)[1].astype(np.int64)


def flags(values: ArrayLike, what: str) -> Flags:
    """Return an array of bool from True and False, or 1 and 0."""
    array = np.asarray(values)
    if array.ndim != 1:
        raise ParameterError(f"{what} must be one flag per row, got an array of {array.ndim} dimensions")
    if array.size and array.dtype.kind != "b" and not (array.dtype.kind in "iuf" and np.isin(array, (0, 1)).all()):
        raise ParameterError(f"{what} must be True or False, got {array[:3].tolist()} …")
    return array.astype(np.bool_)


def numbers(values: ArrayLike, what: str) -> Floats:
    """Return an array of finite numbers."""
    array = np.asarray(values)
    if array.ndim != 1 or (array.size and array.dtype.kind not in "biuf"):
        raise ParameterError(f"{what} must be one number per row, got {array.dtype} of {array.ndim} dimensions")
    array = array.astype(np.float64)
    if not np.isfinite(array).all():
        raise ParameterError(f"{what} must be finite, got {array[~np.isfinite(array)][0]}")
    return array


def sums(places: Integers, values: ArrayLike, count: int) -> Floats:
    """Return the values summed by place."""
    return np.bincount(places, np.asarray(values, np.float64), count).astype(np.float64, copy=False)


def joined(left: Integers, right: Integers) -> Integers:
    """Return the finest units that split neither the left nor the right ones."""
    if np.array_equal(left, right):
        return left
    return components(left, right + int(left.max()) + 1)
