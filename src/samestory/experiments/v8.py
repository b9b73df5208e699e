"""V8: five methods on judged containments."""

from __future__ import annotations

from collections.abc import Iterator

from samestory.experiments.collection import Collection
from samestory.experiments.experiment import Experiment
from samestory.experiments.values import Published, Row
from samestory.experiments.variants import MEASURES, rows

METHODS = {
    "FFP": "ffp",
    "CoDet": "codet",
    "I-Match": "imatch-top10",
    "SimHash": "simhash",
    "DSC": "dsc-varol",
}
#: Method: precision, recall, F1.
FOUND = {
    "FFP": (0.82, 0.88, 0.85),
    "CoDet": (0.75, 0.76, 0.76),
    "I-Match": (0.72, 0.33, 0.45),
    "SimHash": (0.53, 0.30, 0.39),
    "DSC": (0.22, 0.45, 0.30),
}


def run(collection: Collection) -> Iterator[Row]:
    """Every method of the study, and ours."""
    yield from rows(EXPERIMENT, collection, dict(collection.detectors(METHODS)), *MEASURES)


EXPERIMENT = Experiment(
    name="V8",
    title="five methods on judged containments",
    study="varol2012",
    relation="contains",
    key="F1: FFP .85, CoDet .76, I-Match .45, SimHash .39, DSC .30",
    published=tuple(
        Published(f"{method}, {what}", value, "share")
        for method, values in FOUND.items()
        for what, value in zip(MEASURES, values, strict=False)
    ),
    docs="must",
    gold="must",
    shape="pairs",
    methods=METHODS,
    run=run,
)
