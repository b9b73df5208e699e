"""Figures: a measure's value with its interval, and the difference of two of them."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, TypeVar

import numpy as np

from samestory.measures.bootstrap import Rounds, drawings
from samestory.measures.data import Data
from samestory.measures.measure import Measure
from samestory.measures.spec import parse

D = TypeVar("D", bound=Data)

#: Rounds of the bootstrap, and the seed that makes them the same every time.
ROUNDS, SEED = 1000, 2009


@dataclass(frozen=True, slots=True)
class Figure:
    """What a measure comes to, and how sure that is.

    `value` is None where the measure is undefined; `low` and `high` are None where there is no honest interval, and
    `note` says why, or what to mind. `units` is how many units were drawn from in every one of the `rounds`.
    """

    measure: str
    unit: str
    value: float | None
    low: float | None
    high: float | None
    confidence: float
    rounds: int
    units: int
    drawn: str
    note: str | None = None

    def __str__(self) -> str:
        if self.value is None:
            return "undefined"
        if self.low is None or self.high is None:
            return f"{self.value:.4f}"
        return f"{self.value:.4f} [{self.low:.4f}, {self.high:.4f}]"

    def as_dict(self) -> dict[str, Any]:
        """The figure as it stands in a line of JSON."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Difference:
    """By how much one output is worth more than another (left minus right), on the same gold.

    `p` is two-sided: how likely so large a difference would be if there were none.
    """

    measure: str
    unit: str
    left: float | None
    right: float | None
    value: float | None
    low: float | None
    high: float | None
    p: float | None
    confidence: float
    rounds: int
    units: int
    drawn: str
    note: str | None = None

    def as_dict(self) -> dict[str, Any]:
        """The difference as it stands in a line of JSON."""
        return asdict(self)


def figure(
    measure: Measure[D] | str, data: D, rounds: int = ROUNDS, seed: int = SEED, confidence: float = 0.95
) -> Figure:
    """The measure of the data, with an interval from drawing units; with 0 rounds, without.

    >>> from samestory.measures import Grouped
    >>> stories = Grouped.of(gold=[[1, 2, 3], [4, 5], [6]], found=[[1, 2], [3, 4, 5], [6]])
    >>> figure("pair_f", stories).value
    0.5
    """
    measure = parse(measure) if isinstance(measure, str) else measure
    value = measure.point(data)
    told = (str(measure), measure.unit_in(data), value)
    if value is None or not rounds:
        return Figure(*told, None, None, confidence, 0, data.count, data.drawn)
    on = measure.on(data)
    drawn = np.concatenate([on(weights) for weights in drawings(data.count, rounds, seed)])
    found = Rounds(value, drawn, measure.left_out(data), data.count, measure.carriers(data))
    low, high = found.interval(confidence)
    return Figure(*told, low, high, confidence, rounds, data.count, data.drawn, found.note)


def difference(
    measure: Measure[D] | str, left: D, right: D, rounds: int = ROUNDS, seed: int = SEED, confidence: float = 0.95
) -> Difference:
    """The measure of the left output minus that of the right one: every round draws the same units for both.

    >>> from samestory.measures import Grouped
    >>> gold = [[1, 2, 3], [4, 5], [6]]
    >>> difference("pair_f", Grouped.of(gold, gold), Grouped.of(gold, [[1, 2], [3, 4, 5], [6]])).value
    0.5
    """
    measure = parse(measure) if isinstance(measure, str) else measure
    for data in (left, right):
        measure.accept(data)
    left, right = left.paired(right)
    values = measure.point(left), measure.point(right)
    told = (str(measure), measure.unit_in(left), *values)
    units, what = left.count, left.drawn
    if values[0] is None or values[1] is None:
        return Difference(*told, None, None, None, None, confidence, 0, units, what, "undefined for one of the two")
    on_left, on_right = measure.on(left), measure.on(right)
    drawn = np.concatenate([on_left(weights) - on_right(weights) for weights in drawings(units, rounds, seed)])
    left_out = measure.left_out(left) - measure.left_out(right)
    carriers = min(measure.carriers(left), measure.carriers(right))
    found = Rounds(values[0] - values[1], drawn, left_out, units, carriers)
    low, high = found.interval(confidence)
    return Difference(*told, found.value, low, high, found.p(), confidence, rounds, units, what, found.note)
