"""C2: DDD against the sets that assessors named."""

from __future__ import annotations

from collections.abc import Iterator

from samestory.experiments.collection import Collection
from samestory.experiments.duplicate_sets import duplicate_sets
from samestory.experiments.experiment import Experiment
from samestory.experiments.values import Published, Row
from samestory.measures import figure
from samestory.measures import parse as measure

MEASURES = {
    "recall": "set_recall()",
    "precision": "set_precision()",
    "recall, two articles in common": "set_recall(match='overlap')",
    "precision, two articles in common": "set_precision(match='overlap')",
}


def run(collection: Collection) -> Iterator[Row]:
    """Sets found and named, all lists together: the user's are neither training nor test."""
    for label, detector in collection.detectors({"DDD": "ddd"}):
        named = duplicate_sets(collection, detector)
        counts = [sum(map(len, side)) for side in (named.gold, named.found)]
        for name, spec in MEASURES.items():
            note = f"{counts[0]:,} sets named, {counts[1]:,} found, {len(named.lists):,} lists"
            found = figure(measure(spec), named.data, rounds=collection.rounds)
            printed = [value for value in EXPERIMENT.published if value.what == f"test, {name}"]
            if label == "DDD" and printed:
                yield printed[0].figure(found, note)
            else:
                yield Row.of(f"{label}, {name}", found, note)
    for value in EXPERIMENT.published:
        if value.what.startswith("training"):
            yield value.lacking("your lists stand beside the test lists")


EXPERIMENT = Experiment(
    name="C2",
    title="DDD on training and test queries, by sets of duplicates",
    study="conrad2006",
    place="Table 7",
    relation="fuzzy80",
    key="recall 86/88 and 79/82, precision 86/89 and 79/81",
    published=(
        Published("training, recall", 86 / 88, "share", "printed as 98.0 %"),
        Published("test, recall", 79 / 82, "share", "printed as 96.0 %"),
        Published("training, precision", 86 / 89, "share", "printed as 96.5 %"),
        Published(
            "test, precision", 79 / 81, "share", "without six false sets, removed after the fact; with them 79/87"
        ),
    ),
    docs="must",
    gold="must",
    also=("near", "same"),
    methods={"DDD": "ddd"},
    unpublished="when a found set counts as right",
    run=run,
)
