"""Slices: the same figures on parts of the gold, to show for which news a detector works.

Judged pairs are sliced by length, language and overlap, and by every column of the gold that has few values.
Groups are sliced by story, and no story is split: a wrong merge of two stories counts in a slice that holds both.
Unjudged pairs are in no slice.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from samestory.lab.evaluation.articles import ArticleTable
from samestory.lab.evaluation.evaluate import Evaluation, JudgedData, Subject, fitting
from samestory.lab.evaluation.gold import GoldGroups, GoldPairs
from samestory.lab.measures import Figure, GroupedArticles, JudgedPairs, Measure, figure, parse
from samestory.model import KINDS, Kind

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

#: Bin edges in words: headline, brief, report, long report, very long report.
WORD_EDGES = (20, 100, 300, 1000)
#: Under 0.1 two articles hardly share a phrase; from 0.9 on the smaller one is a copy or contained.
OVERLAP_EDGES = (0.1, 0.3, 0.5, 0.7, 0.9)
STORY_SIZE_EDGES = (2, 3, 6, 21)
#: A column of the gold makes slices if its number of distinct values is in this range.
MIN_VALUES, MAX_VALUES = 2, 12
#: Figures of a slice: the main measure and two more.
MEASURES_PER_SLICE = 3


@dataclass(frozen=True)
class Slice:
    """A part of the gold, with the figures of every detector at its own threshold."""

    name: str
    count: int
    positives: int
    figures: tuple[tuple[Figure, ...], ...]
    """A row per detector, a figure per measure."""


@dataclass(frozen=True)
class Slices:
    """The gold split by one property."""

    by: str
    what: str
    """A one-sentence description of the property."""
    measures: tuple[str, ...]
    parts: tuple[Slice, ...]


@dataclass(frozen=True)
class KindCount:
    """How many pairs a detector reports under one kind, and how many of them are right."""

    detector: str
    kind: str
    counts: bool
    """Whether this kind counts as detecting the relation of the gold."""
    count: int
    right: int
    """How many of them are duplicates in the gold."""
    precision: Figure | None
    """None where the kind does not count as reported."""


#: A property: its name, its description, the value of every row as text, and the distinct values in order.
_Property = tuple[str, str, Sequence[str], Sequence[str]]


def measures_for_slices(measures: Sequence[Measure[Any]]) -> list[Measure[Any]]:
    """Return the measures of a slice: the main one, then precision and recall if present, else the next ones."""
    sides = [m for m in measures[1:] if m.name.endswith(("precision", "recall"))]
    rest = [m for m in measures[1:] if m not in sides]
    return [*measures[:1], *(sides + rest)[: MEASURES_PER_SLICE - 1]]


def slices(evaluation: Evaluation, articles: ArticleTable, rounds: int) -> tuple[Slices, ...]:
    """Slice the gold by every property with at least two values."""
    gold = evaluation.gold
    properties = _of_pairs(gold, articles) if isinstance(gold, GoldPairs) else _of_stories(gold, articles)
    measures = measures_for_slices(evaluation.measures)
    data = [subject.at(subject.scored.threshold) for subject in evaluation.subjects]
    positive = _positive(gold)
    out = []
    partitions: list[tuple[int, ...]] = []
    for by, what, values, order in properties:
        # a column may split the gold exactly as an earlier property does
        numbered = {value: at for at, value in enumerate(dict.fromkeys(values))}
        partition = tuple(numbered[value] for value in values)
        if partition in partitions:
            continue
        partitions.append(partition)
        parts = [_slice(name, values, data, measures, positive, rounds) for name in order if name in set(values)]
        if len(parts) > 1:
            out.append(Slices(by, what, tuple(map(str, measures)), tuple(parts)))
    return tuple(out)


def _positive(gold: GoldPairs | GoldGroups) -> NDArray[np.bool_]:
    """Return which rows are duplicates: pairs judged so, articles whose story has another article."""
    import numpy as np

    if isinstance(gold, GoldPairs):
        return gold.labels
    _, story, sizes = np.unique(np.array(gold.groups), return_inverse=True, return_counts=True)
    return sizes[story] > 1


def _slice(
    name: str,
    values: Sequence[str],
    data: Sequence[JudgedData],
    measures: Sequence[Measure[Any]],
    positive: NDArray[np.bool_],
    rounds: int,
) -> Slice:
    import numpy as np

    rows = np.flatnonzero(np.array(values, object) == name)
    parts = [some(whole, rows) for whole in data]
    figures = tuple(tuple(figure(m, fitting(m, part), rounds=rounds) for m in measures) for part in parts)
    return Slice(name, len(rows), int(positive[rows].sum()), figures)


def some(data: JudgedData, rows: NDArray[np.int64]) -> JudgedData:
    """Return some rows of the data, with the sampling units unchanged."""
    if isinstance(data, GroupedArticles):
        return GroupedArticles(data.gold[rows], data.found[rows])
    columns = ("gold", "score", "accepted", "judged", "units")
    cut: dict[str, Any] = {n: None if getattr(data, n) is None else getattr(data, n)[rows] for n in columns}
    return replace(data, **cut)


def _of_pairs(gold: GoldPairs, articles: ArticleTable) -> list[_Property]:
    import numpy as np

    left, right = articles.rows(gold.left), articles.rows(gold.right)
    shorter = np.minimum(articles.words[left], articles.words[right])
    return [
        ("length", "Words of the shorter article.", *_ranges(shorter.tolist(), WORD_EDGES, _word_range)),
        ("language", "Of both articles, as given or detected.", *_languages(_language_pairs(articles, left, right))),
        (
            "overlap",
            "Share of the smaller article's three-word shingles that also occur in the other article.",
            *_ranges(articles.overlaps(gold.left, gold.right).tolist(), OVERLAP_EDGES, _share_range),
        ),
        *_columns(gold.columns, gold.labels),
    ]


def _of_stories(gold: GoldGroups, articles: ArticleTable) -> list[_Property]:
    import numpy as np

    story = np.unique(np.array(gold.groups), return_inverse=True)[1]
    rows = articles.rows(gold.articles)
    count = int(story.max()) + 1
    sizes = np.bincount(story)
    shortest = np.full(count, np.iinfo(np.int64).max)
    np.minimum.at(shortest, story, articles.words[rows])
    languages: list[set[str]] = [set() for _ in range(count)]
    for at, row in zip(story.tolist(), rows.tolist(), strict=True):
        languages[at].add(articles.languages[row])
    return [
        (
            "size of the story",
            "Articles of the story in the gold.",
            *_ranges(sizes[story].tolist(), STORY_SIZE_EDGES, _size_range),
        ),
        (
            "length",
            "Words of the story's shortest article.",
            *_ranges(shortest[story].tolist(), WORD_EDGES, _word_range),
        ),
        ("language", "Of all articles of the story, as given or detected.", *_languages(languages[at] for at in story)),
        *(
            column
            for column in _columns(gold.columns, _positive(gold))
            if _is_constant(story, np.unique(np.array(column[2]), return_inverse=True)[1])
        ),
    ]


def _is_constant(story: NDArray[np.int64], values: NDArray[np.int64]) -> bool:
    """Check that every story has a single value."""
    import numpy as np

    return len(np.unique(np.stack([story, values]), axis=1).T) == int(story.max()) + 1


def _language_pairs(articles: ArticleTable, left: NDArray[np.int64], right: NDArray[np.int64]) -> Iterable[set[str]]:
    for one, other in zip(left.tolist(), right.tolist(), strict=True):
        yield {articles.languages[one], articles.languages[other]}


def _languages(sets: Iterable[set[str]]) -> tuple[list[str], list[str]]:
    """Return the languages of every row as text, and all values by frequency; rare ones are merged into "others"."""
    values = [" and ".join(sorted("unknown" if one == "und" else one for one in both)) for both in sets]
    counts: dict[str, int] = {}
    for value in values:
        counts[value] = counts.get(value, 0) + 1
    order = sorted(counts, key=lambda value: (-counts[value], value))
    if len(order) > MAX_VALUES:
        rest = set(order[MAX_VALUES - 1 :])
        values = ["others" if value in rest else value for value in values]
        order = [*order[: MAX_VALUES - 1], "others"]
    return values, order


def _ranges(
    numbers: Sequence[float], edges: Sequence[float], name: Callable[[float | None, float | None], str]
) -> tuple[list[str], list[str]]:
    """Return the name of each number's range, and the names of all ranges."""
    bounds = [None, *edges, None]
    names = [name(bounds[at], bounds[at + 1]) for at in range(len(edges) + 1)]
    return [names[bisect_right(edges, number)] for number in numbers], names


