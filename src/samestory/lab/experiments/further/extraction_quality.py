"""X2: the effect of extraction quality on duplicate detection.

Articles with known duplicates are wrapped in page templates, extracted by every extractor, and compared; so are the
original articles. There is no published counterpart; the nearest is Table 3 of Gibson (2007).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import fmean
from typing import Any

from samestory.detectors import Detector, parse
from samestory.html.extractors import EXTRACTORS
from samestory.html.site_filter import SiteFilter
from samestory.lab.evaluation import GoldGroups, GoldPairs, score_articles
from samestory.lab.evaluation.evaluate import fitting, subjects
from samestory.lab.experiments.experiment import Experiment
from samestory.lab.experiments.inputs import ExperimentInput
from samestory.lab.experiments.pages import PageSet, pages, usable
from samestory.lab.experiments.resemblance import labelled_pairs
from samestory.lab.experiments.values import YOURS, PublishedValue, ReportRow
from samestory.lab.measures import parse as measure
from samestory.lab.training.align import words
from samestory.model import Article

#: Detectors, and their grouping methods: as in the study, and the default here.
DETECTORS = {"cedar()": "components", "cedar(frequent=5.0)": "components", "reuse()": "star"}
#: The name of the original articles.
CLEAN = "clean text"
TOKEN_F = "token F1"
#: Suffix of an extractor with a site filter, which removes what a site repeats, page by page.
SITES = ", site filter"
#: The measures by name, for each shape of the gold.
OF_PAIRS = {
    "pair precision": "pair_precision(unjudged='out')",
    "pair recall": "pair_recall()",
    "pair F1": "pair_f(unjudged='out')",
}
OF_GROUPS = {
    "pair precision": "pair_precision()",
    "pair recall": "pair_recall()",
    "pair F1": "pair_f()",
    "B-cubed precision": "b_cubed_precision()",
    "B-cubed recall": "b_cubed_recall()",
    "B-cubed F": "b_cubed()",
}
AREA = "area"


@dataclass(frozen=True)
class ExtractorResult:
    """The token F1 of an extractor, and the figures of every detector on its texts."""

    extractor: str
    tokens: float
    figures: Mapping[str, Mapping[str, float | None]]


def budget(
    given: PageSet,
    golds: Sequence[GoldPairs | GoldGroups],
    extractors: Sequence[str],
    detectors: Mapping[str, str],
    progress: Any = print,
) -> Iterator[ExtractorResult | tuple[str, str]]:
    """Yield the result of clean text, then of every extractor; or its name and why it cannot be used."""
    clean = given.reference()
    if isinstance(clean, str):
        yield CLEAN, clean
        return
    for spec in (CLEAN, *extractors):
        progress(f"extracting by {spec}")
        extractor = usable(spec.removesuffix(SITES)) if spec != CLEAN else None
        if isinstance(extractor, str):
            yield spec, extractor
            continue
        sites = SiteFilter() if spec.endswith(SITES) else None
        texts = clean if extractor is None else given.extracted(extractor, sites)
        figures = {}
        for name, grouping in detectors.items():
            progress(f"comparing the texts of {spec} by {name}")
            figures[name] = evaluate_texts(texts, parse(name), grouping, golds)
        yield ExtractorResult(spec, token_f(texts, clean), figures)


def evaluate_texts(
    articles: Sequence[Article], detector: Detector, grouping: str, golds: Sequence[GoldPairs | GoldGroups]
) -> dict[str, float | None]:
    """Compute all measures of a detector on these texts; judged pairs take precedence over groups."""
    scored = score_articles(detector, articles)
    out: dict[str, float | None] = {}
    for gold in golds:
        (subject,) = subjects(gold, [scored], grouping)
        data = subject.at(scored.threshold)
        for what, spec in (OF_PAIRS if isinstance(gold, GoldPairs) else OF_GROUPS).items():
            if what not in out:
                out[what] = measure(spec).point(fitting(measure(spec), data))
        if AREA not in out:
            lowest = replace(detector, threshold=0.0)
            out[AREA] = labelled_pairs(ExperimentInput(gold=gold), articles).area_of(lowest)[0]
    return out


def token_f(found: Sequence[Article], expected: Sequence[Article]) -> float:
    """Return the mean over articles of 2 · common words / words of both, counted with multiplicity.

    >>> token_f([Article("a", "Rain in Spain"), Article("b", "")], [Article("a", "Rain, rain in"), Article("b", "x")])
    0.3333333333333333
    """
    return fmean(_overlap(words(one.text), words(other.text)) for one, other in zip(found, expected, strict=True))


def _overlap(one: Sequence[str], other: Sequence[str]) -> float:
    both = (Counter(one) & Counter(other)).total()
    return 2 * both / (len(one) + len(other)) if one or other else 1.0


def slope(points: Sequence[tuple[float, float]]) -> float | None:
    """Return the loss of the second per unit lost of the first: least squares through the origin.

    >>> slope([(1, 2), (2, 4)]), slope([(0, 1)])
    (2.0, None)
    """
    weight = sum(lost * lost for lost, _ in points)
    return sum(lost * other for lost, other in points) / weight if weight else None


def run(collection: ExperimentInput) -> Iterator[ReportRow]:
    """Measure every extractor with every detector, and the effect of a point of token F1."""
    assert collection.gold is not None
    given = pages(collection)
    found: list[ExtractorResult] = []
    for each in budget(given, [collection.gold], [*EXTRACTORS, f"heuristic{SITES}"], DETECTORS, collection.progress):
        if isinstance(each, tuple):
            yield from _unmeasured(*each)
            continue
        found.append(each)
        yield ReportRow(f"{each.extractor}, {TOKEN_F}", None, each.tokens, basis=YOURS, note=given.note, form=".4f")
        for name, figures in each.figures.items():
            for what, value in figures.items():
                yield _with_published(f"{each.extractor}, {name}, {what}", value)
    for name in DETECTORS:
        yield from _slopes(found, name)


def _slopes(found: Sequence[ExtractorResult], name: str) -> Iterator[ReportRow]:
    clean, *others = found
    for what in ("pair F1", "B-cubed F"):
        if clean.figures[name].get(what) is None:
            continue
        points = [
            (clean.tokens - each.tokens, (clean.figures[name][what] or 0) - (each.figures[name][what] or 0))
            for each in others
        ]
        title = f"{name}: points of {what} lost for a point of {TOKEN_F} lost"
        value = slope(points)
        note = f"over {len(points)} extractors" if value is not None else "no extractor lost anything"
        yield ReportRow(title, None, value, basis=YOURS, note=note, form=".2f")


def _with_published(what: str, value: float | None) -> ReportRow:
    published = next((each.value for each in EXPERIMENT.published if each.what == what), None)
    return ReportRow(
        what, published, value, basis=YOURS, note="" if value is not None else "nothing to divide by", form=".4f"
    )


def _unmeasured(spec: str, why: str) -> Iterator[ReportRow]:
    mine = [value.not_measured(why) for value in EXPERIMENT.published if value.what.startswith(f"{spec}, ")]
    yield from mine or [ReportRow(f"{spec}, {TOKEN_F}", note=why)]


EXPERIMENT = Experiment(
    name="X2",
    title="effect of extraction quality: articles placed into page templates and extracted again",
    study="gibson2007",
    place="after Table 3",
    relation="near",
    key="B-cubed F .89 with all text and filters, .985 with extraction, .984 with clean text",
    published=(
        PublishedValue(f"{CLEAN}, cedar(), B-cubed F", 0.984),
        PublishedValue("heuristic, cedar(frequent=5.0), B-cubed F", 0.890),
        PublishedValue("maxent, cedar(), B-cubed F", 0.984),
        PublishedValue("crf, cedar(), B-cubed F", 0.985),
    ),
    docs="must",
    gold="must",
    also=("same",),
    methods={"CEDAR": "cedar"},
    components=("html",),
    unpublished="the pages",
    run=run,
)
