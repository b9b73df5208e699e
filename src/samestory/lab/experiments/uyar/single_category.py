"""U3: Tweezer and I-Match on 30 test sets of one category each."""

from __future__ import annotations

from collections.abc import Iterator

from samestory.lab.experiments.by_study import uyar
from samestory.lab.experiments.inputs import ExperimentInput
from samestory.lab.experiments.uyar.test_sets import METHODS, measured, published, recomputed
from samestory.lab.experiments.values import ReportRow

#: Three columns of Table 6.8 are under the headings of others, and the means of Table 6.9 repeat that.
HEADINGS_ERRATUM = "printed under another heading: Table 6.8 mixes up its columns"


def run(collection: ExperimentInput) -> Iterator[ReportRow]:
    """Recompute the printed means; then measure the user's test sets (`--split` is the field of the category)."""
    yield from recomputed(EXPERIMENT, "B")
    if collection.gold is not None:
        yield from measured(EXPERIMENT, collection)


EXPERIMENT = uyar(
    name="U3",
    title="Tweezer and I-Match on 30 test sets of 2,500 articles, one category each",
    place="test collection B",
    key="C_dup 0.07 and 0.24, F1 0.962 and 0.838 (columns put right)",
    published=published(
        {"Tweezer": (0.18, 4.18, 0.07, 0.970, 0.958, 0.962), "I-Match": (0.22, 20.80, 0.24, 0.946, 0.792, 0.838)},
        dict.fromkeys(("Tweezer, precision", "Tweezer, recall", "I-Match, F1"), HEADINGS_ERRATUM),
    ),
    gold="may",
    shape="groups",
    sets=True,
    also=("same",),
    methods=METHODS,
    run=run,
)
