"""Models that predict the r of a day from what can be counted in it, and how wrong they are on a day left out.

    linear       r = β0 + β1 p1 + … + β7 p7                                                      (10)
    network      7-h-1, hidden and output activations of {identity, logistic, tanh, exponential}, sums of squares made
                 small by BFGS; inputs and r scaled by the days that are trained on
    scaling      p' = (p − min) / (max − min)                                                    (11)
    ln p1        r = a + b ln p1

The study shows another network for every day left out, and does not say how it was chosen; with 19 days and up to 109
weights the left-out day itself may have chosen it. Here the network is chosen inside the training days, by leaving each
of them out in turn, and the predictions of several starts are averaged. Seeds are fixed.
Fomin and Belousov (2017). [fomin2017]
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from samestory.errors import ParameterError
from samestory.measures.extra import scipy

Matrix = NDArray[np.float64]
#: A model: days to train on and their r, days to predict; gives the r of those.
Model = Callable[[Matrix, Matrix, Matrix], Matrix]


class DayFeatures(NamedTuple):
    """What is counted in a day; lengths are in words, before any is left out."""

    p1: float
    """Items."""
    p2: float
    """Mean length of an item."""
    p3: float
    """The commonest length; of equally common ones the smallest."""
    p4: float
    """Mean number of different words of an item."""
    p5: float
    """The commonest such number."""
    p6: float
    """Different words of the day."""
    p7: float
    """Columns: words that are weighed."""


def day_features(items: Sequence[Sequence[str]], columns: int) -> DayFeatures:
    """The seven features of a day whose items are given as their words.

    >>> day_features([["a", "b", "a"], ["c"], ["a", "b", "c"]], 3)
    DayFeatures(p1=3, p2=2.3333333333333335, p3=3, p4=2.0, p5=1, p6=3, p7=3)
    """
    if not items:
        raise ParameterError("a day: at least one item is wanted, got none")
    lengths, different = [len(item) for item in items], [len(set(item)) for item in items]
    words = len({word for item in items for word in item})
    return DayFeatures(len(items), fmean(lengths), _mode(lengths), fmean(different), _mode(different), words, columns)


def _mode(numbers: Sequence[int]) -> int:
    counts = Counter(numbers)
    return min(number for number, count in counts.items() if count == max(counts.values()))


def linear(train: Matrix, r: Matrix, asked: Matrix) -> Matrix:
    """Formula 10 by least squares; of many solutions, the smallest."""
    columns = np.column_stack([np.ones(len(train)), train])
    weights = np.linalg.lstsq(columns, r, rcond=None)[0]
    out: Matrix = np.column_stack([np.ones(len(asked)), asked]) @ weights
    return out


def log_items(train: Matrix, r: Matrix, asked: Matrix) -> Matrix:
    """r = a + b ln p1."""
    return linear(np.log(train[:, :1]), r, np.log(asked[:, :1]))


def mean_of_days(train: Matrix, r: Matrix, asked: Matrix) -> Matrix:
    """The mean r, whatever the day: what a model must beat."""
    return np.full(len(asked), r.mean())


def left_out(model: Model, features: Matrix, r: Matrix) -> Matrix:
    """The r of every day from a model that was trained on all others."""
    out = np.empty(len(r))
    for day in range(len(r)):
        others = np.arange(len(r)) != day
        out[day] = model(features[others], r[others], features[day : day + 1])[0]
    return out


@dataclass(frozen=True)
class Scale:
    """Formula 11, with the smallest and the largest value of the training days; what never varies becomes 0.

    >>> Scale.of(np.array([855.0, 12221.0])).to(np.array([855.0, 2117.0, 12221.0])).round(3).tolist()
    [0.0, 0.111, 1.0]
    """

    least: Matrix
    delta: Matrix

    @classmethod
    def of(cls, values: Matrix) -> Scale:
        """The scale of these days, of every column by itself."""
        least, most = values.min(axis=0), values.max(axis=0)
        width = most - least
        return cls(least, np.where(width > 0, 1.0 / np.where(width > 0, width, 1.0), 0.0))

    def to(self, values: Matrix) -> Matrix:
        """Values on the scale."""
        out: Matrix = -self.delta * self.least + self.delta * values
        return out

    def back(self, values: Matrix) -> Matrix:
        """Values from the scale."""
        width = np.where(self.delta > 0, 1.0 / np.where(self.delta > 0, self.delta, 1.0), 0.0)
        out: Matrix = self.least + width * values
        return out


#: Exponents beyond this are cut: a step of the search may try weights that no number can hold.
_STEEPEST = 30.0


def _exponential(x: Matrix) -> tuple[Matrix, Matrix]:
    inside = np.abs(x) < _STEEPEST
    value = np.exp(np.clip(x, -_STEEPEST, _STEEPEST))
    return value, value * inside


def _logistic(x: Matrix) -> tuple[Matrix, Matrix]:
    value = 1.0 / (1.0 + np.exp(-np.clip(x, -_STEEPEST, _STEEPEST)))
    return value, value * (1.0 - value)


def _tanh(x: Matrix) -> tuple[Matrix, Matrix]:
    value = np.tanh(x)
    return value, 1.0 - value**2


#: The activations by their names: value and slope.
ACTIVATIONS: dict[str, Callable[[Matrix], tuple[Matrix, Matrix]]] = {
    "identity": lambda x: (x, np.ones_like(x)),
    "logistic": _logistic,
    "tanh": _tanh,
    "exponential": _exponential,
}
HIDDEN = range(4, 13)


@dataclass(frozen=True)
class Network:
    """A perceptron of three layers: so many hidden units, and the activations behind them and behind the output."""

    hidden: int = 4
    inner: str = "tanh"
    outer: str = "identity"
    starts: int = 1
    """Searches from different weights, whose predictions are averaged."""
    steps: int = 60
    """Of BFGS at most: on 19 days more of them learn the days by heart."""
    seed: int = 0

    def __call__(self, train: Matrix, r: Matrix, asked: Matrix) -> Matrix:
        """The r of days, as a model."""
        inputs, target = Scale.of(train), Scale.of(r[:, None])
        scaled, wanted, where = inputs.to(train), target.to(r[:, None])[:, 0], inputs.to(asked)
        out = [self._forward(self._trained(scaled, wanted, start), where)[0] for start in range(self.starts)]
        return target.back(np.mean(out, axis=0)[:, None])[:, 0]

    def _trained(self, inputs: Matrix, wanted: Matrix, start: int) -> Matrix:
        size = self.hidden * (inputs.shape[1] + 2) + 1
        weights = np.random.default_rng([self.seed, start, self.hidden]).uniform(-0.5, 0.5, size)

        def error(weights: Matrix) -> tuple[float, Matrix]:
            return self._error(weights, inputs, wanted)

        found: Any = scipy("optimize").minimize(
            error, weights, jac=True, method="BFGS", options={"maxiter": self.steps, "gtol": 1e-5}
        )
        return np.asarray(found.x, np.float64)

    def _parts(self, weights: Matrix, width: int) -> tuple[Matrix, Matrix, Matrix, float]:
        cut = self.hidden * width
        first = weights[:cut].reshape(width, self.hidden)
        return first, weights[cut : cut + self.hidden], weights[cut + self.hidden : -1], float(weights[-1])

    def _forward(self, weights: Matrix, inputs: Matrix) -> tuple[Matrix, Matrix, Matrix, Matrix]:
        """Predictions and their slope, hidden values and theirs."""
        first, bias, second, last = self._parts(weights, inputs.shape[1])
        value, slope = ACTIVATIONS[self.inner](inputs @ first + bias)
        out, out_slope = ACTIVATIONS[self.outer](value @ second + last)
        return out, out_slope, value, slope

    def _error(self, weights: Matrix, inputs: Matrix, wanted: Matrix) -> tuple[float, Matrix]:
        """The sum of squared errors, and its gradient."""
        second = self._parts(weights, inputs.shape[1])[2]
        out, out_slope, value, slope = self._forward(weights, inputs)
        miss = out - wanted
        at_output = 2.0 * miss * out_slope
        at_hidden = at_output[:, None] * second * slope
        gradient = np.concatenate(
            [(inputs.T @ at_hidden).ravel(), at_hidden.sum(axis=0), value.T @ at_output, [at_output.sum()]]
        )
        return float((miss**2).sum()), gradient


def networks(hidden: Sequence[int] = HIDDEN) -> Iterator[Network]:
    """Every network of the study: 9 sizes, 4 × 4 activations."""
    for size in hidden:
        for inner in ACTIVATIONS:
            for outer in ACTIVATIONS:
                yield Network(size, inner, outer)


@dataclass(frozen=True)
class ChosenNetwork:
    """The network that is best on the training days, each left out in turn; then trained from several starts."""

    candidates: tuple[Network, ...]
    starts: int = 5

    def choose(self, train: Matrix, r: Matrix) -> Network:
        """The network with the smallest mean absolute error; of equal ones the first."""
        errors = [np.abs(left_out(network, train, r) - r).mean() for network in self.candidates]
        return self.candidates[int(np.argmin(errors))]

    def __call__(self, train: Matrix, r: Matrix, asked: Matrix) -> Matrix:
        """The r of days, as a model."""
        best = self.choose(train, r)
        return Network(best.hidden, best.inner, best.outer, self.starts, best.steps, best.seed)(train, r, asked)


#: Sizes that a network is chosen from where all nine would take an hour; the study's smallest, middle and largest.
FEW = (4, 8, 12)


def study_network(hidden: Sequence[int] = FEW) -> ChosenNetwork:
    """The network of the study, chosen without looking at the day left out."""
    return ChosenNetwork(tuple(networks(hidden)))
