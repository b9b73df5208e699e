"""V8: five methods on judged containments."""

from __future__ import annotations

from collections.abc import Iterator

from samestory.lab.experiments.by_study import varol
from samestory.lab.experiments.inputs import ExperimentInput
from samestory.lab.experiments.values import PublishedValue, ReportRow
from samestory.lab.experiments.variants import MEASURES, rows

METHODS = {
    "FFP": "ffp",
    "CoDet": "codet",
    "I-Match": "imatch-top10",
    "SimHash": "simhash",
    "DSC": "dsc-varol",
}
#: Method: printed precision, recall, F1.
PRINTED_RESULTS = {
    "FFP": (0.82, 0.88, 0.85),
    "CoDet": (0.75, 0.76, 0.76),
    "I-Match": (0.72, 0.33, 0.45),
    "SimHash": (0.53, 0.30, 0.39),
    "DSC": (0.22, 0.45, 0.30),
}


def run(collection: ExperimentInput) -> Iterator[ReportRow]:
    """Measure every method of the study, and the baselines."""
    yield from rows(EXPERIMENT, collection, dict(collection.detectors(METHODS)), *MEASURES)


EXPERIMENT = varol(
    name="V8",
    title="five methods on judged containments",
    key="F1: FFP .85, CoDet .76, I-Match .45, SimHash .39, DSC .30",
    published=tuple(
        PublishedValue(f"{method}, {what}", value, "share")
        for method, values in PRINTED_RESULTS.items()
        for what, value in zip(MEASURES, values, strict=False)
    ),
    methods=METHODS,
    run=run,
)
