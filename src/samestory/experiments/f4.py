"""F4: r predicted by a linear model of seven features, a day left out at a time."""

from __future__ import annotations

from collections.abc import Iterator
from math import log, sqrt
from statistics import linear_regression

from samestory.experiments.collection import Collection
from samestory.experiments.experiment import Experiment
from samestory.experiments.f1 import METHODS
from samestory.experiments.prediction import beside, left_out, mean_of_others, model, on_days
from samestory.experiments.r_models import linear, log_items, mean_of_days
from samestory.experiments.short_days import merged_days
from samestory.experiments.tables import column
from samestory.experiments.values import TABLE, Published, Row


def run(collection: Collection) -> Iterator[Row]:
    """The errors of the printed predictions, of models with the one printed feature; and of models of your days."""
    yield from beside(EXPERIMENT, "linear_r")
    yield from model("mean of the other days", mean_of_others())
    yield from model("ln of the articles", left_out(log))
    yield from model("√ of the articles", left_out(sqrt))
    articles = [log(n) for n in column("fomin_days", "articles")]
    line = linear_regression(articles, column("fomin_days", "r"))
    yield Row("ln of the articles, slope", None, line.slope, basis=TABLE, note="r = intercept + slope · ln(articles)")
    yield Row("ln of the articles, intercept", None, line.intercept, basis=TABLE)
    if collection.gold is not None:
        days = merged_days(collection)
        collection.tell("predicting r")
        yield from on_days("seven features", linear, days)
        yield from on_days("ln of the items", log_items, days)
        yield from on_days("mean of the other days", mean_of_days, days)


EXPERIMENT = Experiment(
    name="F4",
    title="linear model of r, leave-one-out",
    study="fomin2017",
    relation="semantic",
    key="mean absolute error 0.283",
    published=(
        Published("mean absolute error", 0.283, "r"),
        Published("root mean square error", 0.338, "r"),
        Published("largest error", 0.732, "r"),
        Published("R² of predictions", 0.598, "share"),
    ),
    docs="may",
    gold="may",
    shape="groups",
    sets=True,
    also=("same",),
    methods=METHODS,
    unpublished="p2 to p7 of every day, without which the model cannot be fitted again",
    run=run,
)
