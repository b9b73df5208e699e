"""G2: how many of the most frequent shingles to leave out."""

from __future__ import annotations

from collections.abc import Iterator

from samestory.experiments.areas import Area, Paged, Setting
from samestory.experiments.collection import Collection
from samestory.experiments.experiment import Experiment
from samestory.experiments.g1 import SHINGLE
from samestory.experiments.g1 import areas as by_blocks
from samestory.experiments.values import YOURS, Published, Row

PERCENT = range(11)
_GAIN = "area with more left out"


def run(collection: Collection) -> Iterator[Row]:
    """The area for every percentage, and what is gained beside G1."""
    paged = Paged(collection, SHINGLE)
    found: dict[int, Area] = {}
    for percent in PERCENT:
        area = paged.area(Setting("heuristic", percent))
        assert isinstance(area, Area)  # nothing has to be installed for it
        found[percent] = area
        yield area.row(f"area, {percent} % of shingles left out", EXPERIMENT)
    gain = max(area.value for area in found.values()) - found[0].value
    blocks = [area.value for area in by_blocks(paged).values()]
    other = max(blocks) - blocks[0]
    told = "gains more than in G1" if gain > other else "gains less than in G1" if gain < other else "gains as much"
    yield EXPERIMENT.value(_GAIN).beside(told, f"{gain:.2g} here, {other:.2g} there; {paged.note}", YOURS)


EXPERIMENT = Experiment(
    name="G2",
    title="most frequent shingles left out, 0 to 10 %",
    study="gibson2007",
    place="Figure 4",
    relation="near",
    key="a larger gain than G1",
    published=(Published(_GAIN, "gains more than in G1"),),
    docs="must",
    gold="must",
    also=("identical", "same"),
    methods={"CEDAR": "cedar"},
    components=("html",),
    unpublished="numbers behind the figure",
    run=run,
)
