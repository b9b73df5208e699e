"""Figures: the value of a measure with its interval, and the difference of two values."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, TypeVar

import numpy as np

from samestory.lab.measures.bootstrap import Rounds, drawings
from samestory.lab.measures.data import Data
from samestory.lab.measures.measure import Measure
from samestory.lab.measures.spec import parse

D = TypeVar("D", bound=Data)

#: Rounds of the bootstrap, and the seed that makes them the same every time.
ROUNDS, SEED = 1000, 2009


@dataclass(frozen=True, slots=True)
class Figure:
    """The value of a measure with its interval.

    `value` is None where the measure is undefined; `low` and `high` are None where there is no reliable interval, and
    `note` is the reason or a caveat. `units` is the number of units resampled in each of the `rounds`.
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

    def to_dict(self) -> dict[str, Any]:
        """Return the figure as a JSON object."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Difference:
    """The difference of two outputs (left minus right) in a measure, on the same gold.

    `p` is two-sided: the probability of a difference this large if there were none.
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

    def to_dict(self) -> dict[str, Any]:
        """Return the difference as a JSON object."""
        return asdict(self)


def figure(
    measure: Measure[D] | str, data: D, rounds: int = ROUNDS, seed: int = SEED, confidence: float = 0.95
) -> Figure:
    """Compute a measure with a bootstrap interval; with 0 rounds, without.

    >>> from samestory.lab.measures import GroupedArticles
    >>> stories = GroupedArticles.from_groups(gold=[[1, 2, 3], [4, 5], [6]], found=[[1, 2], [3, 4, 5], [6]])
    >>> figure("pair_f", stories).value
    0.5
    """
    measure = parse(measure) if isinstance(measure, str) else measure
    value = measure.point(data)
    head = (str(measure), measure.unit_in(data), value)
    if value is None or not rounds:
        return Figure(*head, None, None, confidence, 0, data.count, data.drawn)
    on = measure.on(data)
    drawn = np.concatenate([on(weights) for weights in drawings(data.count, rounds, seed)])
    sampled = Rounds(value, drawn, measure.left_out(data), data.count, measure.contributing_units(data))
    low, high = sampled.interval(confidence)
    return Figure(*head, low, high, confidence, rounds, data.count, data.drawn, sampled.note)


def difference(
    measure: Measure[D] | str, left: D, right: D, rounds: int = ROUNDS, seed: int = SEED, confidence: float = 0.95
) -> Difference:
    """Compute a measure of the left output minus that of the right; every round draws the same units for both.

    >>> from samestory.lab.measures import GroupedArticles
    >>> gold, make = [[1, 2, 3], [4, 5], [6]], GroupedArticles.from_groups
    >>> difference("pair_f", make(gold, gold), make(gold, [[1, 2], [3, 4, 5], [6]])).value
    0.5
    """
    measure = parse(measure) if isinstance(measure, str) else measure
    for data in (left, right):
        measure.accept(data)
    left, right = left.paired(right)
    values = measure.point(left), measure.point(right)
    head = (str(measure), measure.unit_in(left), *values)
    units, what = left.count, left.drawn
    if values[0] is None or values[1] is None:
        return Difference(*head, None, None, None, None, confidence, 0, units, what, "undefined for one of the two")
    on_left, on_right = measure.on(left), measure.on(right)
    drawn = np.concatenate([on_left(weights) - on_right(weights) for weights in drawings(units, rounds, seed)])
    left_out = measure.left_out(left) - measure.left_out(right)
    contributing = min(measure.contributing_units(left), measure.contributing_units(right))
    sampled = Rounds(values[0] - values[1], drawn, left_out, units, contributing)
    low, high = sampled.interval(confidence)
    return Difference(*head, sampled.value, low, high, sampled.p(), confidence, rounds, units, what, sampled.note)
