"""V9: growth of the run time of containment methods."""

from __future__ import annotations

from collections.abc import Iterator

from samestory.lab.experiments.by_study import varol
from samestory.lab.experiments.inputs import ExperimentInput
from samestory.lab.experiments.times import rows, series
from samestory.lab.experiments.values import PublishedValue, ReportRow

METHODS = {"FFP": "ffp", "CoDet": "codet", "I-Match": "imatch-top10", "SimHash": "simhash"}


def run(collection: ExperimentInput) -> Iterator[ReportRow]:
    """Measure growth and times of every method and of the baselines, including fitting."""
    articles = collection.articles()
    for label, detector in collection.detectors(METHODS):
        what = f"{label}, growth"
        printed = next((value.value for value in EXPERIMENT.published if value.what == what), None)
        yield from rows(label, printed, series(detector, articles, collection.progress))


EXPERIMENT = varol(
    name="V9",
    title="run time of containment methods up to 209,305 articles",
    key="FFP grows faster than linearly; I-Match, SimHash and CoDet scale",
    published=(
        PublishedValue("FFP, growth", "faster than linear"),
        PublishedValue("CoDet, growth", "scales"),
        PublishedValue("I-Match, growth", "scales"),
        PublishedValue("SimHash, growth", "scales"),
    ),
    methods=METHODS,
    unpublished="numbers behind the figure",
    run=run,
    gold="no",
    shape="",
)
