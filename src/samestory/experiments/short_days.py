"""Days of short items with gold groups: every merge of single linkage, and the r at which its pairs are best.

A day is fitted alone. Its merges come from a forest of shortest links, so that no table of all pairs is made; quality
is counted at every merge height, since between two heights nothing changes.
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
from samestory.experiments.collection import Collection
from samestory.experiments.sets import parts
from samestory.experiments.values import Row
from samestory.index.index import EPOCH
from samestory.lab import GoldGroups
from samestory.measures import Grouped, parse
from samestory.model import Article
from samestory.text import prepare

#: The space of the study, and the one that users start from; all merges are asked for, so nothing is cut before.
ROWS = Semshort(space="distance_rows", threshold=0.0, r=1e6)
COSINE = Semshort(space="cosine", threshold=0.0)
#: Items up to which all pairs are linked at once; beyond, links are looked for further and further.
ALL_PAIRS = 1500
#: The best r lies inside of what was looked at when it lies below this share of the furthest.
WELL_INSIDE = 0.75
#: Days that models and correlations want at least: one to leave out, two for a line.
FEWEST = 3
#: What is measured at an r, by its column in the study's table.
MEASURES = {
    "precision": "pair_precision()",
    "recall": "pair_recall()",
    "f": "pair_f()",
    "ari": "ari()",
    "ami": "ami(norm='max')",
}


@dataclass(frozen=True, eq=False)
class ShortDay:
    """A day: its items as words, and the number of the gold group of each."""

    name: str
    rows: list[list[str]]
    labels: NDArray[np.int64]


class Curve(NamedTuple):
    """Quality of the pairs at every merge height: at least so far apart, the pairs are as good as this."""

    heights: NDArray[np.float64]
    precision: NDArray[np.float64]
    recall: NDArray[np.float64]
    f: NDArray[np.float64]

    @property
    def best(self) -> int:
        """The place of the highest F; of equal ones the lowest height."""
        return int(np.argmax(self.f))


@dataclass(frozen=True, eq=False)
class MergedDay:
    """The merges of a day, lowest first, with heights as the study has them: r."""

    day: ShortDay
    detector: Semshort
    left: NDArray[np.int64]
    right: NDArray[np.int64]
    heights: NDArray[np.float64]

    @property
    def items(self) -> int:
        """Items that have a place in the space."""
        return self.detector.fitted_day().items

    @property
    def features(self) -> DayFeatures:
        """What can be counted in the day."""
        return day_features(self.day.rows, len(self.detector.fitted_day().words))

    def curve(self) -> Curve:
        """Precision, recall and F of the pairs at every height."""
        return _curve(self.day.labels, self.left, self.right, self.heights)

    def grouped(self, r: float) -> Grouped:
        """Gold beside what is found at this r."""
        found = np.arange(len(self.day.labels))
        near = self.heights <= r
        for one, other in zip(self.left[near].tolist(), self.right[near].tolist(), strict=True):
            _join(found, one, other)
        labels = np.array([_top(found, item) for item in range(len(found))], np.int64)
        return Grouped(self.day.labels, labels, np.zeros(len(labels), np.int64))

    def measured(self, r: float) -> dict[str, float | None]:
        """All measures at this r."""
        data = self.grouped(r)
        return {field: parse(spec).point(data) for field, spec in MEASURES.items()}

    def best_r(self) -> float:
        """The r with the highest pair F; a day on which nothing merges has none."""
        curve = self.curve()
        return float(curve.heights[curve.best])


def merged(day: ShortDay, detector: Semshort = ROWS) -> MergedDay:
    """The merges of a day, as far as they can be wanted: to well beyond the best of them."""
    fitted = detector.fit_words(day.rows)
    signed = fitted.sign_words(day.rows)
    items = fitted.fitted_day().items
    scale = sqrt(max(items, 1))
    rows = detector.space == "distance_rows"
    reach = inf if items <= ALL_PAIRS else 1.5 * predicted_r(items) / scale if rows else sqrt(2 * 0.5)
    while True:
        links = fitted.merges(signed, reach)
        heights = links.length * scale if rows else links.length**2 / 2
        found = MergedDay(day, fitted, links.left, links.right, heights)
        if reach == inf or len(heights) >= items - 1:
            return found
        curve = found.curve()
        furthest = reach * scale if rows else reach**2 / 2
        if len(curve.f) and curve.heights[curve.best] < WELL_INSIDE * furthest and curve.f[-1] < curve.f[curve.best]:
            return found
        reach *= 1.3


def _curve(
    labels: NDArray[np.int64], left: NDArray[np.int64], right: NDArray[np.int64], heights: NDArray[np.float64]
) -> Curve:
    gold = sum(size * (size - 1) // 2 for size in Counter(labels.tolist()).values())
    leader = np.arange(len(labels))
    inside: list[Counter[int]] = [Counter({label: 1}) for label in labels.tolist()]
    sizes = [1] * len(labels)
    hits, found = 0, 0
    both: list[tuple[int, int]] = []
    for one, other in zip(left.tolist(), right.tolist(), strict=True):
        a, b = _top(leader, one), _top(leader, other)
        if len(inside[a]) < len(inside[b]):
            a, b = b, a
        found += sizes[a] * sizes[b]
        hits += sum(count * inside[a][label] for label, count in inside[b].items())
        inside[a].update(inside[b])
        sizes[a] += sizes[b]
        inside[b] = Counter()
        leader[b] = a
        both.append((hits, found))
    # merges of one height are one step
    last = np.append(np.diff(heights) > 0, True)[: len(heights)] if len(heights) else np.zeros(0, np.bool_)
    counts = np.array(both, np.float64).reshape(-1, 2)[last]
    precision = counts[:, 0] / np.maximum(counts[:, 1], 1)
    recall = counts[:, 0] / max(gold, 1)
    f = 2 * counts[:, 0] / np.maximum(counts[:, 1] + gold, 1)
    return Curve(heights[last], precision, recall, f)


def _top(leader: NDArray[np.int64], item: int) -> int:
    while leader[item] != item:
        leader[item] = leader[leader[item]]
        item = int(leader[item])
    return item


def _join(leader: NDArray[np.int64], one: int, other: int) -> None:
    leader[_top(leader, one)] = _top(leader, other)


def short_days(collection: Collection, detector: Semshort = ROWS) -> list[ShortDay]:
    """The days of a collection: by the field that splits it, or by the field `day` of its gold."""
    gold = collection.gold
    assert isinstance(gold, GoldGroups)
    if collection.split is None and "day" in gold.columns:
        collection = replace(collection, split="day")
    told = {article.id: article for article in collection.articles()}
    out = []
    for part in parts(collection):
        collection.tell(f"reading the words of {part.name}")
        if absent := next((article for article in part.gold.articles if article not in told), None):
            raise InputError(f"{gold.path}: no article has the id {absent!r}")
        rows = detector.words(prepare([told[article] for article in part.gold.articles]))
        number = {group: at for at, group in enumerate(dict.fromkeys(part.gold.groups))}
        out.append(ShortDay(part.name, rows, np.array([number[group] for group in part.gold.groups], np.int64)))
    return out


def dated_days(collection: Collection, detector: Semshort = ROWS) -> list[ShortDay]:
    """The days of a collection by the dates (UTC) of its articles; articles without a date are left out."""
    gold = collection.gold
    assert isinstance(gold, GoldGroups)
    articles = {article.id: article for article in collection.articles()}
    days: dict[str, list[tuple[Article, str]]] = {}
    for id, group in zip(gold.articles, gold.groups, strict=True):
        if id not in articles:
            raise InputError(f"{gold.path}: no article has the id {id!r}")
        at = _core.microseconds(articles[id].published or "")
        if at is not None:
            date = (EPOCH + timedelta(microseconds=at)).date().isoformat()
            days.setdefault(date, []).append((articles[id], str(group)))
    if not days:
        raise InputError(f"{gold.path}: none of its articles has a date", "name the field of the day: --split FIELD")
    out = []
    for date, items in sorted(days.items()):
        collection.tell(f"reading the words of {date}")
        number = {group: at for at, group in enumerate(dict.fromkeys(group for _, group in items))}
        labels = np.array([number[group] for _, group in items], np.int64)
        out.append(ShortDay(date, detector.words(prepare([article for article, _ in items])), labels))
    return out


def merged_days(
    collection: Collection, detector: Semshort = ROWS, days: Sequence[ShortDay] | None = None
) -> list[MergedDay]:
    """The merges of all days in which there is something to find and something merges."""
    out = []
    for day in short_days(collection, detector) if days is None else days:
        collection.tell(f"merging {day.name}")
        found = merged(day, detector)
        if len(found.heights) and len(set(day.labels.tolist())) < len(day.labels):
            out.append(found)
    if not out:
        raise InputError("no day has a group of two items that share a word: there is nothing to find")
    return out


def table(days: Sequence[MergedDay]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The features of all days, and the best r of each."""
    return np.array([day.features for day in days], np.float64), np.array([day.best_r() for day in days])


def too_few(what: str, days: int) -> Row:
    """The row that says that there are too few days."""
    return Row(what, note=f"at least {FEWEST} days are wanted (--split FIELD), got {days}")
