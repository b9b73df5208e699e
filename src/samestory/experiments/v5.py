"""V5: how many words of a sentence CoDet should process, sorted or not."""

from __future__ import annotations

from collections.abc import Iterator

from samestory.detectors.codet import CoDet
from samestory.experiments.collection import Collection
from samestory.experiments.experiment import Experiment
from samestory.experiments.values import YOURS, Published, Row
from samestory.experiments.variants import best, rows

DEPTHS = range(1, 9)
#: The forms compared, by sorting and depth.
FORMS = {
    sorting: {f"{words}, depth {depth}": CoDet(word_sorting=sorting, depth=depth) for depth in DEPTHS}
    for sorting, words in ((True, "sorted"), (False, "not sorted"))
}


def run(collection: Collection) -> Iterator[Row]:
    """Every depth on the judged pairs, with sorting and without."""
    found = {
        sorting: dict(zip(DEPTHS, rows(EXPERIMENT, collection, forms), strict=True)) for sorting, forms in FORMS.items()
    }
    chosen = best({str(depth): row for depth, row in found[True].items()})
    told = int(chosen) if chosen and chosen.isdigit() else chosen
    yield EXPERIMENT.value("best depth, words sorted").beside(told, "by F1", basis=YOURS)
    small = [found[sorting][2].measured for sorting in (True, False)]
    told = " against ".join("–" if value is None else f"{value:.4f}" for value in small)
    yield EXPERIMENT.value("words not sorted").beside(f"F1 at depth 2: {told} not sorted", basis=YOURS)
    for those in found.values():
        yield from those.values()


EXPERIMENT = Experiment(
    name="V5",
    title="CoDet: depth threshold, words sorted or not",
    study="varol2012",
    relation="contains",
    key="best at 5 with sorting; sorting is better",
    published=(
        Published("best depth, words sorted", 5, "words", '"six" in another place of the study'),
        Published("words not sorted", "clearly worse at small depths"),
    ),
    docs="must",
    gold="must",
    shape="pairs",
    methods={"CoDet": "codet"},
    unpublished="numbers behind the figure",
    run=run,
)