def _word_range(low: float | None, high: float | None) -> str:
    if low is None:
        return f"under {high:g} words"
    return f"{low:,} words or more" if high is None else f"{low:g} to {high - 1:g} words"


def _size_range(low: float | None, high: float | None) -> str:
    if low is None:
        return "one article"
    if high is None:
        return f"{low:g} or more"
    return f"{low:g}" if high - low == 1 else f"{low:g} to {high - 1:g}"


def _share_range(low: float | None, high: float | None) -> str:
    if low is None:
        return f"under {high:.0%}"
    return f"{low:.0%} or more" if high is None else f"{low:.0%} to {high:.0%}"


def _columns(columns: dict[str, list[Any]], positive: NDArray[np.bool_]) -> list[_Property]:
    """Return the columns with few values that do not merely repeat the judgement."""
    out: list[_Property] = []
    for name, column in columns.items():
        if any(isinstance(value, list | dict) for value in column):
            continue
        values = ["not given" if value is None else str(value) for value in column]
        originals = dict(zip(values, column, strict=True))
        if not MIN_VALUES <= len(originals) <= MAX_VALUES:
            continue
        if len(originals) == 2 and len(set(zip(values, positive.tolist(), strict=True))) == 2:
            continue  # equivalent to the judgement
        out.append(
            (name, f"The column “{name}” of the gold.", values, sorted(originals, key=lambda v: _rank(originals[v])))
        )
    return out


