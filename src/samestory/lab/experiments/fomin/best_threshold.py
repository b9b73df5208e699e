"""F2: the best threshold of every day."""

from __future__ import annotations

from collections.abc import Iterator
from math import sqrt
from statistics import fmean

from samestory.lab.evaluation.evaluate import best, curves
from samestory.lab.experiments.by_study import fomin
from samestory.lab.experiments.fomin.short_days import COSINE, MEASURES, merged_days
from samestory.lab.experiments.fomin.threshold import THRESHOLDS
from samestory.lab.experiments.inputs import ExperimentInput
from samestory.lab.experiments.sets import Mean, parts
from samestory.lab.experiments.tables import column
from samestory.lab.experiments.values import YOURS, PublishedValue, ReportRow
from samestory.lab.measures import GroupedArticles, parse

#: Display names of the measures, by column.
NAMES = {"precision": "precision", "recall": "recall", "f": "F", "ari": "ARI", "ami": "AMI"}


def run(collection: ExperimentInput) -> Iterator[ReportRow]:
    """Summarise the printed days; then find the best threshold of the user's days (`--split day`)."""
    r = column("fomin_days", "r")
    yield EXPERIMENT.value("smallest r").with_measured(min(r))
    yield EXPERIMENT.value("largest r").with_measured(max(r))
    for field, name in NAMES.items():
        values = column("fomin_days", field)
        for what, value in (("min", min(values)), ("max", max(values)), ("mean", fmean(values))):
            yield EXPERIMENT.value(f"{name}, {what}").with_measured(value)
    if collection.gold is not None:
        yield from _days(collection)
        yield from _baseline_rows(collection)


def _days(collection: ExperimentInput) -> Iterator[ReportRow]:
    """Yield the days in the space of the study, each at its best r; and the best distance in the other space."""
    days = merged_days(collection)
    best = [day.best_r() for day in days]
    scaled = [r / sqrt(max(day.items, 1)) for r, day in zip(best, days, strict=True)]
    note = f"{len(days)} days, each fitted alone; r/√items {min(scaled):.4f} … {max(scaled):.4f}"
    yield EXPERIMENT.value("smallest r").with_measured(min(best), note, YOURS)
    yield EXPERIMENT.value("largest r").with_measured(max(best), note, YOURS)
    values = [day.measured(r) for day, r in zip(days, best, strict=True)]
    for field, name in NAMES.items():
        mean = Mean.from_values([value[field] for value in values], least=-1.0)
        printed = EXPERIMENT.value(f"{name}, mean").value
        note = "each day at its best r"
        yield ReportRow(f"your days, {name}, mean", printed, mean.value, mean.low, mean.high, YOURS, note, ".4f")
    near = merged_days(collection, COSINE)
    best, f = [day.best_r() for day in near], [float(day.curve().f.max()) for day in near]
    note = f"{len(near)} days; mean F {fmean(f):.4f}; the threshold of semshort is 1 less this"
    yield ReportRow("1 − cos, smallest best distance", None, min(best), basis=YOURS, note=note)
    yield ReportRow("1 − cos, largest best distance", None, max(best), basis=YOURS, note=note)


def _baseline_rows(collection: ExperimentInput) -> Iterator[ReportRow]:
    """Yield the baselines, each at the best threshold of every day."""
    cut = parts(collection)
    main = parse(MEASURES["f"])
    for label, detector in collection.detectors({}):
        if not hasattr(detector, "threshold"):
            continue
        scored = collection.score(detector, THRESHOLDS[0])
        chosen: list[float] = []
        values: dict[str, list[float | None]] = {field: [] for field in MEASURES}
        for part in cut:
            collection.progress(f"cutting {label}: {part.name}")
            subject = part.subject(scored, collection.grouping)
            top = best(main, *curves(subject, [main], THRESHOLDS))
            if top is None:
                continue
            chosen.append(top)
            data = subject.at(top)
            assert isinstance(data, GroupedArticles)
            for field, spec in MEASURES.items():
                values[field].append(parse(spec).point(data))
        if not chosen:
            yield ReportRow(f"{label}, best threshold", note="F is undefined everywhere: no group has two articles")
            continue
        note = f"{len(chosen)} of {len(cut)} sets; not an r: higher is more similar"
        yield ReportRow(f"{label}, smallest best threshold", None, min(chosen), basis=YOURS, note=note)
        yield ReportRow(f"{label}, largest best threshold", None, max(chosen), basis=YOURS, note=note)
        for field, name in NAMES.items():
            mean = Mean.from_values(values[field], least=-1.0)
            printed = EXPERIMENT.value(f"{name}, mean").value
            note = "each set at its best threshold"
            yield ReportRow(f"{label}, {name}, mean", printed, mean.value, mean.low, mean.high, YOURS, note, ".4f")


EXPERIMENT = fomin(
    name="F2",
    title="best r of each of 20 days",
    place="Tables 5 and 8",
    key="r 2.05 … 4.46, means: F .745, ARI .74, AMI .79",
    published=(
        PublishedValue("smallest r", 2.05, "r", "Table 5 truncates r instead of rounding it"),
        PublishedValue("largest r", 4.46, "r", "Table 5 truncates r instead of rounding it"),
        *(
            PublishedValue(
                f"{name}, {what}", value, "share", "Table 8 has 0.69" if (name, what) == ("AMI", "min") else ""
            )
            for name, values in {
                "precision": (0.66, 0.93, 0.77),
                "recall": (0.62, 0.91, 0.73),
                "F": (0.67, 0.84, 0.75),
                "ARI": (0.67, 0.84, 0.74),
                "AMI": (0.68, 0.90, 0.79),
            }.items()
            for what, value in zip(("min", "max", "mean"), values, strict=True)
        ),
    ),
    run=run,
)
