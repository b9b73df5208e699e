"""Slices: the same figures on parts of the gold, so that one sees for which news a detector works.

Judged pairs are told apart by length, language and overlap, and by every column of the gold that has a few values.
Groups are told apart story by story, so that no story is cut: a wrong merger of two stories counts where both lie in
the slice. Pairs that nobody judged lie in no slice.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from samestory.lab.articles import Known
from samestory.lab.evaluate import Evaluation, Judged, Subject, fitting
from samestory.lab.gold import GoldGroups, GoldPairs
from samestory.measures import Figure, Grouped, JudgedPairs, Measure, figure, parse
from samestory.model import KINDS, Kind

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

#: Where slices begin: a headline, a brief, a report, a long one, a very long one.
WORDS = (20, 100, 300, 1000)
#: Under a tenth there is hardly a common phrase; from nine tenths on the smaller article is a copy or a part.
OVERLAPS = (0.1, 0.3, 0.5, 0.7, 0.9)
SIZES = (2, 3, 6, 21)
#: A column of the gold tells slices apart if it has so many values.
FEWEST, MOST = 2, 12
#: Figures for a slice: the main measure and two more.
SHOWN = 3


@dataclass(frozen=True)
class Slice:
    """A part of the gold, with the figures of every detector at its own threshold."""

    name: str
    count: int
    positives: int
    figures: tuple[tuple[Figure, ...], ...]
    """A row a detector, a figure a measure."""


@dataclass(frozen=True)
class Slices:
    """The gold in parts, by one of its properties."""

    by: str
    what: str
    """The property, in a sentence."""
    measures: tuple[str, ...]
    parts: tuple[Slice, ...]


@dataclass(frozen=True)
class Reported:
    """What a detector reports under one kind, and how much of it is right."""

    detector: str
    kind: str
    counts: bool
    """Does this kind count as finding the relation of the gold?"""
    count: int
    right: int
    """How many of them the gold calls duplicates."""
    precision: Figure | None
    """None for what is not counted as reported."""


#: A property: its name, the sentence, the value of every row in words, and the values in order.
_Property = tuple[str, str, Sequence[str], Sequence[str]]


def shown(measures: Sequence[Measure[Any]]) -> list[Measure[Any]]:
    """The measures for a slice: the main one, then precision and recall where they are asked for, else what follows."""
    sides = [m for m in measures[1:] if m.name.endswith(("precision", "recall"))]
    rest = [m for m in measures[1:] if m not in sides]
    return [*measures[:1], *(sides + rest)[: SHOWN - 1]]


def slices(evaluation: Evaluation, known: Known, rounds: int) -> tuple[Slices, ...]:
    """The gold in parts, by everything that tells some of it apart."""
    gold = evaluation.gold
    found = _of_pairs(gold, known) if isinstance(gold, GoldPairs) else _of_stories(gold, known)
    measures = shown(evaluation.measures)
    data = [subject.at(subject.scored.threshold) for subject in evaluation.subjects]
    positive = _positive(gold)
    out = []
    told: list[tuple[int, ...]] = []
    for by, what, values, order in found:
        # a column may say the same as what we found out ourselves
        numbered = {value: at for at, value in enumerate(dict.fromkeys(values))}
        alike = tuple(numbered[value] for value in values)
        if alike in told:
            continue
        told.append(alike)
        parts = [_slice(name, values, data, measures, positive, rounds) for name in order if name in set(values)]
        if len(parts) > 1:
            out.append(Slices(by, what, tuple(map(str, measures)), tuple(parts)))
    return tuple(out)


def _positive(gold: GoldPairs | GoldGroups) -> NDArray[np.bool_]:
    """Which rows are duplicates: pairs that were judged so, articles whose story has another one."""
    import numpy as np

    if isinstance(gold, GoldPairs):
        return gold.labels
    _, story, sizes = np.unique(np.array(gold.groups), return_inverse=True, return_counts=True)
    return sizes[story] > 1


def _slice(
    name: str,
    values: Sequence[str],
    data: Sequence[Judged],
    measures: Sequence[Measure[Any]],
    positive: NDArray[np.bool_],
    rounds: int,
) -> Slice:
    import numpy as np

    rows = np.flatnonzero(np.array(values, object) == name)
    parts = [some(whole, rows) for whole in data]
    figures = tuple(tuple(figure(m, fitting(m, part), rounds=rounds) for m in measures) for part in parts)
    return Slice(name, len(rows), int(positive[rows].sum()), figures)


def some(data: Judged, rows: NDArray[np.int64]) -> Judged:
    """Some rows of the data; they hang together as they did."""
    if isinstance(data, Grouped):
        return Grouped(data.gold[rows], data.found[rows])
    columns = ("gold", "score", "accepted", "judged", "units")
    cut: dict[str, Any] = {n: None if getattr(data, n) is None else getattr(data, n)[rows] for n in columns}
    return replace(data, **cut)


def _of_pairs(gold: GoldPairs, known: Known) -> list[_Property]:
    import numpy as np

    left, right = known.rows(gold.left), known.rows(gold.right)
    shorter = np.minimum(known.words[left], known.words[right])
    return [
        ("length", "Words of the shorter article.", *_ranges(shorter.tolist(), WORDS, _words)),
        ("language", "Of both articles, as given or detected.", *_languages(_spoken(known, left, right))),
        (
            "overlap",
            "Share of the three-word runs of the smaller article that stand in the other one.",
            *_ranges(known.overlaps(gold.left, gold.right).tolist(), OVERLAPS, _shares),
        ),
        *_columns(gold.columns, gold.labels),
    ]


def _of_stories(gold: GoldGroups, known: Known) -> list[_Property]:
    import numpy as np

    story = np.unique(np.array(gold.groups), return_inverse=True)[1]
    rows = known.rows(gold.articles)
    count = int(story.max()) + 1
    sizes = np.bincount(story)
    shortest = np.full(count, np.iinfo(np.int64).max)
    np.minimum.at(shortest, story, known.words[rows])
    spoken: list[set[str]] = [set() for _ in range(count)]
    for at, row in zip(story.tolist(), rows.tolist(), strict=True):
        spoken[at].add(known.languages[row])
    return [
        (
            "size of the story",
            "Articles that the gold counts to it.",
            *_ranges(sizes[story].tolist(), SIZES, _articles),
        ),
        ("length", "Words of the story's shortest article.", *_ranges(shortest[story].tolist(), WORDS, _words)),
        ("language", "Of all articles of the story, as given or detected.", *_languages(spoken[at] for at in story)),
        *(
            found
            for found in _columns(gold.columns, _positive(gold))
            if _constant(story, np.unique(np.array(found[2]), return_inverse=True)[1])
        ),
    ]


def _constant(story: NDArray[np.int64], values: NDArray[np.int64]) -> bool:
    """Has every story one value only?"""
    import numpy as np

    return len(np.unique(np.stack([story, values]), axis=1).T) == int(story.max()) + 1


def _spoken(known: Known, left: NDArray[np.int64], right: NDArray[np.int64]) -> Iterable[set[str]]:
    for one, other in zip(left.tolist(), right.tolist(), strict=True):
        yield {known.languages[one], known.languages[other]}


def _languages(spoken: Iterable[set[str]]) -> tuple[list[str], list[str]]:
    """Every row's languages, and all there are; the many that are seldom are one."""
    values = [" and ".join(sorted("not known" if one == "und" else one for one in both)) for both in spoken]
    counts: dict[str, int] = {}
    for value in values:
        counts[value] = counts.get(value, 0) + 1
    order = sorted(counts, key=lambda value: (-counts[value], value))
    if len(order) > MOST:
        rest = set(order[MOST - 1 :])
        values = ["others" if value in rest else value for value in values]
        order = [*order[: MOST - 1], "others"]
    return values, order


