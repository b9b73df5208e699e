"""Variants of a method on judged pairs, and the corpus tree of each variant of CoDet."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from samestory.detectors import Detector
from samestory.detectors.codet import CoDet
from samestory.index import CorpusTree
from samestory.lab.evaluation.evaluate import result, subjects
from samestory.lab.experiments.experiment import Experiment
from samestory.lab.experiments.inputs import ExperimentInput
from samestory.lab.experiments.values import YOURS, ReportRow
from samestory.lab.measures import Figure, parse
from samestory.model import Article
from samestory.text import prepare

#: All pairs of the study's methods were judged. Unjudged pairs of a method from outside the pool are left out, and
#: counted as wrong in a separate row.
MEASURES = {
    "precision": "pair_precision(unjudged='out')",
    "recall": "pair_recall()",
    "F1": "pair_f(unjudged='out')",
    "F1, unjudged wrong": "pair_f(unjudged='wrong')",
}


@dataclass(frozen=True)
class VariantResult:
    """The figures of one variant by name, and its number of unjudged reported pairs."""

    figures: Mapping[str, Figure]
    unjudged: int

    def note(self, what: str) -> str:
        """Return the note of a figure."""
        return f"{self.unjudged:,} reported pairs unjudged" if what.startswith("F1") else ""


def measured(collection: ExperimentInput, forms: Mapping[str, Detector]) -> Iterator[tuple[str, VariantResult]]:
    """Yield every variant with its figures on the judged pairs."""
    assert collection.gold is not None
    joined = subjects(collection.gold, [collection.score(form) for form in forms.values()], collection.grouping)
    for label, subject in zip(forms, joined, strict=True):
        found = result(subject, [parse(spec) for spec in MEASURES.values()], rounds=collection.rounds)
        yield label, VariantResult(dict(zip(MEASURES, found.figures, strict=True)), found.unjudged)


def rows(
    experiment: Experiment, collection: ExperimentInput, forms: Mapping[str, Detector], *shown: str
) -> Iterator[ReportRow]:
    """Yield a row for every variant and figure shown, with the published value."""
    printed = {value.what: value for value in experiment.published}
    for label, found in measured(collection, forms):
        for name in shown or ("F1",):
            what, figure = f"{label}, {name}", found.figures[name]
            note = found.note(name)
            yield (
                printed[what].with_figure(figure, note)
                if what in printed
                else ReportRow.from_figure(what, figure, note)
            )


def best(rows: Mapping[str, ReportRow]) -> str | None:
    """Return the variant with the highest value, or all tied variants; None where no variant has a value.

    >>> best({"a": ReportRow("a", measured=0.5), "b": ReportRow("b", measured=0.7), "c": ReportRow("c", measured=0.7)})
    'tie: b, c'
    """
    values = {label: row.measured for label, row in rows.items() if isinstance(row.measured, float)}
    first = [label for label, value in values.items() if value == max(values.values())]
    return f"tie: {', '.join(first)}" if len(first) > 1 else next(iter(first), None)


def tree(collection: ExperimentInput, detector: CoDet, articles: list[Article]) -> CorpusTree:
    """Build the corpus tree of all articles."""
    features = prepare(articles)
    collection.progress(f"growing the tree of {detector}")
    out = CorpusTree(detector.fit([features]))
    out.add(features)
    return out


def count(what: str, value: float, note: str = "") -> ReportRow:
    """Return a row for a number measured on the user's articles, without a published value."""
    return ReportRow(what, None, value, basis=YOURS, note=note)
