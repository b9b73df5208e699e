"""Test sets at the level of articles, as in U2 and U3: is an article a duplicate of anything, and was it flagged?"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from math import inf
from statistics import fmean
from typing import Any

from samestory.detectors import Detector
from samestory.experiments.collection import Collection
from samestory.experiments.experiment import Experiment
from samestory.experiments.sets import Mean, Part, parts
from samestory.experiments.tables import column
from samestory.experiments.values import YOURS, Published, Row
from samestory.lab.evaluate import Subject, fitting, result
from samestory.measures import parse
from samestory.measures.measure import Measure


@dataclass(frozen=True)
class Asked:
    """A measure of the study: its name there, in our specs, and in the table; how many of its units make 1."""

    name: str
    spec: str
    field: str
    scale: float = 1.0

    def of(self, subject: Subject) -> float | None:
        """Its value at the detector's own threshold, in the unit of the study."""
        measure: Measure[Any] = parse(self.spec)
        value = measure.point(fitting(measure, subject.at(subject.scored.threshold)))
        return None if value is None else value * self.scale


MEASURES = (
    Asked("false alarm in %", "doc_false_alarm()", "false_alarm", 100),
    Asked("miss in %", "doc_miss()", "miss", 100),
    Asked("C_dup", "c_dup()", "c_dup"),
    Asked("precision", "doc_precision()", "precision"),
    Asked("recall", "doc_recall()", "recall"),
    Asked("F1", "doc_f()", "f"),
)
#: Shown for every test set; the rest as means only.
EACH = ("C_dup", "F1")

METHODS = {"Tweezer": "tweezer", "I-Match": "imatch-idf"}
_FIELDS = {"Tweezer": "tweezer", "I-Match": "imatch"}


def published(means: Mapping[str, tuple[float, ...]], errata: Mapping[str, str]) -> tuple[Published, ...]:
    """The printed means of both methods, in the order of `MEASURES`."""
    return tuple(
        Published(
            f"{label}, {asked.name}",
            value,
            "%" if asked.scale == 100 else "share",
            errata.get(f"{label}, {asked.name}", ""),
        )
        for label, values in means.items()
        for asked, value in zip(MEASURES, values, strict=True)
    )


def recomputed(experiment: Experiment, letter: str) -> Iterator[Row]:
    """The means of the printed rows of a collection."""
    for label, field in _FIELDS.items():
        for asked in MEASURES:
            values = column("uyar_sets", f"{field}_{asked.field}", collection=letter)
            value = experiment.value(f"{label}, {asked.name}")
            yield value.beside(fmean(values), f"mean of {len(values)} sets")


def measured(experiment: Experiment, collection: Collection) -> Iterator[Row]:
    """The same on the user's test sets: means first, then every set."""
    cut = parts(collection)
    for label, detector in collection.detectors(METHODS):
        subjects = _beside(collection, cut, detector)
        if len(cut) == 1:
            yield from _single(experiment, label, subjects[0], collection.rounds)
        else:
            yield from _means(experiment, label, cut, subjects)


def _beside(collection: Collection, cut: Iterable[Part], detector: Detector) -> list[Subject]:
    scored = collection.score(detector)
    return [part.subject(scored, collection.grouping) for part in cut]


def _single(experiment: Experiment, label: str, subject: Subject, rounds: int) -> Iterator[Row]:
    found = result(subject, [parse(asked.spec) for asked in MEASURES], rounds=rounds)
    for asked, figure in zip(MEASURES, found.figures, strict=True):
        row = Row.of(f"{label}, {asked.name}", figure, "one set")
        value, low, high = (None if v is None else v * asked.scale for v in (figure.value, figure.low, figure.high))
        yield Row(row.what, _printed(experiment, row.what), value, low, high, YOURS, row.note, row.form)


def _means(experiment: Experiment, label: str, cut: list[Part], subjects: list[Subject]) -> Iterator[Row]:
    values = {asked.name: [asked.of(subject) for subject in subjects] for asked in MEASURES}
    # all but the cost are shares
    ranges = {asked.name: inf if asked.field == "c_dup" else asked.scale for asked in MEASURES}
    for name, those in values.items():
        mean = Mean.of(those, most=ranges[name])
        note = f"mean of {len(those) - mean.undefined} sets"
        note += f"; undefined in {mean.undefined}" if mean.undefined else ""
        what = f"{label}, {name}"
        yield Row(what, _printed(experiment, what), mean.value, mean.low, mean.high, YOURS, note, ".4f")
    for name in EACH:
        for part, value in zip(cut, values[name], strict=True):
            note = "undefined: nothing to divide by" if value is None else f"{len(part.gold):,} articles"
            yield Row(f"{label}, {name}, {part.name}", None, value, basis=YOURS, note=note, form=".4f")


def _printed(experiment: Experiment, what: str) -> float | str | None:
    return next((value.value for value in experiment.published if value.what == what), None)
