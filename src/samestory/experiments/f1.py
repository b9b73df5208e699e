"""F1: quality against the threshold."""

from __future__ import annotations

from collections.abc import Iterator

from samestory.experiments.collection import Collection
from samestory.experiments.experiment import Experiment
from samestory.experiments.short_days import merged, short_days
from samestory.experiments.values import YOURS, Published, Row
from samestory.lab import GoldGroups, GoldPairs
from samestory.lab.evaluate import best, curves, result, subjects
from samestory.measures import parse

METHODS = {"single linkage": "semshort"}
#: Every twentieth; a detector runs once, at the lowest.
THRESHOLDS = [round(step / 20, 2) for step in range(1, 20)]


#: Steps of the curve over r that are shown.
STEPS = 20


def run(collection: Collection) -> Iterator[Row]:
    """F of the pairs over r in the space of the study; then at every threshold, for every detector that has one."""
    if isinstance(collection.gold, GoldGroups):
        yield from _over_r(collection)
    yield from _over_thresholds(collection)


def _over_r(collection: Collection) -> Iterator[Row]:
    """The curve of the largest day: between two merges nothing changes."""
    day = merged(max(short_days(collection), key=lambda each: len(each.rows)))
    curve = day.curve()
    if not len(curve.heights):
        yield Row("distance between rows, F", note=f"{day.day.name}: no two items share a word")
        return
    name, steps = f"distance between rows, {day.day.name}", len(curve.heights)
    for at in sorted({round(step * (steps - 1) / STEPS) for step in range(STEPS + 1)} | {curve.best}):
        note = f"P {curve.precision[at]:.3f}, R {curve.recall[at]:.3f}"
        if at == curve.best:
            note += f"; the best of {steps:,} steps, chosen on the same gold"
        yield Row(f"{name}, F at r = {curve.heights[at]:.4f}", None, float(curve.f[at]), None, None, YOURS, note, ".4f")


def _over_thresholds(collection: Collection) -> Iterator[Row]:
    """F at every threshold, for every detector that has one; and the best, with its interval."""
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
            way = collection.grouping or subject.scored.grouping
            note += "" if way == "components" else f"; groups by {way}, in the study by single linkage"
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
