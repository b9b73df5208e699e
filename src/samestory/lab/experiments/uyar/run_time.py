"""U5: run time over doubling sizes, Tweezer and I-Match."""

from __future__ import annotations

import time
from collections.abc import Iterator

from samestory.lab.experiments.by_study import uyar
from samestory.lab.experiments.inputs import ExperimentInput
from samestory.lab.experiments.tables import column
from samestory.lab.experiments.times import GROWTH, exponent, rows, series
from samestory.lab.experiments.values import TABLE, YOURS, PublishedValue, ReportRow

_GAIN = "by how many % Tweezer is faster than I-Match without idf"
#: The columns of the table. I-Match has two: with the time for idf, and without.
WITH, WITHOUT, TWEEZER = "I-Match with idf", "I-Match without idf", "Tweezer"
_COLUMNS = {WITH: "imatch_with_idf", WITHOUT: "imatch_without_idf", TWEEZER: "tweezer"}
METHODS = {WITH: "imatch-idf", WITHOUT: "imatch-idf", TWEEZER: "tweezer"}


def run(collection: ExperimentInput) -> Iterator[ReportRow]:
    """Recompute gains and growth from the printed times; then time detectors on the user's articles."""
    sizes, without, tweezer = (column("uyar_times", name) for name in ("articles", "imatch_without_idf", "tweezer"))
    gains = [100 * (1 - ours / theirs) for ours, theirs in zip(tweezer, without, strict=True)]
    yield EXPERIMENT.value(f"{_GAIN}, least").with_measured(min(gains))
    yield EXPERIMENT.value(f"{_GAIN}, most").with_measured(max(gains))
    for size, gain in zip(sizes, gains, strict=True):
        yield ReportRow(f"{_GAIN}, {int(size):,} articles", None, gain, basis=TABLE)
    for label, name in _COLUMNS.items():
        points = list(zip(sizes, column("uyar_times", name), strict=True))
        yield EXPERIMENT.value(f"{label}, growth").with_measured(exponent(points), GROWTH)
    if collection.sources:
        yield from _user_rows(collection)


def _user_rows(collection: ExperimentInput) -> Iterator[ReportRow]:
    start = time.perf_counter()
    articles = collection.articles()
    spent = 1000 * (time.perf_counter() - start)
    yield ReportRow(f"reading, ms, {len(articles):,} articles", None, spent, basis=YOURS, note="not in the times below")
    times = {}
    for label, detector in collection.detectors(METHODS):
        times[label] = series(detector, articles, collection.progress, fit_before=label == WITHOUT)
        yield from rows(label, "linear" if label in METHODS else None, times[label])
    for ours, theirs in zip(times.get(TWEEZER, ()), times.get(WITHOUT, ()), strict=TWEEZER in times):
        gain = 100 * (1 - ours.seconds / theirs.seconds)
        yield ReportRow(f"{_GAIN}, {ours.articles:,} articles", None, gain, basis=YOURS)


EXPERIMENT = uyar(
    name="U5",
    title="run time of Tweezer and I-Match, 6,250 to 400,000 articles",
    place="Table 6.11",
    key="Tweezer 7 to 18 % faster than I-Match without the time for idf; all linear",
    published=(
        PublishedValue(f"{_GAIN}, least", 7, "%"),
        PublishedValue(f"{_GAIN}, most", 18, "%"),
        *(PublishedValue(f"{label}, growth", "linear") for label in _COLUMNS),
    ),
    methods=METHODS,
    unpublished="what the printed times include (reading, entities)",
    run=run,
)
