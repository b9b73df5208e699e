"""F1: quality against the threshold."""

from __future__ import annotations

from collections.abc import Iterator

from samestory.lab.evaluation import GoldGroups, GoldPairs
from samestory.lab.evaluation.evaluate import best, curves, result, subjects
from samestory.lab.experiments.by_study import fomin
from samestory.lab.experiments.fomin.short_days import merge_day, short_days
from samestory.lab.experiments.inputs import ExperimentInput
from samestory.lab.experiments.values import YOURS, PublishedValue, ReportRow
from samestory.lab.measures import parse

METHODS = {"single linkage": "semshort"}
#: Multiples of 0.05; a detector runs once, at the lowest.
THRESHOLDS = [round(step / 20, 2) for step in range(1, 20)]


#: Number of steps of the curve over r that are shown.
STEPS = 20


def run(collection: ExperimentInput) -> Iterator[ReportRow]:
    """Compute pair F over r in the space of the study; then at every threshold, for every detector with one."""
    if isinstance(collection.gold, GoldGroups):
        yield from _over_r(collection)
    yield from _over_thresholds(collection)


def _over_r(collection: ExperimentInput) -> Iterator[ReportRow]:
    """Yield the curve of the largest day; nothing changes between two merges."""
    day = merge_day(max(short_days(collection), key=lambda each: len(each.rows)))
    curve = day.curve()
    if not len(curve.heights):
        yield ReportRow("distance between rows, F", note=f"{day.day.name}: no two items share a word")
        return
    name, steps = f"distance between rows, {day.day.name}", len(curve.heights)
    for at in sorted({round(step * (steps - 1) / STEPS) for step in range(STEPS + 1)} | {curve.best}):
        note = f"P {curve.precision[at]:.3f}, R {curve.recall[at]:.3f}"
        if at == curve.best:
            note += f"; the best of {steps:,} steps, chosen on the same gold"
        yield ReportRow(
            f"{name}, F at r = {curve.heights[at]:.4f}", None, float(curve.f[at]), None, None, YOURS, note, ".4f"
        )


def _over_thresholds(collection: ExperimentInput) -> Iterator[ReportRow]:
    """Yield F at every threshold for every detector with one, and the best with its interval."""
    assert collection.gold is not None
    pooled = isinstance(collection.gold, GoldPairs)
    default = "unjudged='out'" if pooled else ""
    quality, precision, recall = (
        parse(f"pair_f({default})"),
        parse(f"pair_precision({default})"),
        parse("pair_recall()"),
    )
    labelled = [(label, d) for label, d in collection.detectors(METHODS) if hasattr(d, "threshold")]
    runs = [collection.score(detector, THRESHOLDS[0]) for _, detector in labelled]
    for (label, _), subject in zip(labelled, subjects(collection.gold, runs, collection.grouping), strict=True):
        collection.progress(f"cutting {label}")
        drawn, *others = curves(subject, [quality, precision, recall], THRESHOLDS)
        others_values = [other.values for other in others]
        for at, f, p, r in zip(THRESHOLDS, drawn.values, *others_values, strict=True):
            yield ReportRow(
                f"{label}, F at {at:.2f}", None, f, basis=YOURS, note=f"P {_short(p)}, R {_short(r)}", form=".4f"
            )
        top = best(quality, drawn)
        if top is None:
            yield ReportRow(f"{label}, best F", note="undefined at every threshold")
            continue
        (found,) = result(subject, [quality], top, collection.rounds).figures
        note = f"at {top:.2f}, chosen on the same gold"
        if not pooled:
            way = collection.grouping or subject.scored.grouping
            note += "" if way == "components" else f"; groups by {way}, in the study by single linkage"
        yield ReportRow.from_figure(f"{label}, best F", found, note)


def _short(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"


EXPERIMENT = fomin(
    name="F1",
    title="quality against the threshold",
    place="Figure 1",
    key="a curve in steps",
    published=(PublishedValue("F against r", "in steps"),),
    docs="must",
    gold="must",
    unpublished="numbers behind the figure",
    run=run,
    shape="",
    sets=False,
)
