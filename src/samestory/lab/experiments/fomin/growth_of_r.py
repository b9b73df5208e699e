"""F3: growth of the best r with the size of the day."""

from __future__ import annotations

from collections.abc import Iterator
from math import log, sqrt
from statistics import correlation

from samestory.lab.experiments.by_study import fomin
from samestory.lab.experiments.fomin.short_days import MIN_DAYS, merged_days, table, too_few
from samestory.lab.experiments.inputs import ExperimentInput
from samestory.lab.experiments.tables import column
from samestory.lab.experiments.values import TABLE, YOURS, PublishedValue, ReportRow

#: Features of the figures, by their index among the seven.
FIGURES = {"r against p1, articles of the day": 0, "r against p6, words of the day": 5, "r against p7, columns": 6}


def run(collection: ExperimentInput) -> Iterator[ReportRow]:
    """Correlate r with the number of articles, the only printed feature; then with those of the user's days."""
    articles, r = column("fomin_days", "articles"), column("fomin_days", "r")
    yield EXPERIMENT.value("r against p1, articles of the day").with_measured(correlation(articles, r), "correlation")
    yield ReportRow(
        "r against ln p1", None, correlation([log(n) for n in articles], r), basis=TABLE, note="correlation"
    )
    yield ReportRow("r against √p1", None, correlation([sqrt(n) for n in articles], r), basis=TABLE, note="correlation")
    for name in ("r against p6, words of the day", "r against p7, columns of the day"):
        yield EXPERIMENT.value(name).not_measured("not printed by day")
    if collection.gold is not None:
        yield from _user_rows(collection)


def _user_rows(collection: ExperimentInput) -> Iterator[ReportRow]:
    days = merged_days(collection)
    features, best = table(days)
    for day, r in zip(days, best.tolist(), strict=True):
        note = f"{len(day.day.rows):,} items; r/√items {r / sqrt(max(day.items, 1)):.4f}"
        yield ReportRow(f"your day {day.day.name}, best r", None, r, basis=YOURS, note=note)
    if len(days) < MIN_DAYS:
        yield too_few("your days, correlations", len(days))
        return
    for name, at in FIGURES.items():
        values = features[:, at].tolist()
        if len(set(values)) > 1 and len(set(best.tolist())) > 1:
            yield ReportRow(
                f"your days, {name}", None, correlation(values, best.tolist()), basis=YOURS, note="correlation"
            )


EXPERIMENT = fomin(
    name="F3",
    title="best r against features of the day",
    place="Figures 2 to 4",
    key="r grows with p1, p6 and p7",
    published=(
        PublishedValue("r against p1, articles of the day", "rises"),
        PublishedValue("r against p6, words of the day", "rises"),
        PublishedValue("r against p7, columns of the day", "rises"),
    ),
    unpublished="p6 and p7 of every day",
    run=run,
)
