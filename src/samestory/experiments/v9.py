"""V9: how the run time of containment methods grows."""

from __future__ import annotations

from collections.abc import Iterator

from samestory.experiments.collection import Collection
from samestory.experiments.experiment import Experiment
from samestory.experiments.times import rows, series
from samestory.experiments.values import Published, Row

METHODS = {"FFP": "ffp", "CoDet": "codet", "I-Match": "imatch-top10", "SimHash": "simhash"}


def run(collection: Collection) -> Iterator[Row]:
    """Growth and times of every method, and of ours; counting words is part of the time."""
    articles = collection.articles()
    for label, detector in collection.detectors(METHODS):
        what = f"{label}, growth"
        printed = next((value.value for value in EXPERIMENT.published if value.what == what), None)
        yield from rows(label, printed, series(detector, articles, collection.tell))


EXPERIMENT = Experiment(
    name="V9",
    title="run time of containment methods up to 209,305 articles",
    study="varol2012",
    relation="contains",
    key="FFP grows faster than linearly; I-Match, SimHash and CoDet scale",
    published=(
        Published("FFP, growth", "faster than linear"),
        Published("CoDet, growth", "scales"),
        Published("I-Match, growth", "scales"),
        Published("SimHash, growth", "scales"),
    ),
    docs="must",
    methods=METHODS,
    unpublished="numbers behind the figure",
    run=run,
)
