"""C3: a narrower window of dates for DDD."""

from __future__ import annotations

from collections.abc import Iterator

from samestory.detectors import parse
from samestory.lab.experiments.by_study import conrad
from samestory.lab.experiments.conrad.duplicate_sets import duplicate_sets
from samestory.lab.experiments.inputs import ExperimentInput
from samestory.lab.experiments.values import YOURS, PublishedValue, ReportRow

#: Days in twelve weeks and in six.
WINDOWS = (84, 42)


def run(collection: ExperimentInput) -> Iterator[ReportRow]:
    """Compare the sets of both windows with those of the assessors."""
    wide, narrow = (duplicate_sets(collection, parse(f"ddd(days={days})")) for days in WINDOWS)
    wrong, right = [], []
    for sets_by_list in (wide, narrow):
        gold = {(name, one) for name, sets in zip(sets_by_list.lists, sets_by_list.gold, strict=True) for one in sets}
        found = {(name, one) for name, sets in zip(sets_by_list.lists, sets_by_list.found, strict=True) for one in sets}
        wrong.append(found - gold)
        right.append(found & gold)
    vanished, lost = len(wrong[0] - wrong[1]), len(right[0] - right[1])
    note = f"{len(wrong[0]):,} false sets with {WINDOWS[0]} days, {len(wrong[1]):,} with {WINDOWS[1]}"
    yield EXPERIMENT.value("false sets that vanish").with_measured(vanished, note, basis=YOURS)
    yield EXPERIMENT.value("true sets lost").with_measured(lost, f"of {len(right[0]):,}", basis=YOURS)


EXPERIMENT = conrad(
    name="C3",
    title="DDD: window of dates, 12 weeks and 6",
    key="three false sets vanish, none is lost",
    published=(
        PublishedValue("false sets that vanish", 3, "count"),
        PublishedValue("true sets lost", 0, "count"),
    ),
    run=run,
)
