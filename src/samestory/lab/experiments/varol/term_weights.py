"""V3: term weights of CoDet."""

from __future__ import annotations

from collections.abc import Iterator

from samestory.detectors.codet import CoDet
from samestory.lab.experiments.by_study import varol
from samestory.lab.experiments.inputs import ExperimentInput
from samestory.lab.experiments.values import YOURS, PublishedValue, ReportRow
from samestory.lab.experiments.variants import best, rows

#: The weights compared.
FORMS = {weight: CoDet(weight=weight) for weight in ("idf", "tf", "tfidf")}


def run(collection: ExperimentInput) -> Iterator[ReportRow]:
    """Measure every weight on the judged pairs."""
    found = dict(zip(FORMS, rows(EXPERIMENT, collection, FORMS), strict=True))
    yield EXPERIMENT.value("best weight").with_measured(best(found), "by F1", basis=YOURS)
    yield from found.values()


EXPERIMENT = varol(
    name="V3",
    title="CoDet with idf, tf and tf·idf",
    key="idf is best",
    published=(PublishedValue("best weight", "idf"),),
    unpublished="numbers",
    run=run,
)