def _rank(value: Any) -> tuple[int, float, str]:
    """Sort key: numbers, then text, then missing values."""
    if isinstance(value, int | float):
        return 0, value, ""  # not as a float, which no number of 400 digits can be
    return (2, 0.0, "") if value is None else (1, 0.0, str(value))


def by_kind(evaluation: Evaluation, rounds: int) -> tuple[KindCount, ...]:
    """Count, for every detector that reports kinds, the pairs of each kind and how many of them are right.

    For gold of groups, every relation between two articles of the gold counts, and is right inside a story.
    """
    gold = evaluation.gold
    out: list[KindCount] = []
    for subject in evaluation.subjects:
        if subject.scored.groups is None:
            found = _judged(gold, subject) if isinstance(gold, GoldPairs) else _related(gold, subject)
            out += _kinds(subject.name, *found, evaluation, rounds)
    return tuple(out)


def _judged(gold: GoldPairs, subject: Subject) -> tuple[JudgedPairs, NDArray[np.int64]]:
    """Return the judged pairs with what is accepted, and the index of each pair's kind (0: not reported)."""
    import numpy as np

    data = subject.at(subject.scored.threshold)
    assert isinstance(data, JudgedPairs)
    kinds, reversed_pairs, scores = relations_of(subject, gold.left, gold.right)
    flipped = np.array([KINDS.index(kind.flipped) for kind in KINDS])
    oriented = np.where(reversed_pairs, flipped[kinds], kinds)
    threshold = subject.scored.threshold
    reported = scores >= (-np.inf if threshold is None else threshold)
    part = some(data, np.arange(len(gold)))
    assert isinstance(part, JudgedPairs)
    return part, np.where(reported, oriented, 0)


