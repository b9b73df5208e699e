"""G4: how much the extraction of content matters."""

from __future__ import annotations

from collections.abc import Iterator

from samestory.experiments.areas import published, recomputed
from samestory.experiments.collection import Collection
from samestory.experiments.experiment import Experiment
from samestory.experiments.g3 import Z
from samestory.experiments.resemblance import compared
from samestory.experiments.values import YOURS, Row

#: Words in a shingle.
SHINGLE = 2


def run(collection: Collection) -> Iterator[Row]:
    """The standard errors again; then the area of the user's articles, whose texts are taken as well extracted."""
    yield from recomputed(EXPERIMENT)
    if collection.gold is None:
        return
    for setting in ("heuristic only", "CE-SIMPLE", "CE-BEST"):
        yield EXPERIMENT.value(f"{setting}, area").lacking("needs pages and package html")
    pairs = compared(collection)
    collection.tell(f"comparing {len(pairs.gold):,} pairs")
    area, error = pairs.area(SHINGLE)
    reference = EXPERIMENT.value("reference, area")
    note = f"the texts as given; standard error {error:.2g}; {pairs.note}"
    low, high = max(0.0, area - Z * error), min(1.0, area + Z * error)
    yield Row(reference.what, reference.value, area, low, high, YOURS, note, ".7f")


EXPERIMENT = Experiment(
    name="G4",
    title="variants of extraction, shingles of 2 words",
    study="gibson2007",
    place="Table 1",
    relation="near",
    key="area 0.91076 by heuristic … 0.9999935 by reference",
    published=published("G4", {}),
    docs="may",
    gold="may",
    also=("identical", "same"),
    components=("html",),
    run=run,
)
