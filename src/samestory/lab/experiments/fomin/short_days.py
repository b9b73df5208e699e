"""Days of short items with gold groups: the merges of single linkage, and the r with the best pair F.

Each day is fitted separately. Its merges are those of a minimum spanning forest, so no distance matrix is built;
quality is computed at every merge height, since nothing changes between two heights.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from math import inf, sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from samestory import _core
from samestory.detectors.r_model import DayFeatures, day_features
from samestory.detectors.semshort import Semshort, predicted_r
from samestory.errors import InputError
from samestory.index.index import EPOCH
from samestory.lab.evaluation import GoldGroups
from samestory.lab.experiments.inputs import ExperimentInput
from samestory.lab.experiments.sets import parts
from samestory.lab.experiments.values import ReportRow
from samestory.lab.measures import GroupedArticles, parse
from samestory.model import Article
from samestory.text import prepare

#: The space of the study, and the default space; threshold 0 keeps all merges.
ROWS = Semshort(space="distance_rows", threshold=0.0, r=1e6)
COSINE = Semshort(space="cosine", threshold=0.0)
#: Up to this many items all pairs are linked at once; beyond, the search radius grows step by step.
MAX_ALL_PAIRS_ITEMS = 1500
#: The search stops when the best r is below this share of the search radius.
MAX_RADIUS_SHARE = 0.75
#: Minimum number of days for models and correlations: one to leave out, two for a line.
MIN_DAYS = 3
#: The measures at an r, by their column in the study's table.
MEASURES = {
    "precision": "pair_precision()",
    "recall": "pair_recall()",
    "f": "pair_f()",
    "ari": "ari()",
    "ami": "ami(norm='max')",
}


@dataclass(frozen=True, eq=False)
class ShortDay:
    """A day: the words of its items, and the gold group of each."""

    name: str
    rows: list[list[str]]
    labels: NDArray[np.int64]


class MergeCurve(NamedTuple):
    """Quality of the pairs at every merge height, up to the next one."""

    heights: NDArray[np.float64]
    precision: NDArray[np.float64]
    recall: NDArray[np.float64]
    f: NDArray[np.float64]

    @property
    def best(self) -> int:
        """The index of the highest F; among ties the lowest height."""
        return int(np.argmax(self.f))


@dataclass(frozen=True, eq=False)
class MergedDay:
    """The merges of a day, lowest first, with heights in the study's unit r."""

    day: ShortDay
    detector: Semshort
    left: NDArray[np.int64]
    right: NDArray[np.int64]
    heights: NDArray[np.float64]

    @property
    def items(self) -> int:
        """Number of items with a vector in the space."""
        return self.detector.fitted_day().items

    @property
    def features(self) -> DayFeatures:
        """The features of the day."""
        return day_features(self.day.rows, len(self.detector.fitted_day().words))

    def curve(self) -> MergeCurve:
        """Compute precision, recall and F of the pairs at every height."""
        return _merge_curve(self.day.labels, self.left, self.right, self.heights)

    def grouped(self, r: float) -> GroupedArticles:
        """Return the gold groups and the groups at this r."""
        found = np.arange(len(self.day.labels))
        near = self.heights <= r
        for one, other in zip(self.left[near].tolist(), self.right[near].tolist(), strict=True):
            _join(found, one, other)
        labels = np.array([_root(found, item) for item in range(len(found))], np.int64)
        return GroupedArticles(self.day.labels, labels, np.zeros(len(labels), np.int64))

    def measured(self, r: float) -> dict[str, float | None]:
        """Compute all measures at this r."""
        data = self.grouped(r)
        return {field: parse(spec).point(data) for field, spec in MEASURES.items()}

    def best_r(self) -> float:
        """Return the r with the highest pair F; raises on a day without merges."""
        curve = self.curve()
        return float(curve.heights[curve.best])


def merge_day(day: ShortDay, detector: Semshort = ROWS) -> MergedDay:
    """Compute the merges of a day, to well beyond the best r."""
    fitted = detector.fit_words(day.rows)
    signed = fitted.sign_words(day.rows)
    items = fitted.fitted_day().items
    scale = sqrt(max(items, 1))
    rows = detector.space == "distance_rows"
    reach = inf if items <= MAX_ALL_PAIRS_ITEMS else 1.5 * predicted_r(items) / scale if rows else sqrt(2 * 0.5)
    while True:
        links = fitted.merges(signed, reach)
        heights = links.length * scale if rows else links.length**2 / 2
        result = MergedDay(day, fitted, links.left, links.right, heights)
        if reach == inf or len(heights) >= items - 1:
            return result
        curve = result.curve()
        furthest = reach * scale if rows else reach**2 / 2
        if (
            len(curve.f)
            and curve.heights[curve.best] < MAX_RADIUS_SHARE * furthest
            and curve.f[-1] < curve.f[curve.best]
        ):
            return result
        reach *= 1.3


