"""G3: how many words a shingle should have."""

from __future__ import annotations

from collections.abc import Iterator

from samestory.experiments.areas import Area
from samestory.experiments.collection import Collection
from samestory.experiments.experiment import Experiment
from samestory.experiments.pages import is_paged, pages
from samestory.experiments.resemblance import compared
from samestory.experiments.values import YOURS, Published, Row
from samestory.html import parse

SIZES = range(1, 11)


def run(collection: Collection) -> Iterator[Row]:
    """The area for every size of shingle, and which is best; of pages, without script and style."""
    texts = pages(collection).extracted(parse("heuristic")) if is_paged(collection) else None
    pairs = compared(collection, texts)
    areas = {}
    for size in SIZES:
        collection.tell(f"comparing {len(pairs.gold):,} pairs by shingles of {size}")
        area = Area(*pairs.area(size))
        areas[size] = area.value
        yield area.row(f"area, shingles of {size}", EXPERIMENT)
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
