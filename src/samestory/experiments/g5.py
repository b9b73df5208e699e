"""G5: filters in the place of extraction."""

from __future__ import annotations

from collections.abc import Iterator

from samestory.experiments.areas import published, recomputed
from samestory.experiments.collection import Collection
from samestory.experiments.experiment import Experiment
from samestory.experiments.values import Row


def run(collection: Collection) -> Iterator[Row]:
    """The standard errors again."""
    return recomputed(EXPERIMENT)


EXPERIMENT = Experiment(
    name="G5",
    title="filters of blocks and shingles, shingles of 2 words",
    study="gibson2007",
    place="Table 2",
    relation="near",
    key="area 0.94275 without … 0.99994 by heuristic, 5 % of shingles out, blocks of 12 words",
    published=published("G5", {"whole page, N 7.5 %": "printed as 0.00005, which the formula of the study denies"}),
    methods={"CEDAR": "cedar"},
    components=("html",),
    run=run,
)
