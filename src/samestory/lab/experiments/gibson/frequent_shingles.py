"""G2: share of the most frequent shingles left out."""

from __future__ import annotations

from collections.abc import Iterator

from samestory.lab.experiments.by_study import gibson
from samestory.lab.experiments.gibson.block_size import SHINGLE
from samestory.lab.experiments.gibson.block_size import areas as by_blocks
from samestory.lab.experiments.gibson.roc_areas import Area, PageAreas, Setting
from samestory.lab.experiments.inputs import ExperimentInput
from samestory.lab.experiments.values import YOURS, PublishedValue, ReportRow

PERCENT = range(11)
_GAIN = "area with more left out"


def run(collection: ExperimentInput) -> Iterator[ReportRow]:
    """Compute the area for every percentage, and the gain compared with G1."""
    page_areas = PageAreas(collection, SHINGLE)
    found: dict[int, Area] = {}
    for percent in PERCENT:
        area = page_areas.area(Setting("heuristic", percent))
        assert isinstance(area, Area)  # needs no optional package
        found[percent] = area
        yield area.row(f"area, {percent} % of shingles left out", EXPERIMENT)
    gain = max(area.value for area in found.values()) - found[0].value
    blocks = [area.value for area in by_blocks(page_areas).values()]
    other = max(blocks) - blocks[0]
    verdict = "gains more than in G1" if gain > other else "gains less than in G1" if gain < other else "gains as much"
    yield EXPERIMENT.value(_GAIN).with_measured(
        verdict, f"{gain:.2g} here, {other:.2g} there; {page_areas.note}", YOURS
    )


EXPERIMENT = gibson(
    name="G2",
    title="most frequent shingles left out, 0 to 10 %",
    place="Figure 4",
    key="a larger gain than G1",
    published=(PublishedValue(_GAIN, "gains more than in G1"),),
    methods={"CEDAR": "cedar"},
    unpublished="numbers behind the figure",
    run=run,
)
