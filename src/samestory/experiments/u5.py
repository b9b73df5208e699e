"""U5: run time over doubling sizes, Tweezer and I-Match."""

from __future__ import annotations

from collections.abc import Iterator

from samestory.experiments.collection import Collection
from samestory.experiments.documents import METHODS
from samestory.experiments.experiment import Experiment
from samestory.experiments.tables import column
from samestory.experiments.times import GROWTH, exponent, series
from samestory.experiments.values import TABLE, YOURS, Published, Row

_GAIN = "by how many % Tweezer is faster than I-Match without idf"
_COLUMNS = {
    "I-Match with idf": "imatch_with_idf",
    "I-Match without idf": "imatch_without_idf",
    "Tweezer": "tweezer",
}


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
    if not collection.sources:
        return
    articles = collection.articles()
    for label, detector in collection.detectors(METHODS):
        timed = series(detector, articles, collection.tell)
        yield Row(f"{label}, growth", "linear", exponent(timed), basis=YOURS, note=GROWTH)
        for size, seconds in timed:
            yield Row(f"{label}, ms, {size:,} articles", None, 1000 * seconds, basis=YOURS)


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
