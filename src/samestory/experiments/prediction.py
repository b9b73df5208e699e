"""Predictions of r: how wrong the printed ones are, and those of models with one feature, a day left out at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from statistics import fmean, linear_regression

from samestory.experiments.experiment import Experiment
from samestory.experiments.r_models import Model
from samestory.experiments.r_models import left_out as one_left_out
from samestory.experiments.short_days import FEWEST, MergedDay, table, too_few
from samestory.experiments.tables import column
from samestory.experiments.values import TABLE, YOURS, Row
from samestory.measures import Predictions
from samestory.measures.regression import R2, Mae, Rmse

_FOLLOWS = "not printed: follows from the printed predictions"


def errors(predicted: Sequence[float], r: Sequence[float] | None = None) -> dict[str, float | None]:
    """By how much predictions of r are wrong: of the 20 days, if no others are given."""
    r = column("fomin_days", "r") if r is None else r
    data = Predictions(r, predicted)  # type: ignore[arg-type]
    return {
        "mean absolute error": Mae().point(data),
        "root mean square error": Rmse().point(data),
        "largest error": max(abs(one - other) for one, other in zip(r, predicted, strict=True)),
        "R² of predictions": R2().point(data),
    }


def left_out(feature: Callable[[float], float]) -> list[float]:
    """The r of every day from a straight line through a feature of the 19 other days."""
    x, r = [feature(n) for n in column("fomin_days", "articles")], column("fomin_days", "r")
    out = []
    for day, own in enumerate(x):
        line = linear_regression(x[:day] + x[day + 1 :], r[:day] + r[day + 1 :])
        out.append(line.intercept + line.slope * own)
    return out


def mean_of_others() -> list[float]:
    """The r of every day as the mean of the 19 others: what a model must beat."""
    r = column("fomin_days", "r")
    return [fmean(r[:day] + r[day + 1 :]) for day in range(len(r))]


def beside(experiment: Experiment, field: str) -> Iterator[Row]:
    """The errors of the printed predictions."""
    for name, value in errors(column("fomin_days", field)).items():
        yield experiment.value(name).beside(value, _FOLLOWS)


def model(name: str, predicted: Sequence[float]) -> Iterator[Row]:
    """The errors of a model of ours."""
    for what, value in errors(predicted).items():
        yield Row(f"{name}, {what}", None, value, basis=TABLE)


def on_days(name: str, model: Model, days: Sequence[MergedDay]) -> Iterator[Row]:
    """The errors of a model on the user's days, each left out in turn."""
    if len(days) < FEWEST:
        yield too_few(f"your days, {name}", len(days))
        return
    features, r = table(days)
    note = f"{len(days)} days, each left out in turn"
    for what, value in errors(one_left_out(model, features, r).tolist(), r.tolist()).items():
        why = note if value is not None else f"{note}; undefined: all r are equal"
        yield Row(f"your days, {name}, {what}", None, value, basis=YOURS, note=why)
