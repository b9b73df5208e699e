"""G3: number of words in a shingle."""

from __future__ import annotations

from collections.abc import Iterator

from samestory.html import parse
from samestory.lab.experiments.by_study import gibson
from samestory.lab.experiments.gibson.roc_areas import Area
from samestory.lab.experiments.inputs import ExperimentInput
from samestory.lab.experiments.pages import is_paged, pages
from samestory.lab.experiments.resemblance import labelled_pairs
from samestory.lab.experiments.values import YOURS, PublishedValue, ReportRow

SHINGLE_SIZES = range(1, 11)


def run(collection: ExperimentInput) -> Iterator[ReportRow]:
    """Compute the area for every shingle size, and the best; of pages, without script and style."""
    texts = pages(collection).extracted(parse("heuristic")) if is_paged(collection) else None
    pairs = labelled_pairs(collection, texts)
    areas = {}
    for size in SHINGLE_SIZES:
        collection.progress(f"comparing {len(pairs.gold):,} pairs by shingles of {size}")
        area = Area(*pairs.area(size))
        areas[size] = area.value
        yield area.row(f"area, shingles of {size}", EXPERIMENT)
    best = max(areas, key=areas.__getitem__)
    yield EXPERIMENT.value("best size").with_measured(best, pairs.note, YOURS)
    better = "1 is better" if areas[1] > areas[4] else "4 is better" if areas[4] > areas[1] else "equal"
    yield EXPERIMENT.value("sizes 1 and 4").with_measured(better, basis=YOURS)


EXPERIMENT = gibson(
    name="G3",
    title="words in a shingle, 1 to 10",
    place="Figure 5",
    key="best 2; 1 is better than 4; larger ones clearly worse",
    published=(PublishedValue("best size", 2, "words"), PublishedValue("sizes 1 and 4", "1 is better")),
    unpublished="numbers behind the figure",
    run=run,
    components=(),
)
