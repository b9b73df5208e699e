"""G3: how many words a shingle should have."""

from __future__ import annotations

from collections.abc import Iterator

from samestory.experiments.collection import Collection
from samestory.experiments.experiment import Experiment
from samestory.experiments.resemblance import compared
from samestory.experiments.values import YOURS, Published, Row

SIZES = range(1, 11)
#: So many standard errors to each side make an interval of 95 %.
Z = 1.96


def run(collection: Collection) -> Iterator[Row]:
    """The area for every size of shingle, and which is best."""
    pairs = compared(collection)
    areas = {}
    for size in SIZES:
        collection.tell(f"comparing {len(pairs.gold):,} pairs by shingles of {size}")
        areas[size], error = pairs.area(size)
        low, high = max(0.0, areas[size] - Z * error), min(1.0, areas[size] + Z * error)
        yield Row(
            f"area, shingles of {size}", None, areas[size], low, high, YOURS, f"standard error {error:.2g}", ".5f"
        )
    best = max(areas, key=areas.__getitem__)
    yield EXPERIMENT.value("best size").beside(best, pairs.note, YOURS)
    better = "1 is better" if areas[1] > areas[4] else "4 is better" if areas[4] > areas[1] else "equal"
    yield EXPERIMENT.value("sizes 1 and 4").beside(better, basis=YOURS)


EXPERIMENT = Experiment(
    name="G3",
    title="words in a shingle, 1 to 10",
    study="gibson2007",
    place="Figure 5",
    relation="near",
    key="best 2; 1 is better than 4; larger ones clearly worse",
    published=(Published("best size", 2, "words"), Published("sizes 1 and 4", "1 is better")),
    docs="must",
    gold="must",
    also=("identical", "same"),
    unpublished="numbers behind the figure",
    run=run,
)
