"""F4: r predicted by a linear model of seven features, leaving out one day at a time."""

from __future__ import annotations

from collections.abc import Iterator
from math import log, sqrt
from statistics import linear_regression

from samestory.lab.experiments.by_study import fomin
from samestory.lab.experiments.fomin.prediction import left_out, mean_of_others, model, on_days, printed_errors
from samestory.lab.experiments.fomin.r_models import linear, log_items, mean_of_days
from samestory.lab.experiments.fomin.short_days import merged_days
from samestory.lab.experiments.inputs import ExperimentInput
from samestory.lab.experiments.tables import column
from samestory.lab.experiments.values import TABLE, PublishedValue, ReportRow


def run(collection: ExperimentInput) -> Iterator[ReportRow]:
    """Compute the errors of the printed predictions, of one-feature models, and of models of the user's days."""
    yield from printed_errors(EXPERIMENT, "linear_r")
    yield from model("mean of the other days", mean_of_others())
    yield from model("ln of the articles", left_out(log))
    yield from model("√ of the articles", left_out(sqrt))
    articles = [log(n) for n in column("fomin_days", "articles")]
    line = linear_regression(articles, column("fomin_days", "r"))
    yield ReportRow(
        "ln of the articles, slope", None, line.slope, basis=TABLE, note="r = intercept + slope · ln(articles)"
    )
    yield ReportRow("ln of the articles, intercept", None, line.intercept, basis=TABLE)
    if collection.gold is not None:
        days = merged_days(collection)
        collection.progress("predicting r")
        yield from on_days("seven features", linear, days)
        yield from on_days("ln of the items", log_items, days)
        yield from on_days("mean of the other days", mean_of_days, days)


EXPERIMENT = fomin(
    name="F4",
    title="linear model of r, leave-one-out",
    key="mean absolute error 0.283",
    published=(
        PublishedValue("mean absolute error", 0.283, "r"),
        PublishedValue("root mean square error", 0.338, "r"),
        PublishedValue("largest error", 0.732, "r"),
        PublishedValue("R² of predictions", 0.598, "share"),
    ),
    unpublished="p2 to p7 of every day, without which the model cannot be fitted again",
    run=run,
)
