"""V7: the power of the depth in CoDet's score."""

from __future__ import annotations

from collections.abc import Iterator

from samestory.detectors.codet import CoDet
from samestory.lab.experiments.by_study import varol
from samestory.lab.experiments.inputs import ExperimentInput
from samestory.lab.experiments.values import PublishedValue, ReportRow
from samestory.lab.experiments.variants import rows

#: Power of the depth: printed precision, recall, F1.
PRINTED_RESULTS = {0: (0.60, 0.62, 0.61), 1: (0.75, 0.76, 0.76), 2: (0.76, 0.75, 0.76), 3: (0.55, 0.53, 0.54)}

#: The variants compared.
FORMS = {f"power {power}": CoDet(power=float(power)) for power in PRINTED_RESULTS}


def run(collection: ExperimentInput) -> Iterator[ReportRow]:
    """Measure every power on the judged pairs."""
    yield from rows(EXPERIMENT, collection, FORMS, "precision", "recall", "F1")


EXPERIMENT = varol(
    name="V7",
    title="CoDet: depth score power, 0 to 3",
    key="F1 0.61, 0.76, 0.76, 0.54",
    published=tuple(
        PublishedValue(f"power {power}, {what}", value, "share")
        for power, values in PRINTED_RESULTS.items()
        for what, value in zip(("precision", "recall", "F1"), values, strict=True)
    ),
    run=run,
)
