"""F2: the best threshold of every day."""

from __future__ import annotations

from collections.abc import Iterator
from statistics import fmean

from samestory.experiments.collection import Collection
from samestory.experiments.experiment import Experiment
from samestory.experiments.f1 import METHODS, THRESHOLDS
from samestory.experiments.sets import Mean, parts
from samestory.experiments.tables import column
from samestory.experiments.values import YOURS, Published, Row
from samestory.lab.evaluate import best, curves
from samestory.measures import Grouped, parse

#: What is measured at the best threshold, by its column in the table.
MEASURES = {
    "precision": "pair_precision()",
    "recall": "pair_recall()",
    "f": "pair_f()",
    "ari": "ari()",
    "ami": "ami(norm='max')",
}
_NAMES = {"precision": "precision", "recall": "recall", "f": "F", "ari": "ARI", "ami": "AMI"}


def run(collection: Collection) -> Iterator[Row]:
    """The summary of the printed days; then the best threshold of the user's days (`--split day`)."""
    r = column("fomin_days", "r")
    yield EXPERIMENT.value("smallest r").beside(min(r))
    yield EXPERIMENT.value("largest r").beside(max(r))
    for field, name in _NAMES.items():
        values = column("fomin_days", field)
        for what, value in (("min", min(values)), ("max", max(values)), ("mean", fmean(values))):
            yield EXPERIMENT.value(f"{name}, {what}").beside(value)
    if collection.gold is not None:
        yield from _yours(collection)


def _yours(collection: Collection) -> Iterator[Row]:
    cut = parts(collection)
    main = parse(MEASURES["f"])
    for label, detector in collection.detectors(METHODS):
        if not hasattr(detector, "threshold"):
            continue
        scored = collection.score(detector, THRESHOLDS[0])
        chosen: list[float] = []
        values: dict[str, list[float | None]] = {field: [] for field in MEASURES}
        for part in cut:
            collection.tell(f"cutting {label}: {part.name}")
            subject = part.subject(scored, collection.grouping)
            top = best(main, *curves(subject, [main], THRESHOLDS))
            if top is None:
                continue
            chosen.append(top)
            data = subject.at(top)
            assert isinstance(data, Grouped)
            for field, spec in MEASURES.items():
                values[field].append(parse(spec).point(data))
        if not chosen:
            yield Row(f"{label}, best threshold", note="F is undefined everywhere: no group has two articles")
            continue
        note = f"{len(chosen)} of {len(cut)} sets; not an r: more is more alike"
        yield Row(f"{label}, smallest best threshold", None, min(chosen), basis=YOURS, note=note)
        yield Row(f"{label}, largest best threshold", None, max(chosen), basis=YOURS, note=note)
        for field, name in _NAMES.items():
            mean = Mean.of(values[field], least=-1.0)
            printed = EXPERIMENT.value(f"{name}, mean").value
            note = "each set at its best threshold"
            yield Row(f"{label}, {name}, mean", printed, mean.value, mean.low, mean.high, YOURS, note, ".4f")


EXPERIMENT = Experiment(
    name="F2",
    title="best r of each of 20 days",
    study="fomin2017",
    place="Tables 5 and 8",
    relation="semantic",
    key="r 2.05 … 4.46, means: F .745, ARI .74, AMI .79",
    published=(
        Published("smallest r", 2.05, "r", "Table 5 cuts r, and does not round it"),
        Published("largest r", 4.46, "r", "Table 5 cuts r, and does not round it"),
        *(
            Published(f"{name}, {what}", value, "share", "Table 8 has 0.69" if (name, what) == ("AMI", "min") else "")
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
    docs="may",
    gold="may",
    shape="groups",
    sets=True,
    also=("same",),
    methods=METHODS,
    run=run,
)
