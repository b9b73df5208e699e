"""C4: how DDD compares short articles."""

from __future__ import annotations

from collections.abc import Iterator

from samestory.detectors import parse
from samestory.lab.experiments.by_study import conrad
from samestory.lab.experiments.inputs import ExperimentInput
from samestory.lab.experiments.values import YOURS, PublishedValue, ReportRow
from samestory.lab.experiments.variants import best, rows

#: The options of the study: compared as given, cut to the shorter one, padded; and padded with a guard.
OPTIONS = ("a", "b", "c-pad", "c-oov", "c-guarded")
#: Minimum terms of an article to be compared: no minimum, and that of the study.
MIN_TERMS = (1, 20)


def run(collection: ExperimentInput) -> Iterator[ReportRow]:
    """Measure every option, for all articles and for those with enough terms."""
    forms = {
        f"option {option}, at least {least} terms": parse(f"ddd(short={option!r}, least={least})")
        for least in MIN_TERMS
        for option in OPTIONS
    }
    shown = ("precision", "recall", "F1")
    found = list(rows(EXPERIMENT, collection, forms, *shown))
    values = {row.what.removesuffix(", F1"): row for row in found if row.what.endswith(", F1")}
    yield EXPERIMENT.value("best").with_measured(best(values), "by F1", basis=YOURS)
    yield EXPERIMENT.value("unreliable under").with_measured(
        None, "see precision with and without a minimum number of terms below"
    )
    yield from found


EXPERIMENT = conrad(
    name="C4",
    title="DDD: short articles compared as they are, cut, or padded",
    key="padding is best; under 20 terms nothing is reliable",
    published=(
        PublishedValue("best", "padding, with amendments"),
        PublishedValue("unreliable under", 20, "terms"),
    ),
    unpublished="what the amendments were",
    run=run,
)
