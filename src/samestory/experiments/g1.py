"""G1: how small a block of a page may be."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from samestory.experiments.areas import Area, Paged, Setting
from samestory.experiments.collection import Collection
from samestory.experiments.experiment import Experiment
from samestory.experiments.values import YOURS, Published, Row

LEAST = range(1, 21)
#: Words in a shingle.
SHINGLE = 6
_SHAPE = "area with larger least blocks"


def areas(paged: Paged) -> dict[int, Area]:
    """The area for every least block, of pages without script and style."""
    found = {least: paged.area(Setting(f"heuristic(least={least})")) for least in LEAST}
    return {least: area for least, area in found.items() if isinstance(area, Area)}


def run(collection: Collection) -> Iterator[Row]:
    """The area for every least block, and what shape that has."""
    paged = Paged(collection, SHINGLE)
    found = areas(paged)
    for least, area in found.items():
        yield area.row(f"area, blocks of {least} words and more", EXPERIMENT)
    yield EXPERIMENT.value(_SHAPE).beside(shape(list(found.values())), paged.note, YOURS)


def shape(found: Sequence[Area]) -> str:
    """What happens to areas for 1, 2, 3 …: within a standard error of the best they are as good as it.

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


EXPERIMENT = Experiment(
    name="G1",
    title="smallest block of a page that counts, 1 to 20 words",
    study="gibson2007",
    place="Figure 3",
    relation="near",
    key="the area rises to 10, is flat, falls from 17",
    published=(Published(_SHAPE, "rises to 10, flat, falls from 17"),),
    docs="must",
    gold="must",
    also=("identical", "same"),
    methods={"CEDAR": "cedar"},
    components=("html",),
    unpublished="numbers behind the figure",
    run=run,
)
