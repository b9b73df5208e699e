"""V1: CoDet with and without stemming."""

from __future__ import annotations

from collections.abc import Iterator

from samestory.detectors.codet import CoDet
from samestory.lab.experiments.by_study import varol
from samestory.lab.experiments.inputs import ExperimentInput
from samestory.lab.experiments.values import PublishedValue, ReportRow
from samestory.lab.experiments.variants import rows

#: The variants compared.
FORMS = {"no stemming": CoDet(stemming="none"), "first five letters": CoDet(stemming="F5")}


def run(collection: ExperimentInput) -> Iterator[ReportRow]:
    """Measure both variants on the judged pairs."""
    yield from rows(EXPERIMENT, collection, FORMS)


EXPERIMENT = varol(
    name="V1",
    title="CoDet with and without stemming",
    key="F1 0.74 without, 0.76 with the first five letters",
    published=(
        PublishedValue("no stemming, F1", 0.74, "share"),
        PublishedValue("first five letters, F1", 0.76, "share"),
    ),
    run=run,
)
