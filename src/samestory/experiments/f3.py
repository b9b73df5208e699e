"""F3: the best r grows with the day."""

from __future__ import annotations

from collections.abc import Iterator
from math import log, sqrt
from statistics import correlation

from samestory.experiments.collection import Collection
from samestory.experiments.experiment import Experiment
from samestory.experiments.f1 import METHODS
from samestory.experiments.short_days import FEWEST, merged_days, table, too_few
from samestory.experiments.tables import column
from samestory.experiments.values import TABLE, YOURS, Published, Row

#: Features of the figures, by their place among the seven.
FIGURES = {"r against p1, articles of the day": 0, "r against p6, words of the day": 5, "r against p7, columns": 6}


def run(collection: Collection) -> Iterator[Row]:
    """The correlation of r with the number of articles, the one feature that is printed; then with those of yours."""
    articles, r = column("fomin_days", "articles"), column("fomin_days", "r")
    yield EXPERIMENT.value("r against p1, articles of the day").beside(correlation(articles, r), "correlation")
    yield Row("r against ln p1", None, correlation([log(n) for n in articles], r), basis=TABLE, note="correlation")
    yield Row("r against √p1", None, correlation([sqrt(n) for n in articles], r), basis=TABLE, note="correlation")
    for name in ("r against p6, words of the day", "r against p7, columns of the day"):
        yield EXPERIMENT.value(name).lacking("not printed by day")
    if collection.gold is not None:
        yield from _yours(collection)


def _yours(collection: Collection) -> Iterator[Row]:
    days = merged_days(collection)
    features, best = table(days)
    for day, r in zip(days, best.tolist(), strict=True):
        note = f"{len(day.day.rows):,} items; r/√items {r / sqrt(max(day.items, 1)):.4f}"
        yield Row(f"your day {day.day.name}, best r", None, r, basis=YOURS, note=note)
    if len(days) < FEWEST:
        yield too_few("your days, correlations", len(days))
        return
    for name, at in FIGURES.items():
        values = features[:, at].tolist()
        if len(set(values)) > 1 and len(set(best.tolist())) > 1:
            yield Row(f"your days, {name}", None, correlation(values, best.tolist()), basis=YOURS, note="correlation")


EXPERIMENT = Experiment(
    name="F3",
    title="best r against features of the day",
    study="fomin2017",
    place="Figures 2 to 4",
    relation="semantic",
    key="r grows with p1, p6 and p7",
    published=(
        Published("r against p1, articles of the day", "rises"),
        Published("r against p6, words of the day", "rises"),
        Published("r against p7, columns of the day", "rises"),
    ),
    docs="may",
    gold="may",
    shape="groups",
    sets=True,
    also=("same",),
    methods=METHODS,
    unpublished="p6 and p7 of every day",
    run=run,
)
