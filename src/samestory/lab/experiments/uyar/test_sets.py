"""Document-level measures on test sets, as in U2 and U3: whether an article is a duplicate, and was flagged."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from math import inf
from statistics import fmean
from typing import Any

from samestory.detectors import Detector
from samestory.lab.evaluation.evaluate import Subject, fitting, result
from samestory.lab.experiments.experiment import Experiment
from samestory.lab.experiments.inputs import ExperimentInput
from samestory.lab.experiments.sets import EvaluationSet, Mean, parts
from samestory.lab.experiments.tables import column
from samestory.lab.experiments.values import YOURS, PublishedValue, ReportRow
from samestory.lab.measures import parse
from samestory.lab.measures.measure import Measure


@dataclass(frozen=True)
class StudyMeasure:
    """A measure of the study: its name there, its spec here, its column in the table, and its scale."""

    name: str
    spec: str
    field: str
    scale: float = 1.0

    def value(self, subject: Subject) -> float | None:
        """Compute the value at the detector's own threshold, in the unit of the study."""
        parsed: Measure[Any] = parse(self.spec)
        value = parsed.point(fitting(parsed, subject.at(subject.scored.threshold)))
        return None if value is None else value * self.scale


MEASURES = (
    StudyMeasure("false alarm in %", "doc_false_alarm()", "false_alarm", 100),
    StudyMeasure("miss in %", "doc_miss()", "miss", 100),
    StudyMeasure("C_dup", "c_dup()", "c_dup"),
    StudyMeasure("precision", "doc_precision()", "precision"),
    StudyMeasure("recall", "doc_recall()", "recall"),
    StudyMeasure("F1", "doc_f()", "f"),
)
#: Measures shown for every test set; the others only as means.
SHOWN_PER_SET = ("C_dup", "F1")

METHODS = {"Tweezer": "tweezer", "I-Match": "imatch-idf"}
_FIELDS = {"Tweezer": "tweezer", "I-Match": "imatch"}


def published(means: Mapping[str, tuple[float, ...]], errata: Mapping[str, str]) -> tuple[PublishedValue, ...]:
    """Return the printed means of both methods, in the order of `MEASURES`."""
    return tuple(
        PublishedValue(
            f"{label}, {measure.name}",
            value,
            "%" if measure.scale == 100 else "share",
            errata.get(f"{label}, {measure.name}", ""),
        )
        for label, values in means.items()
        for measure, value in zip(MEASURES, values, strict=True)
    )


def recomputed(experiment: Experiment, letter: str) -> Iterator[ReportRow]:
    """Yield the means of the printed rows of a collection."""
    for label, field in _FIELDS.items():
        for measure in MEASURES:
            values = column("uyar_sets", f"{field}_{measure.field}", collection=letter)
            value = experiment.value(f"{label}, {measure.name}")
            yield value.with_measured(fmean(values), f"mean of {len(values)} sets")


def measured(experiment: Experiment, collection: ExperimentInput) -> Iterator[ReportRow]:
    """Yield the measures on the user's test sets: means first, then every set."""
    cut = parts(collection)
    for label, detector in collection.detectors(METHODS):
        subjects = _subjects(collection, cut, detector)
        if len(cut) == 1:
            yield from _single(experiment, label, subjects[0], collection.rounds)
        else:
            yield from _means(experiment, label, cut, subjects)


def _subjects(collection: ExperimentInput, cut: Iterable[EvaluationSet], detector: Detector) -> list[Subject]:
    scored = collection.score(detector)
    return [part.subject(scored, collection.grouping) for part in cut]


def _single(experiment: Experiment, label: str, subject: Subject, rounds: int) -> Iterator[ReportRow]:
    found = result(subject, [parse(measure.spec) for measure in MEASURES], rounds=rounds)
    for measure, figure in zip(MEASURES, found.figures, strict=True):
        row = ReportRow.from_figure(f"{label}, {measure.name}", figure, "one set")
        value, low, high = (None if v is None else v * measure.scale for v in (figure.value, figure.low, figure.high))
        yield ReportRow(row.what, _printed(experiment, row.what), value, low, high, YOURS, row.note, row.form)


def _means(
    experiment: Experiment, label: str, cut: list[EvaluationSet], subjects: list[Subject]
) -> Iterator[ReportRow]:
    values = {measure.name: [measure.value(subject) for subject in subjects] for measure in MEASURES}
    # all measures but the cost are shares
    ranges = {measure.name: inf if measure.field == "c_dup" else measure.scale for measure in MEASURES}
    for name, those in values.items():
        mean = Mean.from_values(those, most=ranges[name])
        note = f"mean of {len(those) - mean.undefined} sets"
        note += f"; undefined in {mean.undefined}" if mean.undefined else ""
        what = f"{label}, {name}"
        yield ReportRow(what, _printed(experiment, what), mean.value, mean.low, mean.high, YOURS, note, ".4f")
    for name in SHOWN_PER_SET:
        for part, value in zip(cut, values[name], strict=True):
            note = "undefined: nothing to divide by" if value is None else f"{len(part.gold):,} articles"
            yield ReportRow(f"{label}, {name}, {part.name}", None, value, basis=YOURS, note=note, form=".4f")


def _printed(experiment: Experiment, what: str) -> float | str | None:
    return next((value.value for value in experiment.published if value.what == what), None)