def _ranges(
    numbers: Sequence[float], edges: Sequence[float], name: Callable[[float | None, float | None], str]
) -> tuple[list[str], list[str]]:
    """Every number as the name of its range, and all ranges."""
    bounds = [None, *edges, None]
    names = [name(bounds[at], bounds[at + 1]) for at in range(len(edges) + 1)]
    return [names[bisect_right(edges, number)] for number in numbers], names


def _words(low: float | None, high: float | None) -> str:
    if low is None:
        return f"under {high:g} words"
    return f"{low:,} words or more" if high is None else f"{low:g} to {high - 1:g} words"


def _articles(low: float | None, high: float | None) -> str:
    if low is None:
        return "one article"
    if high is None:
        return f"{low:g} or more"
    return f"{low:g}" if high - low == 1 else f"{low:g} to {high - 1:g}"


def _shares(low: float | None, high: float | None) -> str:
    if low is None:
        return f"under {high:.0%}"
    return f"{low:.0%} or more" if high is None else f"{low:.0%} to {high:.0%}"


def _columns(columns: dict[str, list[Any]], positive: NDArray[np.bool_]) -> list[_Property]:
    """Columns that have a few values and say more than the judgement does."""
    out: list[_Property] = []
    for name, column in columns.items():
        if any(isinstance(value, list | dict) for value in column):
            continue
        values = ["not told" if value is None else str(value) for value in column]
        there = dict(zip(values, column, strict=True))
        if not FEWEST <= len(there) <= MOST:
            continue
        if len(there) == 2 and len(set(zip(values, positive.tolist(), strict=True))) == 2:
            continue  # the judgement in other words
        out.append((name, f"The column “{name}” of the gold.", values, sorted(there, key=lambda v: _rank(there[v]))))
    return out


def _rank(value: Any) -> tuple[int, float, str]:
    """Numbers in their order, then words in theirs, then what is not told."""
    if isinstance(value, int | float):
        return 0, float(value), ""
    return (2, 0.0, "") if value is None else (1, 0.0, str(value))


