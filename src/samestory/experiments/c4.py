"""C4: what DDD should do with short articles."""

from __future__ import annotations

from collections.abc import Iterator

from samestory.detectors import parse
from samestory.experiments.collection import Collection
from samestory.experiments.experiment import Experiment
from samestory.experiments.values import YOURS, Published, Row
from samestory.experiments.variants import best, rows

#: The options of the study: compared as they are, cut to the shorter one, padded; and padded with a guard.
OPTIONS = ("a", "b", "c-pad", "c-oov", "c-guarded")
#: The fewest terms of an article that is compared at all: none asked for, and as the study has it.
LEAST = (1, 20)


def run(collection: Collection) -> Iterator[Row]:
    """Every option, for all articles and for those with enough terms."""
    forms = {
        f"option {option}, at least {least} terms": parse(f"ddd(short={option!r}, least={least})")
        for least in LEAST
        for option in OPTIONS
    }
    shown = ("precision", "recall", "F1")
    found = list(rows(EXPERIMENT, collection, forms, *shown))
    values = {row.what.removesuffix(", F1"): row for row in found if row.what.endswith(", F1")}
    yield EXPERIMENT.value("best").beside(best(values), "by F1", basis=YOURS)
    yield EXPERIMENT.value("unreliable under").beside(None, "precision with and without a least number of terms, below")
    yield from found


EXPERIMENT = Experiment(
    name="C4",
    title="DDD: short articles compared as they are, cut, or padded",
    study="conrad2006",
    relation="fuzzy80",
    key="padding is best; under 20 terms nothing is reliable",
    published=(
        Published("best", "padding, with amendments"),
        Published("unreliable under", 20, "terms"),
    ),
    docs="must",
    gold="must",
    also=("near", "same"),
    methods={"DDD": "ddd"},
    unpublished="what the amendments were",
    run=run,
)
