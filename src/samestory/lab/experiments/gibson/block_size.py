"""G1: minimum size of a block of a page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from samestory.lab.experiments.by_study import gibson
from samestory.lab.experiments.gibson.roc_areas import Area, PageAreas, Setting
from samestory.lab.experiments.inputs import ExperimentInput
from samestory.lab.experiments.values import YOURS, PublishedValue, ReportRow

MIN_BLOCK_WORDS = range(1, 21)
#: Words in a shingle.
SHINGLE = 6
_SHAPE = "area with larger least blocks"


def areas(page_areas: PageAreas) -> dict[int, Area]:
    """Compute the area for every minimum block size, of pages without script and style."""
    found = {least: page_areas.area(Setting(f"heuristic(least={least})")) for least in MIN_BLOCK_WORDS}
    return {least: area for least, area in found.items() if isinstance(area, Area)}


def run(collection: ExperimentInput) -> Iterator[ReportRow]:
    """Compute the area for every minimum block size, and describe its trend."""
    page_areas = PageAreas(collection, SHINGLE)
    found = areas(page_areas)
    for least, area in found.items():
        yield area.row(f"area, blocks of {least} words and more", EXPERIMENT)
    yield EXPERIMENT.value(_SHAPE).with_measured(shape(list(found.values())), page_areas.note, YOURS)


def shape(found: Sequence[Area]) -> str:
    """Describe the trend of areas for 1, 2, 3 …; areas within a standard error of the best count as equal.

    >>> shape([Area(value, 0.01) for value in (0.9, 0.95, 0.991, 1.0, 0.99, 0.98, 0.9)])
    'rises to 3, flat, falls from 6'
    >>> shape([Area(0.9, 0.01)] * 3)
    'flat'
    """
    best = max(found, key=lambda area: area.value)
    good = [number for number, area in enumerate(found, 1) if area.value >= best.value - best.error]
    parts = (
        [f"rises to {good[0]}"] * (good[0] > 1) + ["flat"] + [f"falls from {good[-1] + 1}"] * (good[-1] < len(found))
    )
    return ", ".join(parts)


EXPERIMENT = gibson(
    name="G1",
    title="smallest block of a page that counts, 1 to 20 words",
    place="Figure 3",
    key="the area rises to 10, is flat, falls from 17",
    published=(PublishedValue(_SHAPE, "rises to 10, flat, falls from 17"),),
    methods={"CEDAR": "cedar"},
    unpublished="numbers behind the figure",
    run=run,
)
