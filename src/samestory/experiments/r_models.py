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

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from samestory.detectors.r_model import ACTIVATIONS, RModel, Scale, forward
from samestory.measures.extra import scipy

Matrix = NDArray[np.float64]
#: A model: days to train on and their r, days to predict; gives the r of those.
Model = Callable[[Matrix, Matrix, Matrix], Matrix]


def _weights(train: Matrix, r: Matrix) -> Matrix:
    """Of formula 10 by least squares, the intercept first; of many solutions, the smallest."""
    columns = np.column_stack([np.ones(len(train)), train])
    return np.asarray(np.linalg.lstsq(columns, r, rcond=None)[0], np.float64)


def linear(train: Matrix, r: Matrix, asked: Matrix) -> Matrix:
    """Formula 10 by least squares."""
    out: Matrix = np.column_stack([np.ones(len(asked)), asked]) @ _weights(train, r)
    return out


def fit(model: str, train: Matrix, r: Matrix) -> RModel:
    """A model of r by its name, fitted to the features and the best r of some days."""
    if model == "network":
        return study_network().fit(train, r)
    if model == "linear":
        return RModel(model, {"weights": _weights(train, r).tolist()}, len(r))
    intercept, slope = _weights(np.log(train[:, :1]), r).tolist()
    return RModel(model, {"intercept": intercept, "slope": slope}, len(r))


def model_of(name: str) -> Model:
    """The same model as a function, to leave days out."""
    models: dict[str, Model] = {"log": log_items, "linear": linear, "network": study_network()}
    return models[name]


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

    def fit(self, train: Matrix, r: Matrix) -> RModel:
        """The trained network, to be saved."""
        inputs, target = Scale.of(train), Scale.of(r[:, None])
        scaled, wanted = inputs.to(train), target.to(r[:, None])[:, 0]
        parameters = {
            "hidden": self.hidden,
            "inner": self.inner,
            "outer": self.outer,
            "inputs": {"least": inputs.least.tolist(), "delta": inputs.delta.tolist()},
            "r": {"least": target.least.tolist(), "delta": target.delta.tolist()},
            "weights": [self._trained(scaled, wanted, start).tolist() for start in range(self.starts)],
        }
        return RModel("network", parameters, len(r))

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

    def _forward(self, weights: Matrix, inputs: Matrix) -> tuple[Matrix, Matrix, Matrix, Matrix]:
        """Predictions and their slope, hidden values and theirs."""
        return forward(weights, self.hidden, self.inner, self.outer, inputs)

    def _error(self, weights: Matrix, inputs: Matrix, wanted: Matrix) -> tuple[float, Matrix]:
        """The sum of squared errors, and its gradient."""
        cut = self.hidden * inputs.shape[1]
        second = weights[cut + self.hidden : -1]
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

    def _chosen(self, train: Matrix, r: Matrix) -> Network:
        return replace(self.choose(train, r), starts=self.starts)

    def fit(self, train: Matrix, r: Matrix) -> RModel:
        """The chosen network, trained on all days, to be saved."""
        return self._chosen(train, r).fit(train, r)

    def __call__(self, train: Matrix, r: Matrix, asked: Matrix) -> Matrix:
        """The r of days, as a model."""
        return self._chosen(train, r)(train, r, asked)


#: Sizes that a network is chosen from where all nine would take an hour; the study's smallest, middle and largest.
FEW = (4, 8, 12)


def study_network(hidden: Sequence[int] = FEW) -> ChosenNetwork:
    """The network of the study, chosen without looking at the day left out."""
    return ChosenNetwork(tuple(networks(hidden)))
