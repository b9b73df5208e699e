"""U5: run time over doubling sizes, Tweezer and I-Match."""

from __future__ import annotations

import time
from collections.abc import Iterator

from samestory.experiments.collection import Collection
from samestory.experiments.experiment import Experiment
from samestory.experiments.tables import column
from samestory.experiments.times import GROWTH, exponent, rows, series
from samestory.experiments.values import TABLE, YOURS, Published, Row

_GAIN = "by how many % Tweezer is faster than I-Match without idf"
#: The columns of the table. I-Match stands there twice: idf is counted within its time, or before.
WITH, WITHOUT, TWEEZER = "I-Match with idf", "I-Match without idf", "Tweezer"
_COLUMNS = {WITH: "imatch_with_idf", WITHOUT: "imatch_without_idf", TWEEZER: "tweezer"}
METHODS = {WITH: "imatch-idf", WITHOUT: "imatch-idf", TWEEZER: "tweezer"}


def run(collection: Collection) -> Iterator[Row]:
    """Gains and growth from the printed times; then the times of detectors on the user's articles."""
    sizes, without, tweezer = (column("uyar_times", name) for name in ("articles", "imatch_without_idf", "tweezer"))
    gains = [100 * (1 - ours / theirs) for ours, theirs in zip(tweezer, without, strict=True)]
    yield EXPERIMENT.value(f"{_GAIN}, least").beside(min(gains))
    yield EXPERIMENT.value(f"{_GAIN}, most").beside(max(gains))
    for size, gain in zip(sizes, gains, strict=True):
        yield Row(f"{_GAIN}, {int(size):,} articles", None, gain, basis=TABLE)
    for label, name in _COLUMNS.items():
        points = list(zip(sizes, column("uyar_times", name), strict=True))
        yield EXPERIMENT.value(f"{label}, growth").beside(exponent(points), GROWTH)
    if collection.sources:
        yield from _yours(collection)


def _yours(collection: Collection) -> Iterator[Row]:
    start = time.perf_counter()
    articles = collection.articles()
    spent = 1000 * (time.perf_counter() - start)
    yield Row(f"reading, ms, {len(articles):,} articles", None, spent, basis=YOURS, note="not in the times below")
    taken = {}
    for label, detector in collection.detectors(METHODS):
        taken[label] = series(detector, articles, collection.tell, fit_before=label == WITHOUT)
        yield from rows(label, "linear" if label in METHODS else None, taken[label])
    for ours, theirs in zip(taken.get(TWEEZER, ()), taken.get(WITHOUT, ()), strict=TWEEZER in taken):
        gain = 100 * (1 - ours.seconds / theirs.seconds)
        yield Row(f"{_GAIN}, {ours.articles:,} articles", None, gain, basis=YOURS)


EXPERIMENT = Experiment(
    name="U5",
    title="run time of Tweezer and I-Match, 6,250 to 400,000 articles",
    study="uyar2009",
    place="Table 6.11",
    relation="near",
    key="Tweezer 7 to 18 % faster than I-Match without the time for idf; all linear",
    published=(
        Published(f"{_GAIN}, least", 7, "%"),
        Published(f"{_GAIN}, most", 18, "%"),
        *(Published(f"{label}, growth", "linear") for label in _COLUMNS),
    ),
    docs="may",
    methods=METHODS,
    unpublished="what the printed times include (reading, entities)",
    run=run,
)
