"""Models that predict the r of a day from its features, evaluated by leaving out one day at a time.

    linear       r = β0 + β1 p1 + … + β7 p7                                                      (10)
    network      7-h-1, hidden and output activations of {identity, logistic, tanh, exponential}, squared error
                 minimised by BFGS; inputs and r scaled by the training days
    scaling      p' = (p − min) / (max − min)                                                    (11)
    ln p1        r = a + b ln p1

The study shows a different network for every day left out, and does not describe how it was chosen; with 19 days and up
to 109 weights it may have been chosen on the left-out day. Here the network is chosen within the training days, by
leaving out each of them in turn, and the predictions of several starts are averaged. Seeds are fixed.
Fomin and Belousov (2017). [fomin2017]
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from samestory.detectors.r_model import ACTIVATIONS, Matrix, RModel, Scale, forward
from samestory.errors import ParameterError
from samestory.lab.measures.extra import one_thread, scipy

#: Maps training days, their r, and the days to predict to the predicted r.
RPredictor = Callable[[Matrix, Matrix, Matrix], Matrix]


def _weights(train: Matrix, r: Matrix) -> Matrix:
    """Fit formula 10 by least squares, intercept first; the minimum-norm solution."""
    columns = np.column_stack([np.ones(len(train)), train])
    return np.asarray(np.linalg.lstsq(columns, r, rcond=None)[0], np.float64)


def r_range(r: Matrix) -> tuple[float, float]:
    """Return the least and the largest r above 0 of some days; raise a ParameterError if there is none.

    A best r of 0 relates only copies, and is no limit of a prediction.
    """
    positive = r[r > 0]
    if not len(positive):
        raise ParameterError("the best r of every day is 0: only copies are grouped, so r cannot be predicted")
    return float(positive.min()), float(positive.max())


def limited(model: RPredictor) -> RPredictor:
    """Return a model whose predictions are limited to the range of r of its training days, as those of a file are."""

    def predict(train: Matrix, r: Matrix, days: Matrix) -> Matrix:
        out: Matrix = np.clip(model(train, r, days), *r_range(r))
        return out

    return predict


def linear(train: Matrix, r: Matrix, days: Matrix) -> Matrix:
    """Predict by formula 10, fitted by least squares."""
    out: Matrix = np.column_stack([np.ones(len(days)), days]) @ _weights(train, r)
    return out


def fit(model: str, train: Matrix, r: Matrix) -> RModel:
    """Fit a named model to the features and best r of some days."""
    if model == "network":
        return study_network().fit(train, r)
    if model == "linear":
        return RModel(model, {"weights": _weights(train, r).tolist()}, len(r), r_range(r))
    intercept, slope = _weights(np.log(train[:, :1]), r).tolist()
    return RModel(model, {"intercept": intercept, "slope": slope}, len(r), r_range(r))


def model_of(name: str) -> RPredictor:
    """Return a named model as a function, for cross-validation."""
    models: dict[str, RPredictor] = {"log": log_items, "linear": linear, "network": study_network()}
    return models[name]


def log_items(train: Matrix, r: Matrix, days: Matrix) -> Matrix:
    """Predict r = a + b ln p1."""
    return linear(np.log(train[:, :1]), r, np.log(days[:, :1]))


def mean_of_days(train: Matrix, r: Matrix, days: Matrix) -> Matrix:
    """Predict the mean r: the baseline of all models."""
    return np.full(len(days), r.mean())


def left_out(model: RPredictor, features: Matrix, r: Matrix) -> Matrix:
    """Predict the r of every day by a model trained on all others."""
    out = np.empty(len(r))
    for day in range(len(r)):
        others = np.arange(len(r)) != day
        out[day] = model(features[others], r[others], features[day : day + 1])[0]
    return out


HIDDEN = range(4, 13)


@dataclass(frozen=True)
class Network:
    """A three-layer perceptron: number of hidden units, and the hidden and output activations."""

    hidden: int = 4
    inner: str = "tanh"
    outer: str = "identity"
    starts: int = 1
    """Number of starts from different weights, whose predictions are averaged."""
    steps: int = 60
    """Maximum BFGS steps: on 19 days more of them overfit."""
    seed: int = 0

    def fit(self, train: Matrix, r: Matrix) -> RModel:
        """Train the network, to be saved."""
        inputs, target = Scale.from_values(train), Scale.from_values(r[:, None])
        scaled, target_r = inputs.to(train), target.to(r[:, None])[:, 0]
        parameters = {
            "hidden": self.hidden,
            "inner": self.inner,
            "outer": self.outer,
            "inputs": {"least": inputs.least.tolist(), "delta": inputs.delta.tolist()},
            "r": {"least": target.least.tolist(), "delta": target.delta.tolist()},
            "weights": [self._trained(scaled, target_r, start).tolist() for start in range(self.starts)],
        }
        return RModel("network", parameters, len(r), r_range(r))

    def __call__(self, train: Matrix, r: Matrix, days: Matrix) -> Matrix:
        """Train, and predict the r of days."""
        inputs, target = Scale.from_values(train), Scale.from_values(r[:, None])
        scaled, target_r, where = inputs.to(train), target.to(r[:, None])[:, 0], inputs.to(days)
        out = [self._forward(self._trained(scaled, target_r, start), where)[0] for start in range(self.starts)]
        return target.back(np.mean(out, axis=0)[:, None])[:, 0]

    def _trained(self, inputs: Matrix, target_r: Matrix, start: int) -> Matrix:
        size = self.hidden * (inputs.shape[1] + 2) + 1
        weights = np.random.default_rng([self.seed, start, self.hidden]).uniform(-0.5, 0.5, size)

        def error(weights: Matrix) -> tuple[float, Matrix]:
            return self._error(weights, inputs, target_r)

        found: Any = scipy("optimize").minimize(
            error, weights, jac=True, method="BFGS", options={"maxiter": self.steps, "gtol": 1e-5}
        )
        return np.asarray(found.x, np.float64)

    def _forward(self, weights: Matrix, inputs: Matrix) -> tuple[Matrix, Matrix, Matrix, Matrix]:
        """Return predictions and their derivative, hidden values and theirs."""
        return forward(weights, self.hidden, self.inner, self.outer, inputs)

    def _error(self, weights: Matrix, inputs: Matrix, target_r: Matrix) -> tuple[float, Matrix]:
        """Return the sum of squared errors, and its gradient."""
        cut = self.hidden * inputs.shape[1]
        second = weights[cut + self.hidden : -1]
        out, out_slope, value, slope = self._forward(weights, inputs)
        miss = out - target_r
        at_output = 2.0 * miss * out_slope
        at_hidden = at_output[:, None] * second * slope
        gradient = np.concatenate(
            [(inputs.T @ at_hidden).ravel(), at_hidden.sum(axis=0), value.T @ at_output, [at_output.sum()]]
        )
        return float((miss**2).sum()), gradient


def networks(hidden: Sequence[int] = HIDDEN) -> Iterator[Network]:
    """Yield every network of the study: 9 sizes, 4 × 4 activations."""
    for size in hidden:
        for inner in ACTIVATIONS:
            for outer in ACTIVATIONS:
                yield Network(size, inner, outer)


@dataclass(frozen=True)
class ChosenNetwork:
    """The best network in leave-one-out validation on the training days, then trained from several starts."""

    candidates: tuple[Network, ...]
    starts: int = 5

    def choose(self, train: Matrix, r: Matrix) -> Network:
        """Return the network with the smallest mean absolute error; among ties the first."""
        with one_thread():
            errors = [np.abs(left_out(network, train, r) - r).mean() for network in self.candidates]
        return self.candidates[int(np.argmin(errors))]

    def _chosen(self, train: Matrix, r: Matrix) -> Network:
        return replace(self.choose(train, r), starts=self.starts)

    def fit(self, train: Matrix, r: Matrix) -> RModel:
        """Train the chosen network on all days, to be saved."""
        return self._chosen(train, r).fit(train, r)

    def __call__(self, train: Matrix, r: Matrix, days: Matrix) -> Matrix:
        """Train, and predict the r of days."""
        return self._chosen(train, r)(train, r, days)


#: Hidden sizes to choose from, since all nine would take an hour; the study's smallest, middle and largest.
DEFAULT_HIDDEN = (4, 8, 12)


def study_network(hidden: Sequence[int] = DEFAULT_HIDDEN) -> ChosenNetwork:
    """Return the network of the study, chosen without the left-out day."""
    return ChosenNetwork(tuple(networks(hidden)))
