"""F3: the best r grows with the day."""

from __future__ import annotations

from collections.abc import Iterator
from math import log, sqrt
from statistics import correlation

from samestory.experiments.collection import Collection
from samestory.experiments.experiment import Experiment
from samestory.experiments.tables import column
from samestory.experiments.values import TABLE, Published, Row


def run(collection: Collection) -> Iterator[Row]:
    """The correlation of r with the number of articles, the one feature that is printed."""
    articles, r = column("fomin_days", "articles"), column("fomin_days", "r")
    yield EXPERIMENT.value("r against p1, articles of the day").beside(correlation(articles, r), "correlation")
    yield Row("r against ln p1", None, correlation([log(n) for n in articles], r), basis=TABLE, note="correlation")
    yield Row("r against √p1", None, correlation([sqrt(n) for n in articles], r), basis=TABLE, note="correlation")
    for name in ("r against p6, words of the day", "r against p7, columns of the day"):
        yield EXPERIMENT.value(name).lacking("not printed by day")


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
    unpublished="p6 and p7 of every day",
    run=run,
)
