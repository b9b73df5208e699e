"""V3: which weight of words CoDet should use."""

from __future__ import annotations

from collections.abc import Iterator

from samestory.detectors.codet import CoDet
from samestory.experiments.collection import Collection
from samestory.experiments.experiment import Experiment
from samestory.experiments.values import YOURS, Published, Row
from samestory.experiments.variants import best, rows

#: The weights compared.
FORMS = {weight: CoDet(weight=weight) for weight in ("idf", "tf", "tfidf")}


def run(collection: Collection) -> Iterator[Row]:
    """Every weight on the judged pairs."""
    found = dict(zip(FORMS, rows(EXPERIMENT, collection, FORMS), strict=True))
    yield EXPERIMENT.value("best weight").beside(best(found), "by F1", basis=YOURS)
    yield from found.values()


EXPERIMENT = Experiment(
    name="V3",
    title="CoDet with idf, tf and tf·idf",
    study="varol2012",
    relation="contains",
    key="idf is best",
    published=(Published("best weight", "idf"),),
    docs="must",
    gold="must",
    shape="pairs",
    methods={"CoDet": "codet"},
    unpublished="numbers",
    run=run,
)