def _merge_curve(
    labels: NDArray[np.int64], left: NDArray[np.int64], right: NDArray[np.int64], heights: NDArray[np.float64]
) -> MergeCurve:
    gold = sum(size * (size - 1) // 2 for size in Counter(labels.tolist()).values())
    leader = np.arange(len(labels))
    inside: list[Counter[int]] = [Counter({label: 1}) for label in labels.tolist()]
    sizes = [1] * len(labels)
    hits, found = 0, 0
    both: list[tuple[int, int]] = []
    for one, other in zip(left.tolist(), right.tolist(), strict=True):
        a, b = _root(leader, one), _root(leader, other)
        if len(inside[a]) < len(inside[b]):
            a, b = b, a
        found += sizes[a] * sizes[b]
        hits += sum(count * inside[a][label] for label, count in inside[b].items())
        inside[a].update(inside[b])
        sizes[a] += sizes[b]
        inside[b] = Counter()
        leader[b] = a
        both.append((hits, found))
    # merges at equal height are one step
    last = np.append(np.diff(heights) > 0, True)[: len(heights)] if len(heights) else np.zeros(0, np.bool_)
    counts = np.array(both, np.float64).reshape(-1, 2)[last]
    precision = counts[:, 0] / np.maximum(counts[:, 1], 1)
    recall = counts[:, 0] / max(gold, 1)
    f = 2 * counts[:, 0] / np.maximum(counts[:, 1] + gold, 1)
    return MergeCurve(heights[last], precision, recall, f)


def _root(leader: NDArray[np.int64], item: int) -> int:
    while leader[item] != item:
        leader[item] = leader[leader[item]]
        item = int(leader[item])
    return item


def _join(leader: NDArray[np.int64], one: int, other: int) -> None:
    leader[_root(leader, one)] = _root(leader, other)


def short_days(collection: ExperimentInput, detector: Semshort = ROWS) -> list[ShortDay]:
    """Return the days of a collection, by its split field or by the field `day` of its gold."""
    gold = collection.gold
    assert isinstance(gold, GoldGroups)
    if collection.split is None and "day" in gold.columns:
        collection = replace(collection, split="day")
    articles = {article.id: article for article in collection.articles()}
    out = []
    for part in parts(collection):
        collection.progress(f"reading the words of {part.name}")
        if absent := next((article for article in part.gold.articles if article not in articles), None):
            raise InputError(f"no article has the id {absent!r}", place=gold.path)
        rows = detector.words(prepare([articles[article] for article in part.gold.articles]))
        number = {group: at for at, group in enumerate(dict.fromkeys(part.gold.groups))}
        out.append(ShortDay(part.name, rows, np.array([number[group] for group in part.gold.groups], np.int64)))
    return out


def dated_days(collection: ExperimentInput, detector: Semshort = ROWS) -> list[ShortDay]:
    """Return the days of a collection by the UTC dates of its articles; undated articles are left out."""
    gold = collection.gold
    assert isinstance(gold, GoldGroups)
    articles = {article.id: article for article in collection.articles()}
    days: dict[str, list[tuple[Article, str]]] = {}
    for id, group in zip(gold.articles, gold.groups, strict=True):
        if id not in articles:
            raise InputError(f"no article has the id {id!r}", place=gold.path)
        at = _core.engine.microseconds(articles[id].published or "")
        if at is not None:
            date = (EPOCH + timedelta(microseconds=at)).date().isoformat()
            days.setdefault(date, []).append((articles[id], str(group)))
    if not days:
        raise InputError(
            "none of its articles has a date", "set the field of the day with --split FIELD", place=gold.path
        )
    out = []
    for date, items in sorted(days.items()):
        collection.progress(f"reading the words of {date}")
        number = {group: at for at, group in enumerate(dict.fromkeys(group for _, group in items))}
        labels = np.array([number[group] for _, group in items], np.int64)
        out.append(ShortDay(date, detector.words(prepare([article for article, _ in items])), labels))
    return out


def merged_days(
    collection: ExperimentInput, detector: Semshort = ROWS, days: Sequence[ShortDay] | None = None
) -> list[MergedDay]:
    """Compute the merges of all days that have a gold group of two items and at least one merge."""
    out = []
    for day in short_days(collection, detector) if days is None else days:
        collection.progress(f"merging {day.name}")
        result = merge_day(day, detector)
        if len(result.heights) and len(set(day.labels.tolist())) < len(day.labels):
            out.append(result)
    if not out:
        raise InputError("no day has a group of two items that share a word, so there is nothing to find")
    return out


def table(days: Sequence[MergedDay]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the features of all days, and the best r of each."""
    return np.array([day.features for day in days], np.float64), np.array([day.best_r() for day in days])


def too_few(what: str, days: int) -> ReportRow:
    """Return a row that reports too few days."""
    return ReportRow(what, note=f"needs at least {MIN_DAYS} days (--split FIELD), got {days}")
