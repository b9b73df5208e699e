"""G6: thresholds chosen on one half, measured on the other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from samestory.detectors.cedar import Cedar
from samestory.lab.evaluation import GoldGroups, GoldPairs, score_articles
from samestory.lab.evaluation.evaluate import Subject, best, curves, result, subjects
from samestory.lab.evaluation.halves import halves
from samestory.lab.experiments.by_study import gibson
from samestory.lab.experiments.inputs import ExperimentInput
from samestory.lab.experiments.pages import PageSet, pages, usable
from samestory.lab.experiments.values import YOURS, PublishedValue, ReportRow
from samestory.lab.measures import parse as measure
from samestory.model import Article

#: System: threshold; B-cubed precision, recall, F (computed from precision and recall where the print differs).
PRINTED_RESULTS = {
    "heuristic, N 5 %": (0.35, 0.929, 0.854, 0.890),
    "heuristic, MinBlock 8": (0.40, 0.919, 0.860, 0.889),
    "heuristic, N 5 %, MinBlock 9": (0.35, 0.981, 0.862, 0.918),
    "CE-BEST": (0.40, 0.992, 0.979, 0.985),
    "CE-SIMPLE": (0.40, 0.992, 0.977, 0.984),
    "reference": (0.40, 0.992, 0.977, 0.984),
}
_PRINTED_F = {"heuristic, N 5 %, MinBlock 9": ".917", "CE-SIMPLE": ".985", "reference": ".985"}
#: Pair measures of the first system; the other rows print equal numbers for groups and pairs, so one block is a copy.
PRINTED_PAIRS = (0.977, 0.782, 0.869)
#: The values tried on the development half.
THRESHOLDS = [round(0.05 * step, 2) for step in range(1, 20)]
PERCENTS = (1.0, 2.5, 5.0, 7.5, 10.0)
MIN_BLOCK_WORDS = (3, 5, 8, 9, 12)
#: Groups are connected components, as in the study.
GROUPING = "components"
_MEASURES = {"precision": "b_cubed_precision", "recall": "b_cubed_recall", "F": "b_cubed"}
_OF_PAIRS = {"precision": "pair_precision{}", "recall": "pair_recall", "F": "pair_f{}"}


@dataclass(frozen=True)
class System:
    """An extractor, and the filter settings to choose from."""

    extractor: str
    """A name; "" is the manually extracted content."""
    percent: Sequence[float] = (0.0,)
    least: Sequence[int] = (0,)

    def texts(self, given: PageSet, least: int) -> list[Article] | str:
        """Extract the text of every page; or return why it is impossible."""
        if not self.extractor:
            return given.reference()
        extractor = usable(f"{self.extractor}(least={least})" if least else self.extractor)
        return extractor if isinstance(extractor, str) else given.extracted(extractor)


#: The systems of the study, under their names there; then others.
SYSTEMS = {
    "heuristic, N 5 %": System("heuristic", percent=PERCENTS),
    "heuristic, MinBlock 8": System("heuristic", least=MIN_BLOCK_WORDS),
    "heuristic, N 5 %, MinBlock 9": System("heuristic", PERCENTS, MIN_BLOCK_WORDS),
    "CE-BEST": System("crf"),
    "CE-SIMPLE": System("maxent"),
    "reference": System(""),
    "rules": System("rules"),
    "trafilatura": System("trafilatura"),
}


@dataclass(frozen=True)
class TunedSetting:
    """The best setting on the development half."""

    threshold: float
    percent: float
    least: int

    @property
    def note(self) -> str:
        """The filters, for the report."""
        parts = [f"N {self.percent:g} %"] * bool(self.percent) + [f"MinBlock {self.least}"] * bool(self.least)
        return ", ".join(parts)


def run(collection: ExperimentInput) -> Iterator[ReportRow]:
    """Choose threshold and filters of every system on one half, and measure on the other; no story is in both."""
    assert collection.gold is not None
    given = pages(collection)
    development, test, _ = halves(collection.gold)
    note = f"{len(development):,} judged for development, {len(test):,} for the test; {given.note}"
    for name, system in SYSTEMS.items():
        collection.progress(f"choosing for {name}")
        texts = {least: system.texts(given, least) for least in system.least}
        if why := next((found for found in texts.values() if isinstance(found, str)), None):
            yield from _unmeasured(name, why)
            continue
        usable_texts = {least: found for least, found in texts.items() if not isinstance(found, str)}
        chosen = _choose(development, usable_texts, system.percent)
        yield from _measured(collection, name, chosen, _subject(test, usable_texts[chosen.least], chosen), note)


def _choose(gold: GoldPairs | GoldGroups, texts: dict[int, list[Article]], percents: Sequence[float]) -> TunedSetting:
    main = measure("b_cubed" if isinstance(gold, GoldGroups) else "pair_f(unjudged='out')")
    found: list[tuple[float, TunedSetting]] = []
    for least, articles in texts.items():
        for percent in percents:
            subject = _subject(gold, articles, TunedSetting(THRESHOLDS[0], percent, least))
            (curve,) = curves(subject, [main], THRESHOLDS)
            at = best(main, curve)
            if at is not None:
                value = curve.values[curve.thresholds.index(at)]
                assert value is not None
                found.append((value, TunedSetting(at, percent, least)))
    return max(found, key=lambda each: each[0])[1]


def _subject(gold: GoldPairs | GoldGroups, articles: Sequence[Article], chosen: TunedSetting) -> Subject:
    """Evaluate one half separately: the most frequent shingles are counted within it."""
    named = {name for name, _ in gold.ids()}
    half = [article for article in articles if article.id in named]
    scored = score_articles(Cedar(threshold=chosen.threshold, frequent=chosen.percent), half)
    (subject,) = subjects(gold, [scored], GROUPING)
    return subject


def _measured(
    collection: ExperimentInput, name: str, chosen: TunedSetting, subject: Subject, note: str
) -> Iterator[ReportRow]:
    is_pairs = isinstance(collection.gold, GoldPairs)
    yield _with_published(f"{name}, threshold", ReportRow("", None, chosen.threshold, basis=YOURS, note=chosen.note))
    unjudged = "(unjudged='out')" if is_pairs else ""
    specs = {} if is_pairs else {f"{name}, {what}": spec for what, spec in _MEASURES.items()}
    specs |= {f"{name}, pair {what}": spec.format(unjudged) for what, spec in _OF_PAIRS.items()}
    found = result(subject, [measure(spec) for spec in specs.values()], rounds=collection.rounds)
    for what, figure in zip(specs, found.figures, strict=True):
        yield _with_published(what, ReportRow.from_figure(what, figure, note))
    if is_pairs:
        yield from (
            row for row in _unmeasured(name, "needs gold of groups") if row.what.rpartition(" ")[2] in _MEASURES
        )


def _with_published(what: str, row: ReportRow) -> ReportRow:
    published = next((value for value in EXPERIMENT.published if value.what == what), None)
    note = "; ".join(filter(None, (row.note, published.erratum if published else "")))
    return ReportRow(
        what, published.value if published else None, row.measured, row.low, row.high, YOURS, note, row.form
    )


def _unmeasured(name: str, why: str) -> Iterator[ReportRow]:
    for what in ("threshold", *_MEASURES):
        published = next((value for value in EXPERIMENT.published if value.what == f"{name}, {what}"), None)
        yield published.not_measured(why) if published else ReportRow(f"{name}, {what}", note=why)


def _erratum(system: str, what: str) -> str:
    parts = []
    if what == "F" and system in _PRINTED_F:
        parts.append(f"printed as {_PRINTED_F[system]}, against its own precision and recall")
    if system != "heuristic, N 5 %" and what != "threshold":
        parts.append("printed identically for groups and pairs: it is unknown which of the two it is")
    return "; ".join(parts)


EXPERIMENT = gibson(
    name="G6",
    title="formal halves for development and test",
    place="Table 3",
    key="B-cubed F .89 … .984, thresholds 0.35 and 0.40",
    published=(
        *(
            PublishedValue(f"{system}, {what}", value, "share", _erratum(system, what))
            for system, values in PRINTED_RESULTS.items()
            for what, value in zip(("threshold", "precision", "recall", "F"), values, strict=True)
        ),
        *(
            PublishedValue(f"heuristic, N 5 %, pair {what}", value, "share")
            for what, value in zip(("precision", "recall", "F"), PRINTED_PAIRS, strict=True)
        ),
    ),
    also=("same",),
    methods={"CEDAR": "cedar"},
    run=run,
)
