"""Errors of predicted r: of the printed predictions, and of one-feature models, leaving out a day at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from statistics import fmean, linear_regression

from samestory.lab.experiments.experiment import Experiment
from samestory.lab.experiments.fomin.r_models import RPredictor
from samestory.lab.experiments.fomin.r_models import left_out as one_left_out
from samestory.lab.experiments.fomin.short_days import MIN_DAYS, MergedDay, table, too_few
from samestory.lab.experiments.tables import column
from samestory.lab.experiments.values import TABLE, YOURS, ReportRow
from samestory.lab.measures import Predictions
from samestory.lab.measures.regression import R2, Mae, Rmse

_FOLLOWS = "not printed: follows from the printed predictions"


def errors(predicted: Sequence[float], r: Sequence[float] | None = None) -> dict[str, float | None]:
    """Compute the errors of predictions of r; default: the 20 days of the study."""
    r = column("fomin_days", "r") if r is None else r
    data = Predictions(r, predicted)  # type: ignore[arg-type]
    return {
        "mean absolute error": Mae().point(data),
        "root mean square error": Rmse().point(data),
        "largest error": max(abs(one - other) for one, other in zip(r, predicted, strict=True)),
        "R² of predictions": R2().point(data),
    }


def left_out(feature: Callable[[float], float]) -> list[float]:
    """Predict the r of every day by linear regression on a feature of the 19 other days."""
    x, r = [feature(n) for n in column("fomin_days", "articles")], column("fomin_days", "r")
    out = []
    for day, own in enumerate(x):
        line = linear_regression(x[:day] + x[day + 1 :], r[:day] + r[day + 1 :])
        out.append(line.intercept + line.slope * own)
    return out


def mean_of_others() -> list[float]:
    """Predict the r of every day as the mean of the 19 others: the baseline."""
    r = column("fomin_days", "r")
    return [fmean(r[:day] + r[day + 1 :]) for day in range(len(r))]


def printed_errors(experiment: Experiment, field: str) -> Iterator[ReportRow]:
    """Yield the errors of the printed predictions."""
    for name, value in errors(column("fomin_days", field)).items():
        yield experiment.value(name).with_measured(value, _FOLLOWS)


def model(name: str, predicted: Sequence[float]) -> Iterator[ReportRow]:
    """Yield the errors of another model."""
    for what, value in errors(predicted).items():
        yield ReportRow(f"{name}, {what}", None, value, basis=TABLE)


def on_days(name: str, model: RPredictor, days: Sequence[MergedDay]) -> Iterator[ReportRow]:
    """Yield the errors of a model on the user's days, each left out in turn."""
    if len(days) < MIN_DAYS:
        yield too_few(f"your days, {name}", len(days))
        return
    features, r = table(days)
    note = f"{len(days)} days, each left out in turn"
    for what, value in errors(one_left_out(model, features, r).tolist(), r.tolist()).items():
        why = note if value is not None else f"{note}; undefined: all r are equal"
        yield ReportRow(f"your days, {name}, {what}", None, value, basis=YOURS, note=why)
