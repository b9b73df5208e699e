"""One method in several forms on judged pairs, and the corpus tree that each form of CoDet grows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from samestory.detectors import Detector
from samestory.detectors.codet import CoDet
from samestory.experiments.collection import Collection
from samestory.experiments.experiment import Experiment
from samestory.experiments.values import YOURS, Row
from samestory.index import CorpusTree
from samestory.lab.evaluate import result, subjects
from samestory.measures import Figure, parse
from samestory.model import Article
from samestory.text import prepare

#: Every pair of the study's methods was judged. A method from outside the pool reports pairs that nobody judged: they
#: are left out, and counted as wrong in a row of their own.
MEASURES = {
    "precision": "pair_precision(unjudged='out')",
    "recall": "pair_recall()",
    "F1": "pair_f(unjudged='out')",
    "F1, unjudged wrong": "pair_f(unjudged='wrong')",
}


@dataclass(frozen=True)
class Measured:
    """What came out for one form: figures by name, and how many reported pairs nobody has judged."""

    figures: Mapping[str, Figure]
    unjudged: int

    def note(self, what: str) -> str:
        """What must be known beside a figure."""
        return f"{self.unjudged:,} reported pairs unjudged" if what.startswith("F1") else ""


def measured(collection: Collection, forms: Mapping[str, Detector]) -> Iterator[tuple[str, Measured]]:
    """Every form with its figures on the judged pairs."""
    assert collection.gold is not None
    beside = subjects(collection.gold, [collection.score(form) for form in forms.values()], collection.grouping)
    for label, subject in zip(forms, beside, strict=True):
        found = result(subject, [parse(spec) for spec in MEASURES.values()], rounds=collection.rounds)
        yield label, Measured(dict(zip(MEASURES, found.figures, strict=True)), found.unjudged)


def rows(experiment: Experiment, collection: Collection, forms: Mapping[str, Detector], *shown: str) -> Iterator[Row]:
    """A row for every form and every figure that is shown, beside what was published."""
    printed = {value.what: value for value in experiment.published}
    for label, found in measured(collection, forms):
        for name in shown or ("F1",):
            what, figure = f"{label}, {name}", found.figures[name]
            note = found.note(name)
            yield printed[what].figure(figure, note) if what in printed else Row.of(what, figure, note)


def best(rows: Mapping[str, Row]) -> str | None:
    """The form with the highest value; where several have it, all of them; None where no form has one.

    >>> best({"a": Row("a", measured=0.5), "b": Row("b", measured=0.7), "c": Row("c", measured=0.7)})
    'tie: b, c'
    """
    values = {label: row.measured for label, row in rows.items() if isinstance(row.measured, float)}
    first = [label for label, value in values.items() if value == max(values.values())]
    return f"tie: {', '.join(first)}" if len(first) > 1 else next(iter(first), None)


def tree(collection: Collection, detector: CoDet, articles: list[Article]) -> CorpusTree:
    """The corpus tree of all articles."""
    features = prepare(articles)
    collection.tell(f"growing the tree of {detector}")
    out = CorpusTree(detector.fit([features]))
    out.add(features)
    return out


def count(what: str, value: float, note: str = "") -> Row:
    """A number measured on the user's articles, beside nothing published."""
    return Row(what, None, value, basis=YOURS, note=note)