def relations_of(
    subject: Subject, left: Sequence[str], right: Sequence[str]
) -> tuple[NDArray[np.int64], NDArray[np.bool_], NDArray[np.float64]]:
    """Return for every pair the index of the reported kind, whether the run has it reversed, and the score.

    Where nothing is reported: 0, False, -1.
    """
    import numpy as np

    run = subject.scored
    place = {article: at for at, article in enumerate(run.ids)}
    one, other = (np.array([place[article] for article in side], np.int64) for side in (left, right))
    count = len(run.ids)

    def keys(a: NDArray[np.int64], b: NDArray[np.int64]) -> NDArray[np.int64]:
        return np.minimum(a, b) * count + np.maximum(a, b)

    stored = keys(run.left, run.right)
    order = np.argsort(stored, kind="stable")
    stored = stored[order]
    if not len(stored):
        return np.zeros(len(one), np.int64), np.zeros(len(one), np.bool_), np.full(len(one), -1.0)
    wanted = keys(one, other)
    at = np.minimum(np.searchsorted(stored, wanted), len(stored) - 1)
    hit, row = stored[at] == wanted, order[at]
    return (
        np.where(hit, run.own_kinds[row], 0).astype(np.int64),
        hit & (run.left[row] != one),
        np.where(hit, run.scores[row], -1.0),
    )


def _related(gold: GoldGroups, subject: Subject) -> tuple[JudgedPairs, NDArray[np.int64]]:
    """Return every relation between articles of the gold that reaches the threshold, and its kind."""
    import numpy as np

    run = subject.scored
    place = {article: at for at, article in enumerate(run.ids)}
    story = np.full(len(run.ids), -1)
    story[[place[article] for article in gold.articles]] = np.unique(np.array(gold.groups), return_inverse=True)[1]
    threshold = -np.inf if run.threshold is None else run.threshold
    inside = (story[run.left] >= 0) & (story[run.right] >= 0) & (run.left != run.right)
    rows = np.flatnonzero(inside & (run.scores >= threshold))
    # an external run may list a pair twice
    keys = np.minimum(run.left, run.right)[rows] * len(run.ids) + np.maximum(run.left, run.right)[rows]
    rows = rows[np.sort(np.unique(keys, return_index=True)[1])]
    left, right = run.left[rows], run.right[rows]
    keep, scores = run.sense(gold.meaning.kinds)
    accepted = (keep & (scores >= threshold))[rows]
    data = JudgedPairs.from_pairs(left, right, story[left] == story[right], accepted=accepted, by="gold")
    return data, run.own_kinds[rows].astype(np.int64)


def _kinds(
    detector: str, data: JudgedPairs, kinds: NDArray[np.int64], evaluation: Evaluation, rounds: int
) -> list[KindCount]:
    import numpy as np

    gold = evaluation.gold
    ordered = isinstance(gold, GoldPairs) and gold.ordered
    precision = parse("pair_precision(unjudged='out')")
    out = []
    named: dict[str, list[Kind]] = {}
    for kind in KINDS[1:]:
        mirrored = kind in (Kind.PART_OF, Kind.HAS_PART) and not ordered
        named.setdefault("PART_OF or HAS_PART" if mirrored else str(kind), []).append(kind)
    for name, members in named.items():
        for counted in (True, False):
            # a containment in the wrong direction has a kind that counts, but is not accepted
            is_kind = np.isin(kinds, [KINDS.index(kind) for kind in members])
            rows = np.flatnonzero(is_kind & (data.accepts() if counted else ~data.accepts()))
            if len(rows):
                part = some(data, rows)
                assert isinstance(part, JudgedPairs)
                share = figure(precision, part, rounds=rounds) if counted else None
                out.append(KindCount(detector, name, counted, len(rows), int(part.gold.sum()), share))
    nothing = kinds == 0
    if nothing.any():
        out.append(KindCount(detector, "", False, int(nothing.sum()), int(data.gold[nothing].sum()), None))
    return out
