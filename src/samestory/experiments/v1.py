"""V1: CoDet with and without stemming."""

from __future__ import annotations

from collections.abc import Iterator

from samestory.detectors.codet import CoDet
from samestory.experiments.collection import Collection
from samestory.experiments.experiment import Experiment
from samestory.experiments.values import Published, Row
from samestory.experiments.variants import rows

#: The forms compared.
FORMS = {"no stemming": CoDet(stemming="none"), "first five letters": CoDet(stemming="F5")}


def run(collection: Collection) -> Iterator[Row]:
    """Both forms on the judged pairs."""
    yield from rows(EXPERIMENT, collection, FORMS)


EXPERIMENT = Experiment(
    name="V1",
    title="CoDet with and without stemming",
    study="varol2012",
    relation="contains",
    key="F1 0.74 without, 0.76 with the first five letters",
    published=(
        Published("no stemming, F1", 0.74, "share"),
        Published("first five letters, F1", 0.76, "share"),
    ),
    docs="must",
    gold="must",
    shape="pairs",
    methods={"CoDet": "codet"},
    run=run,
)