def by_kind(evaluation: Evaluation, rounds: int) -> tuple[Reported, ...]:
    """For every detector that tells kinds apart: what it reports under each, and how much of that is right.

    Of groups, every relation between two articles of the gold counts, and is right inside a story.
    """
    gold = evaluation.gold
    out: list[Reported] = []
    for subject in evaluation.subjects:
        if subject.scored.groups is None:
            found = _judged(gold, subject) if isinstance(gold, GoldPairs) else _related(gold, subject)
            out += _kinds(subject.name, *found, evaluation, rounds)
    return tuple(out)


def _judged(gold: GoldPairs, subject: Subject) -> tuple[JudgedPairs, NDArray[np.int64]]:
    """The judged pairs with what is accepted, and the number of the kind of each (0: not reported)."""
    import numpy as np

    data = subject.at(subject.scored.threshold)
    assert isinstance(data, JudgedPairs)
    kinds, turned, scores = relations_of(subject, gold.left, gold.right)
    flipped = np.array([KINDS.index(kind.flipped) for kind in KINDS])
    seen = np.where(turned, flipped[kinds], kinds)
    threshold = subject.scored.threshold
    reported = scores >= (-np.inf if threshold is None else threshold)
    part = some(data, np.arange(len(gold)))
    assert isinstance(part, JudgedPairs)
    return part, np.where(reported, seen, 0)


def relations_of(
    subject: Subject, left: Sequence[str], right: Sequence[str]
) -> tuple[NDArray[np.int64], NDArray[np.bool_], NDArray[np.float64]]:
    """Of every pair the number of the kind a run reports, whether it is told from the other side, and the score.

    Where nothing is reported: 0, False, -1.
    """
    import numpy as np

    run = subject.scored
    place = {article: at for at, article in enumerate(run.ids)}
    one, other = (np.array([place[article] for article in side], np.int64) for side in (left, right))
    count = len(run.ids)

    def keys(a: NDArray[np.int64], b: NDArray[np.int64]) -> NDArray[np.int64]:
        return np.minimum(a, b) * count + np.maximum(a, b)

    there = keys(run.left, run.right)
    order = np.argsort(there, kind="stable")
    there = there[order]
    if not len(there):
        return np.zeros(len(one), np.int64), np.zeros(len(one), np.bool_), np.full(len(one), -1.0)
    wanted = keys(one, other)
    at = np.minimum(np.searchsorted(there, wanted), len(there) - 1)
    hit, row = there[at] == wanted, order[at]
    return (
        np.where(hit, run.own_kinds[row], 0).astype(np.int64),
        hit & (run.left[row] != one),
        np.where(hit, run.scores[row], -1.0),
    )


def _related(gold: GoldGroups, subject: Subject) -> tuple[JudgedPairs, NDArray[np.int64]]:
    """Every relation between articles of the gold that reaches the threshold, and its kind."""
    import numpy as np

    run = subject.scored
    place = {article: at for at, article in enumerate(run.ids)}
    story = np.full(len(run.ids), -1)
    story[[place[article] for article in gold.articles]] = np.unique(np.array(gold.groups), return_inverse=True)[1]
    threshold = -np.inf if run.threshold is None else run.threshold
    inside = (story[run.left] >= 0) & (story[run.right] >= 0) & (run.left != run.right)
    rows = np.flatnonzero(inside & (run.scores >= threshold))
    # a run made elsewhere may tell a pair twice
    keys = np.minimum(run.left, run.right)[rows] * len(run.ids) + np.maximum(run.left, run.right)[rows]
    rows = rows[np.sort(np.unique(keys, return_index=True)[1])]
    left, right = run.left[rows], run.right[rows]
    keep, scores = run.sense(gold.meaning.kinds)
    accepted = (keep & (scores >= threshold))[rows]
    data = JudgedPairs.of(left, right, story[left] == story[right], accepted=accepted, by="gold")
    return data, run.own_kinds[rows].astype(np.int64)


def _kinds(
    detector: str, data: JudgedPairs, kinds: NDArray[np.int64], evaluation: Evaluation, rounds: int
) -> list[Reported]:
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
            # a containment the wrong way round has a kind that counts, and does not count
            is_kind = np.isin(kinds, [KINDS.index(kind) for kind in members])
            rows = np.flatnonzero(is_kind & (data.accepts() if counted else ~data.accepts()))
            if len(rows):
                part = some(data, rows)
                assert isinstance(part, JudgedPairs)
                share = figure(precision, part, rounds=rounds) if counted else None
                out.append(Reported(detector, name, counted, len(rows), int(part.gold.sum()), share))
    nothing = kinds == 0
    if nothing.any():
        out.append(Reported(detector, "", False, int(nothing.sum()), int(data.gold[nothing].sum()), None))
    return out
