"""C2: DDD against the sets of the assessors."""

from __future__ import annotations

from collections.abc import Iterator

from samestory.lab.experiments.by_study import conrad
from samestory.lab.experiments.conrad.duplicate_sets import duplicate_sets
from samestory.lab.experiments.inputs import ExperimentInput
from samestory.lab.experiments.values import PublishedValue, ReportRow
from samestory.lab.measures import figure
from samestory.lab.measures import parse as measure

MEASURES = {
    "recall": "set_recall()",
    "precision": "set_precision()",
    "recall, two articles in common": "set_recall(match='overlap')",
    "precision, two articles in common": "set_precision(match='overlap')",
}


def run(collection: ExperimentInput) -> Iterator[ReportRow]:
    """Compare found sets with those of the assessors, over all lists: the user's are neither training nor test."""
    for label, detector in collection.detectors({"DDD": "ddd"}):
        sets_by_list = duplicate_sets(collection, detector)
        counts = [sum(map(len, side)) for side in (sets_by_list.gold, sets_by_list.found)]
        for name, spec in MEASURES.items():
            note = f"{counts[0]:,} gold sets, {counts[1]:,} found, {len(sets_by_list.lists):,} lists"
            found = figure(measure(spec), sets_by_list.data, rounds=collection.rounds)
            printed = [value for value in EXPERIMENT.published if value.what == f"test, {name}"]
            if label == "DDD" and printed:
                yield printed[0].with_figure(found, note)
            else:
                yield ReportRow.from_figure(f"{label}, {name}", found, note)
    for value in EXPERIMENT.published:
        if value.what.startswith("training"):
            yield value.not_measured("your lists are compared with the test lists")


EXPERIMENT = conrad(
    name="C2",
    title="DDD on training and test queries, by sets of duplicates",
    place="Table 7",
    key="recall 86/88 and 79/82, precision 86/89 and 79/81",
    published=(
        PublishedValue("training, recall", 86 / 88, "share", "printed as 98.0 %"),
        PublishedValue("test, recall", 79 / 82, "share", "printed as 96.0 %"),
        PublishedValue("training, precision", 86 / 89, "share", "printed as 96.5 %"),
        PublishedValue(
            "test, precision", 79 / 81, "share", "without six false sets, removed after the fact; with them 79/87"
        ),
    ),
    unpublished="when a found set counts as right",
    run=run,
)
