"""F1: quality against the threshold."""

from __future__ import annotations

from collections.abc import Iterator

from samestory.experiments.collection import Collection
from samestory.experiments.experiment import Experiment
from samestory.experiments.values import YOURS, Published, Row
from samestory.lab import GoldPairs
from samestory.lab.evaluate import best, curves, result, subjects
from samestory.measures import parse

METHODS = {"single linkage": "semshort"}
#: Every twentieth; a detector runs once, at the lowest.
THRESHOLDS = [round(step / 20, 2) for step in range(1, 20)]


def run(collection: Collection) -> Iterator[Row]:
    """F of the pairs at every threshold, for every detector that has one; and the best, with its interval."""
    assert collection.gold is not None
    pooled = isinstance(collection.gold, GoldPairs)
    usual = "unjudged='out'" if pooled else ""
    quality, precision, recall = parse(f"pair_f({usual})"), parse(f"pair_precision({usual})"), parse("pair_recall()")
    labelled = [(label, d) for label, d in collection.detectors(METHODS) if hasattr(d, "threshold")]
    runs = [collection.score(detector, THRESHOLDS[0]) for _, detector in labelled]
    for (label, _), subject in zip(labelled, subjects(collection.gold, runs, collection.grouping), strict=True):
        collection.tell(f"cutting {label}")
        drawn, *others = curves(subject, [quality, precision, recall], THRESHOLDS)
        beside = [other.values for other in others]
        for at, f, p, r in zip(THRESHOLDS, drawn.values, *beside, strict=True):
            yield Row(f"{label}, F at {at:.2f}", None, f, basis=YOURS, note=f"P {_short(p)}, R {_short(r)}", form=".4f")
        top = best(quality, drawn)
        if top is None:
            yield Row(f"{label}, best F", note="undefined at every threshold")
            continue
        (found,) = result(subject, [quality], top, collection.rounds).figures
        note = f"at {top:.2f}, chosen on the same gold"
        if not pooled:
            note += f"; groups by {collection.grouping}, in the study by single linkage (--grouping components)"
        yield Row.of(f"{label}, best F", found, note)


def _short(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"


EXPERIMENT = Experiment(
    name="F1",
    title="quality against the threshold",
    study="fomin2017",
    place="Figure 1",
    relation="semantic",
    key="a curve in steps",
    published=(Published("F against r", "in steps"),),
    docs="must",
    gold="must",
    also=("same",),
    methods=METHODS,
    unpublished="numbers behind the figure",
    run=run,
)
