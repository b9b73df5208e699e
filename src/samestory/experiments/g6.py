"""G6: thresholds chosen on one half, measured on the other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from samestory.detectors.cedar import Cedar
from samestory.experiments.collection import Collection
from samestory.experiments.experiment import Experiment
from samestory.experiments.pages import Pages, pages, usable
from samestory.experiments.values import YOURS, Published, Row
from samestory.lab import GoldGroups, GoldPairs, score_articles
from samestory.lab.evaluate import Subject, best, curves, result, subjects
from samestory.lab.halves import halves
from samestory.measures import parse as measure
from samestory.model import Article

#: System: threshold; B-cubed precision, recall, F (from precision and recall, where the print differs).
FOUND = {
    "heuristic, N 5 %": (0.35, 0.929, 0.854, 0.890),
    "heuristic, MinBlock 8": (0.40, 0.919, 0.860, 0.889),
    "heuristic, N 5 %, MinBlock 9": (0.35, 0.981, 0.862, 0.918),
    "CE-BEST": (0.40, 0.992, 0.979, 0.985),
    "CE-SIMPLE": (0.40, 0.992, 0.977, 0.984),
    "reference": (0.40, 0.992, 0.977, 0.984),
}
_PRINTED = {"heuristic, N 5 %, MinBlock 9": ".917", "CE-SIMPLE": ".985", "reference": ".985"}
#: Of the first system only; the other rows print the same numbers for groups and for pairs, so one block is a copy.
PAIRS = (0.977, 0.782, 0.869)
#: What is tried on the half for development.
THRESHOLDS = [round(0.05 * step, 2) for step in range(1, 20)]
PERCENT = (1.0, 2.5, 5.0, 7.5, 10.0)
LEAST = (3, 5, 8, 9, 12)
#: Groups are what is related over others, as in the study.
GROUPING = "components"
_MEASURES = {"precision": "b_cubed_precision", "recall": "b_cubed_recall", "F": "b_cubed"}
_OF_PAIRS = {"precision": "pair_precision{}", "recall": "pair_recall", "F": "pair_f{}"}


@dataclass(frozen=True)
class System:
    """An extractor, and the filters that may be chosen with it."""

    extractor: str
    """A name; "" stands for the news as people took it out."""
    percent: Sequence[float] = (0.0,)
    least: Sequence[int] = (0,)

    def texts(self, given: Pages, least: int) -> list[Article] | str:
        """What it makes of every page; or why it makes nothing."""
        if not self.extractor:
            return given.reference()
        extractor = usable(f"{self.extractor}(least={least})" if least else self.extractor)
        return extractor if isinstance(extractor, str) else given.extracted(extractor)


#: Those of the study, under the names that they have there; and rules, which it did not have.
SYSTEMS = {
    "heuristic, N 5 %": System("heuristic", percent=PERCENT),
    "heuristic, MinBlock 8": System("heuristic", least=LEAST),
    "heuristic, N 5 %, MinBlock 9": System("heuristic", PERCENT, LEAST),
    "CE-BEST": System("crf"),
    "CE-SIMPLE": System("maxent"),
    "reference": System(""),
    "rules": System("rules"),
    "trafilatura": System("trafilatura"),
}


@dataclass(frozen=True)
class Chosen:
    """What was best on the half for development."""

    threshold: float
    percent: float
    least: int

    @property
    def note(self) -> str:
        """The filters in words."""
        parts = [f"N {self.percent:g} %"] * bool(self.percent) + [f"MinBlock {self.least}"] * bool(self.least)
        return ", ".join(parts)


def run(collection: Collection) -> Iterator[Row]:
    """Every system: threshold and filters chosen on one half, figures of the other; no story lies in both."""
    assert collection.gold is not None
    given = pages(collection)
    development, test, _ = halves(collection.gold)
    note = f"{len(development):,} judged for development, {len(test):,} for the test; {given.note}"
    for name, system in SYSTEMS.items():
        collection.tell(f"choosing for {name}")
        texts = {least: system.texts(given, least) for least in system.least}
        if why := next((found for found in texts.values() if isinstance(found, str)), None):
            yield from _lacking(name, why)
            continue
        known = {least: found for least, found in texts.items() if not isinstance(found, str)}
        chosen = _choose(development, known, system.percent)
        yield from _measured(collection, name, chosen, _subject(test, known[chosen.least], chosen), note)


def _choose(gold: GoldPairs | GoldGroups, texts: dict[int, list[Article]], percents: Sequence[float]) -> Chosen:
    main = measure("b_cubed" if isinstance(gold, GoldGroups) else "pair_f(unjudged='out')")
    found: list[tuple[float, Chosen]] = []
    for least, articles in texts.items():
        for percent in percents:
            subject = _subject(gold, articles, Chosen(THRESHOLDS[0], percent, least))
            (curve,) = curves(subject, [main], THRESHOLDS)
            at = best(main, curve)
            if at is not None:
                value = curve.values[curve.thresholds.index(at)]
                assert value is not None
                found.append((value, Chosen(at, percent, least)))
    return max(found, key=lambda each: each[0])[1]


def _subject(gold: GoldPairs | GoldGroups, articles: Sequence[Article], chosen: Chosen) -> Subject:
    """A half by itself: what stands in most of its pages is counted there."""
    named = {name for name, _ in gold.ids()}
    half = [article for article in articles if article.id in named]
    scored = score_articles(Cedar(threshold=chosen.threshold, frequent=chosen.percent), half)
    (subject,) = subjects(gold, [scored], GROUPING)
    return subject


def _measured(collection: Collection, name: str, chosen: Chosen, subject: Subject, note: str) -> Iterator[Row]:
    is_pairs = isinstance(collection.gold, GoldPairs)
    yield _beside(f"{name}, threshold", Row("", None, chosen.threshold, basis=YOURS, note=chosen.note))
    unjudged = "(unjudged='out')" if is_pairs else ""
    asked = {} if is_pairs else {f"{name}, {what}": spec for what, spec in _MEASURES.items()}
    asked |= {f"{name}, pair {what}": spec.format(unjudged) for what, spec in _OF_PAIRS.items()}
    found = result(subject, [measure(spec) for spec in asked.values()], rounds=collection.rounds)
    for what, figure in zip(asked, found.figures, strict=True):
        yield _beside(what, Row.of(what, figure, note))
    if is_pairs:
        yield from (row for row in _lacking(name, "needs gold of groups") if row.what.rpartition(" ")[2] in _MEASURES)


def _beside(what: str, row: Row) -> Row:
    published = next((value for value in EXPERIMENT.published if value.what == what), None)
    note = "; ".join(filter(None, (row.note, published.erratum if published else "")))
    return Row(what, published.value if published else None, row.measured, row.low, row.high, YOURS, note, row.form)


def _lacking(name: str, why: str) -> Iterator[Row]:
    for what in ("threshold", *_MEASURES):
        known = next((value for value in EXPERIMENT.published if value.what == f"{name}, {what}"), None)
        yield known.lacking(why) if known else Row(f"{name}, {what}", note=why)


def _erratum(system: str, what: str) -> str:
    parts = []
    if what == "F" and system in _PRINTED:
        parts.append(f"printed as {_PRINTED[system]}, against its own precision and recall")
    if system != "heuristic, N 5 %" and what != "threshold":
        parts.append("printed alike for groups and pairs: which of the two it is nobody knows")
    return "; ".join(parts)


EXPERIMENT = Experiment(
    name="G6",
    title="formal halves for development and test",
    study="gibson2007",
    place="Table 3",
    relation="near",
    key="B-cubed F .89 … .984, thresholds 0.35 and 0.40",
    published=(
        *(
            Published(f"{system}, {what}", value, "share", _erratum(system, what))
            for system, values in FOUND.items()
            for what, value in zip(("threshold", "precision", "recall", "F"), values, strict=True)
        ),
        *(
            Published(f"heuristic, N 5 %, pair {what}", value, "share")
            for what, value in zip(("precision", "recall", "F"), PAIRS, strict=True)
        ),
    ),
    docs="must",
    gold="must",
    also=("same",),
    methods={"CEDAR": "cedar"},
    components=("html",),
    run=run,
)
