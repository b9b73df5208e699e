"""V5: number of words of a sentence that CoDet processes, sorted or not."""

from __future__ import annotations

from collections.abc import Iterator

from samestory.detectors.codet import CoDet
from samestory.lab.experiments.by_study import varol
from samestory.lab.experiments.inputs import ExperimentInput
from samestory.lab.experiments.values import YOURS, PublishedValue, ReportRow
from samestory.lab.experiments.variants import best, rows

DEPTHS = range(1, 9)
#: The variants compared, by sorting and depth.
FORMS = {
    sorting: {f"{words}, depth {depth}": CoDet(word_sorting=sorting, depth=depth) for depth in DEPTHS}
    for sorting, words in ((True, "sorted"), (False, "not sorted"))
}


def run(collection: ExperimentInput) -> Iterator[ReportRow]:
    """Measure every depth on the judged pairs, with and without sorting."""
    found = {
        sorting: dict(zip(DEPTHS, rows(EXPERIMENT, collection, forms), strict=True)) for sorting, forms in FORMS.items()
    }
    chosen = best({str(depth): row for depth, row in found[True].items()})
    depth_or_tie = int(chosen) if chosen and chosen.isdigit() else chosen
    yield EXPERIMENT.value("best depth, words sorted").with_measured(depth_or_tie, "by F1", basis=YOURS)
    small = [found[sorting][2].measured for sorting in (True, False)]
    comparison = " against ".join("–" if value is None else f"{value:.4f}" for value in small)
    yield EXPERIMENT.value("words not sorted").with_measured(f"F1 at depth 2: {comparison} not sorted", basis=YOURS)
    for those in found.values():
        yield from those.values()


EXPERIMENT = varol(
    name="V5",
    title="CoDet: depth threshold, words sorted or not",
    key="best at 5 with sorting; sorting is better",
    published=(
        PublishedValue("best depth, words sorted", 5, "words", '"six" in another place of the study'),
        PublishedValue("words not sorted", "clearly worse at small depths"),
    ),
    unpublished="numbers behind the figure",
    run=run,
)
