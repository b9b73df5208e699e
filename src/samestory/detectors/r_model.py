"""Models that predict r, the cut-off of single linkage, from seven counts of a day; made by `samestory fit-r`.

    log      r = a + b ln(items)
    linear   r = β0 + β1 p1 + … + β7 p7                                        formula 10
    network  7-h-1 perceptron; inputs and r scaled to [0, 1]                   formula 11

A prediction is limited to the range of the best r of the training days. A model is a JSON file.
The study's days alone give r = −3.322 + 0.797 ln(items), which `semshort` assumes by default.
Fomin and Belousov (2017), Detecting semantic duplicates in short news items. [fomin2017]
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import log
from pathlib import Path
from statistics import fmean
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from samestory.errors import InputError, ParameterError

Matrix = NDArray[np.float64]
FORMAT = "samestory-r-1"


class DayFeatures(NamedTuple):
    """Counts of a day; lengths are in words, before any words are removed."""

    p1: float
    """Number of items."""
    p2: float
    """Mean length of an item."""
    p3: float
    """The most frequent length; the smallest one of ties."""
    p4: float
    """Mean number of distinct words of an item."""
    p5: float
    """The most frequent number of distinct words of an item."""
    p6: float
    """Number of distinct words of the day."""
    p7: float
    """Number of columns: words with a weight."""


def day_features(items: Sequence[Sequence[str]], columns: int) -> DayFeatures:
    """Returns the seven features of a day whose items are given as lists of words.

    >>> day_features([["a", "b", "a"], ["c"], ["a", "b", "c"]], 3)
    DayFeatures(p1=3, p2=2.3333333333333335, p3=3, p4=2.0, p5=1, p6=3, p7=3)
    """
    if not items:
        raise ParameterError("a day needs at least one item, got none")
    lengths, distinct = [len(item) for item in items], [len(set(item)) for item in items]
    words = len({word for item in items for word in item})
    return DayFeatures(len(items), fmean(lengths), _mode(lengths), fmean(distinct), _mode(distinct), words, columns)


def _mode(numbers: Sequence[int]) -> int:
    counts = Counter(numbers)
    return min(number for number, count in counts.items() if count == max(counts.values()))


@dataclass(frozen=True)
class Scale:
    """Formula 11, from the smallest and the largest value of the training days; a constant column becomes 0.

    >>> Scale.from_values(np.array([855.0, 12221.0])).to(np.array([855.0, 2117.0, 12221.0])).round(3).tolist()
    [0.0, 0.111, 1.0]
    """

    least: Matrix
    delta: Matrix

    @classmethod
    def from_values(cls, values: Matrix) -> Scale:
        """Returns the scale of the values, by column."""
        least, most = values.min(axis=0), values.max(axis=0)
        width = most - least
        return cls(least, np.where(width > 0, 1.0 / np.where(width > 0, width, 1.0), 0.0))

    def to(self, values: Matrix) -> Matrix:
        """Scales values."""
        out: Matrix = -self.delta * self.least + self.delta * values
        return out

    def back(self, values: Matrix) -> Matrix:
        """Reverses the scaling of values."""
        width = np.where(self.delta > 0, 1.0 / np.where(self.delta > 0, self.delta, 1.0), 0.0)
        out: Matrix = self.least + width * values
        return out


#: Larger exponents are clipped: the optimiser may try weights whose result overflows.
_MAX_EXPONENT = 30.0


def _exponential(x: Matrix) -> tuple[Matrix, Matrix]:
    inside = np.abs(x) < _MAX_EXPONENT
    value = np.exp(np.clip(x, -_MAX_EXPONENT, _MAX_EXPONENT))
    return value, value * inside


def _logistic(x: Matrix) -> tuple[Matrix, Matrix]:
    value = 1.0 / (1.0 + np.exp(-np.clip(x, -_MAX_EXPONENT, _MAX_EXPONENT)))
    return value, value * (1.0 - value)


def _tanh(x: Matrix) -> tuple[Matrix, Matrix]:
    value = np.tanh(x)
    return value, 1.0 - value**2


#: The activation functions by name; they return value and slope.
ACTIVATIONS: dict[str, Callable[[Matrix], tuple[Matrix, Matrix]]] = {
    "identity": lambda x: (x, np.ones_like(x)),
    "logistic": _logistic,
    "tanh": _tanh,
    "exponential": _exponential,
}


def forward(
    weights: Matrix, hidden: int, inner: str, outer: str, inputs: Matrix
) -> tuple[Matrix, Matrix, Matrix, Matrix]:
    """Returns the outputs of a perceptron and their slope, its hidden values and their slope."""
    cut = hidden * inputs.shape[1]
    first, bias = weights[:cut].reshape(inputs.shape[1], hidden), weights[cut : cut + hidden]
    value, slope = ACTIVATIONS[inner](inputs @ first + bias)
    out, out_slope = ACTIVATIONS[outer](value @ weights[cut + hidden : -1] + weights[-1])
    return out, out_slope, value, slope


@dataclass(frozen=True)
class RModel:
    """A fitted model: its name and its parameters."""

    model: str
    parameters: Mapping[str, Any]
    days: int
    """Number of labelled days that it was fitted on."""
    range: tuple[float, float]
    """The least and the largest best r of these days, both above 0; predictions are limited to it."""

    def predict(self, day: DayFeatures) -> float:
        """Returns the r of a day, within the range of the training days."""
        return float(np.clip(_PREDICTORS[self.model](self.parameters, day), *self.range))

    def to_json(self) -> str:
        """Returns the content of the file."""
        whole = {"format": FORMAT, "model": self.model, "days": self.days, "range": list(self.range)}
        whole["parameters"] = self.parameters
        return json.dumps(whole, indent=1) + "\n"

    @classmethod
    def from_json(cls, text: str, name: str = "the model of r") -> RModel:
        """Parses the content of a file; raises InputError if it is invalid."""
        try:
            whole = json.loads(text)
            if whole["format"] != FORMAT:
                raise ValueError(f"format {whole['format']!r}")
            least, most = (float(r) for r in whole["range"])
            if not 0 < least <= most:
                raise ValueError(f"range must be two numbers above 0, the smaller one first, got {whole['range']!r}")
            model = cls(str(whole["model"]), dict(whole["parameters"]), int(whole["days"]), (least, most))
            if not np.isfinite(model.predict(DayFeatures(1000, 40, 33, 34, 30, 8000, 4000))):
                raise ValueError("no finite prediction")
        except (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError) as error:
            raise InputError(f"not a model of r: {error}", "make one: samestory fit-r --help", place=name) from None
        return model

    @classmethod
    def load(cls, path: str) -> RModel:
        """Reads a file."""
        try:
            text = Path(path).read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise InputError(str(getattr(error, "strerror", None) or error), place=path) from None
        return cls.from_json(text, path)


def _linear(parameters: Mapping[str, Any], day: DayFeatures) -> float:
    intercept, *weights = parameters["weights"]
    return float(intercept + sum(weight * value for weight, value in zip(weights, day, strict=True)))


def _network(parameters: Mapping[str, Any], day: DayFeatures) -> float:
    inputs, target = (
        Scale(*(np.array(parameters[name][at], np.float64) for at in ("least", "delta"))) for name in ("inputs", "r")
    )
    scaled = inputs.to(np.array([day], np.float64))
    shape = int(parameters["hidden"]), parameters["inner"], parameters["outer"]
    outputs = [forward(np.array(weights, np.float64), *shape, scaled)[0] for weights in parameters["weights"]]
    return float(target.back(np.mean(outputs, axis=0)[:, None])[0, 0])


#: The prediction functions by model name.
_PREDICTORS: dict[str, Callable[[Mapping[str, Any], DayFeatures], float]] = {
    "log": lambda parameters, day: parameters["intercept"] + parameters["slope"] * log(day.p1),
    "linear": _linear,
    "network": _network,
}
MODELS = tuple(_PREDICTORS)
