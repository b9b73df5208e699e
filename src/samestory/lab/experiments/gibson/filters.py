"""G5: filters instead of extraction."""

from __future__ import annotations

from collections.abc import Iterator

from samestory.lab.experiments.by_study import gibson
from samestory.lab.experiments.gibson.extraction_effect import SHINGLE
from samestory.lab.experiments.gibson.roc_areas import PageAreas, Setting, published, recomputed
from samestory.lab.experiments.inputs import ExperimentInput
from samestory.lab.experiments.values import ReportRow

SETTINGS = {
    "whole page, no filter": Setting("whole"),
    "whole page, MinBlock 5": Setting("whole(least=5)"),
    "whole page, N 7.5 %": Setting("whole", 7.5),
    "heuristic, N 7.5 %": Setting("heuristic", 7.5),
    "heuristic, N 5 %, MinBlock 12": Setting("heuristic(least=12)", 5),
}


def run(collection: ExperimentInput) -> Iterator[ReportRow]:
    """Recompute the standard errors; then the area with every filter on the user's pages."""
    yield from recomputed(EXPERIMENT)
    if collection.gold is not None:
        yield from PageAreas(collection, SHINGLE).rows(EXPERIMENT, SETTINGS)


EXPERIMENT = gibson(
    name="G5",
    title="filters of blocks and shingles, shingles of 2 words",
    place="Table 2",
    key="area 0.94275 without … 0.99994 by heuristic, 5 % of shingles out, blocks of 12 words",
    published=published(
        "G5", {"whole page, N 7.5 %": "printed as 0.00005, which contradicts the formula of the study"}
    ),
    docs="may",
    gold="may",
    methods={"CEDAR": "cedar"},
    run=run,
)
