"""What measures are taken of: gold and system output in columns, checked once, with the unit each row is drawn with.

The unit is what the bootstrap draws. Rows that hang together (pairs that share an article, articles of one story,
blocks of one page) err together: drawn singly they would count as independent witnesses, and every interval would
come out too narrow. See docs/concepts/intervals.md.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from samestory.errors import ParameterError
from samestory.measures.units import components

Integers = NDArray[np.int64]
Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]


class Data(ABC):
    """Rows of gold and output. Subclasses are frozen dataclasses over arrays, all of one length."""

    what: ClassVar[str]
    """The rows, in a word, for messages: "judged pairs"."""
    units: Any
    """The unit of every row, numbered from 0."""

    @property
    def count(self) -> int:
        """How many units there are to draw from."""
        return int(self.units.max()) + 1 if len(self.units) else 0

    @property
    @abstractmethod
    def drawn(self) -> str:
        """What the bootstrap draws, in a few words."""

    @abstractmethod
    def __len__(self) -> int:
        """How many rows."""

    @abstractmethod
    def gold_columns(self) -> tuple[NDArray[Any], ...]:
        """What two outputs must have in common to be compared."""

    def paired(self, other: Self) -> tuple[Self, Self]:
        """Both over common units, so that they can be drawn together; refused if their gold differs."""
        if type(self) is not type(other):
            raise ParameterError(f"{self.what}: wanted is the same of another output, got {other.what}")
        mine, theirs = self.gold_columns(), other.gold_columns()
        if not mine:
            raise ParameterError(f"{self.what}: there is no gold, so two of them cannot be compared")
        if not all(np.array_equal(a, b) for a, b in zip(mine, theirs, strict=True)):
            raise ParameterError(f"{self.what}: two outputs can be compared on the same gold, in the same order only")
        units = joined(self.units, other.units)
        return self.in_units(units), other.in_units(units)

    def in_units(self, units: Integers) -> Self:
        """The same rows, to be drawn by other units."""
        return replace(self, units=units)  # type: ignore[type-var]

    def _set(self, name: str, value: object) -> None:
        # frozen dataclasses bring what they were given into form once, on construction
        object.__setattr__(self, name, value)

    def _same_lengths(self, *names: str) -> None:
        lengths = {name: len(getattr(self, name)) for name in names if getattr(self, name) is not None}
        if len(set(lengths.values())) > 1:
            told = ", ".join(f"{length} {name}" for name, length in lengths.items())
            raise ParameterError(f"{self.what}: all columns must have one length, got {told}")

    def _drawn_whole(self, labels: Integers, what: str) -> None:
        """Refuses units that split what has one label."""
        unit = np.zeros(int(labels.max(initial=-1)) + 1, np.int64)
        unit[labels] = self.units
        if not np.array_equal(unit[labels], self.units):
            raise ParameterError(f"{self.what}: units split a {what}")

    def _units(self, given: ArrayLike | None, rows: int) -> Integers:
        """The given units numbered from 0, or a unit for every row."""
        return np.arange(rows, dtype=np.int64) if given is None else codes(given, f"{self.what}: units")


def codes(labels: ArrayLike | Sequence[object], what: str) -> Integers:
    """Labels of any kind as numbers from 0."""
    array = np.asarray(labels)
    if array.ndim != 1:
        raise ParameterError(f"{what} must be one label a row, got an array of {array.ndim} dimensions")
    if array.dtype.kind == "f":
        if not np.isfinite(array).all():
            raise ParameterError(f"{what} must be labels, got a number that is not finite")
        if (array != np.floor(array)).any():
            raise ParameterError(f"{what} must be labels, got numbers with a fraction")
    if array.dtype.kind in "OUS":
        # faster than sorting texts; and labels that cannot be sorted still are equal or not
        numbered: dict[object, int] = {}
        return np.array([numbered.setdefault(label, len(numbered)) for label in array.tolist()], np.int64)
    return np.unique(array, return_inverse=True)[1].astype(np.int64)


def flags(values: ArrayLike, what: str) -> Flags:
    """True and False, also as 1 and 0."""
    array = np.asarray(values)
    if array.ndim != 1:
        raise ParameterError(f"{what} must be one flag a row, got an array of {array.ndim} dimensions")
    if array.size and array.dtype.kind != "b" and not (array.dtype.kind in "iuf" and np.isin(array, (0, 1)).all()):
        raise ParameterError(f"{what} must be True or False, got {array[:3].tolist()} …")
    return array.astype(np.bool_)


def numbers(values: ArrayLike, what: str) -> Floats:
    """Finite numbers."""
    array = np.asarray(values)
    if array.ndim != 1 or (array.size and array.dtype.kind not in "biuf"):
        raise ParameterError(f"{what} must be one number a row, got {array.dtype} of {array.ndim} dimensions")
    array = array.astype(np.float64)
    if not np.isfinite(array).all():
        raise ParameterError(f"{what} must be finite, got {array[~np.isfinite(array)][0]}")
    return array


def sums(places: Integers, values: ArrayLike, count: int) -> Floats:
    """Values summed by place."""
    return np.bincount(places, np.asarray(values, np.float64), count).astype(np.float64, copy=False)


def joined(left: Integers, right: Integers) -> Integers:
    """The finest units that split neither the left nor the right ones."""
    if np.array_equal(left, right):
        return left
    return components(left, right + int(left.max()) + 1)
