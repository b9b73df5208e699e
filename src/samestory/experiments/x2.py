"""X2: what a point of extraction is worth to duplicate detection.

Articles whose duplicates are known are put into the furniture of sites, taken out again by every extractor, and
compared; beside them the articles as they were. Nobody publishes this; the nearest is Table 3 of Gibson (2007).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import fmean
from typing import Any

from samestory.detectors import Detector, parse
from samestory.experiments.collection import Collection
from samestory.experiments.experiment import Experiment
from samestory.experiments.pages import Pages, pages, usable
from samestory.experiments.resemblance import compared
from samestory.experiments.values import YOURS, Published, Row
from samestory.html.align import words
from samestory.html.extractors import EXTRACTORS
from samestory.html.site_filter import SiteFilter
from samestory.lab import GoldGroups, GoldPairs, score_articles
from samestory.lab.evaluate import fitting, subjects
from samestory.measures import parse as measure
from samestory.model import Article

#: Detectors, and how their relations become groups: the study's way, and ours.
DETECTORS = {"cedar()": "components", "cedar(frequent=5.0)": "components", "reuse()": "star"}
#: What stands for the articles as they were.
CLEAN = "clean text"
TOKEN_F = "token F1"
#: Behind an extractor: what its sites repeat is taken out, page by page.
SITES = ", site filter"
#: By the shape of the gold: what is measured, under which name.
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
class Worth:
    """What an extractor is worth: to extraction, and to every detector by name."""

    extractor: str
    tokens: float
    figures: Mapping[str, Mapping[str, float | None]]


def budget(
    given: Pages,
    golds: Sequence[GoldPairs | GoldGroups],
    extractors: Sequence[str],
    detectors: Mapping[str, str],
    tell: Any = print,
) -> Iterator[Worth | tuple[str, str]]:
    """Clean text first, then every extractor; or its name and why it cannot be used."""
    clean = given.reference()
    if isinstance(clean, str):
        yield CLEAN, clean
        return
    for spec in (CLEAN, *extractors):
        tell(f"extracting by {spec}")
        extractor = usable(spec.removesuffix(SITES)) if spec != CLEAN else None
        if isinstance(extractor, str):
            yield spec, extractor
            continue
        sites = SiteFilter() if spec.endswith(SITES) else None
        texts = clean if extractor is None else given.extracted(extractor, sites)
        figures = {}
        for name, grouping in detectors.items():
            tell(f"comparing by {name} what {spec} gives")
            figures[name] = worth(texts, parse(name), grouping, golds)
        yield Worth(spec, token_f(texts, clean), figures)


def worth(
    articles: Sequence[Article], detector: Detector, grouping: str, golds: Sequence[GoldPairs | GoldGroups]
) -> dict[str, float | None]:
    """What a detector finds in these texts, by everything that the gold can tell; judged pairs tell before groups."""
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
            out[AREA] = compared(Collection(gold=gold), articles).area_of(lowest)[0]
    return out


def token_f(found: Sequence[Article], wanted: Sequence[Article]) -> float:
    """The mean over articles of 2 · common words / words of both, each as often as it stands there.

    >>> token_f([Article("a", "Rain in Spain"), Article("b", "")], [Article("a", "Rain, rain in"), Article("b", "x")])
    0.3333333333333333
    """
    return fmean(_alike(words(one.text), words(other.text)) for one, other in zip(found, wanted, strict=True))


def _alike(one: Sequence[str], other: Sequence[str]) -> float:
    both = (Counter(one) & Counter(other)).total()
    return 2 * both / (len(one) + len(other)) if one or other else 1.0


def slope(points: Sequence[tuple[float, float]]) -> float | None:
    """How much of the second is lost where one of the first is lost: the line through nothing lost, by least squares.

    >>> slope([(1, 2), (2, 4)]), slope([(0, 1)])
    (2.0, None)
    """
    weight = sum(lost * lost for lost, _ in points)
    return sum(lost * other for lost, other in points) / weight if weight else None


def run(collection: Collection) -> Iterator[Row]:
    """Every extractor with every detector, and what a point of extraction is worth."""
    assert collection.gold is not None
    given = pages(collection)
    found: list[Worth] = []
    for each in budget(given, [collection.gold], [*EXTRACTORS, f"heuristic{SITES}"], DETECTORS, collection.tell):
        if isinstance(each, tuple):
            yield from _lacking(*each)
            continue
        found.append(each)
        yield Row(f"{each.extractor}, {TOKEN_F}", None, each.tokens, basis=YOURS, note=given.note, form=".4f")
        for name, figures in each.figures.items():
            for what, value in figures.items():
                yield _beside(f"{each.extractor}, {name}, {what}", value)
    for name in DETECTORS:
        yield from _slopes(found, name)


def _slopes(found: Sequence[Worth], name: str) -> Iterator[Row]:
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
        yield Row(title, None, value, basis=YOURS, note=note, form=".2f")


def _beside(what: str, value: float | None) -> Row:
    known = next((each.value for each in EXPERIMENT.published if each.what == what), None)
    return Row(what, known, value, basis=YOURS, note="" if value is not None else "nothing to divide by", form=".4f")


def _lacking(spec: str, why: str) -> Iterator[Row]:
    mine = [value.lacking(why) for value in EXPERIMENT.published if value.what.startswith(f"{spec}, ")]
    yield from mine or [Row(f"{spec}, {TOKEN_F}", note=why)]


EXPERIMENT = Experiment(
    name="X2",
    title="what a point of extraction is worth: articles put into pages and taken out again",
    study="gibson2007",
    place="after Table 3",
    relation="near",
    key="B-cubed F .89 with all text and filters, .985 with extraction, .984 with clean text",
    published=(
        Published(f"{CLEAN}, cedar(), B-cubed F", 0.984),
        Published("heuristic, cedar(frequent=5.0), B-cubed F", 0.890),
        Published("maxent, cedar(), B-cubed F", 0.984),
        Published("crf, cedar(), B-cubed F", 0.985),
    ),
    docs="must",
    gold="must",
    also=("same",),
    methods={"CEDAR": "cedar"},
    components=("html",),
    unpublished="the pages",
    run=run,
)
