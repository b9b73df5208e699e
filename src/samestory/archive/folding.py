"""Matching articles folded to stories, in columns: who comes first, how many there are, what they have in common."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from samestory.archive.narrow import Names, Narrow, Numbers
from samestory.archive.query import Filters, name_key
from samestory.archive.times import day_name

#: Values by stories that are counted in one table of bits; more are sorted, which takes longer.
TABLE = 1 << 24
#: A table with more places than this for every article is emptier than it is worth to be filled and summed.
SPARSE = 64

Counts = tuple[tuple[str | None, int], ...]


@dataclass(frozen=True, slots=True)
class Facets:
    """How many stories have a matching article of a source, in a language, of a day; None where nobody knows.

    Sources and languages by their number of stories, days from the newest to the oldest.
    """

    sources: Counts
    languages: Counts
    days: Counts


def admitted(table: Narrow, rows: Numbers, filters: Iterable[Filters], bound: int) -> Numbers:
    """The rows that pass all filters, of articles that had come; one that has a new version since had come too."""
    keep = table.came[rows] <= bound
    for each in filters:
        if each.sources:
            keep &= _named(table.sources, each.sources)[table.source[rows]]
        if each.languages:
            keep &= _named(table.languages, each.languages)[table.language[rows]]
        days = table.day[rows]
        if each.days:
            keep &= np.isin(days, each.days)
        if each.since is not None:
            keep &= days >= each.since
        if each.until is not None:
            keep &= days <= each.until
    return rows[keep]


def _named(names: Names, wanted: Iterable[str]) -> NDArray[np.bool_]:
    """Which of the names are wanted; case and accents do not matter."""
    keys = set(map(name_key, wanted))
    return np.array([name is not None and name_key(name) in keys for name in list(names.names)], bool)


@dataclass(frozen=True, slots=True)
class Ranking:
    """The stories of matching articles: places in `table.stories`, and the two numbers that place each of them."""

    stories: Numbers
    score: Numbers
    time: Numbers

    @classmethod
    def of(cls, table: Narrow, rows: Numbers, scores: Numbers) -> Ranking:
        """A story is worth what its best article is worth, and of those the newest."""
        story, time = table.story[rows], table.time[rows]
        score = np.full(len(table.stories), -1, np.int64)
        np.maximum.at(score, story, scores)
        best = scores == score[story]
        newest = np.full(len(table.stories), np.iinfo(np.int64).min, np.int64)
        np.maximum.at(newest, story[best], time[best])
        there = np.flatnonzero(score >= 0)
        return cls(there, score[there], newest[there])

    def after(self, table: Narrow, score: int, time: int, story: int) -> Ranking:
        """Those that come after a place."""
        numbers = table.stories[self.stories]
        later = (self.time < time) | ((self.time == time) & (numbers < story))
        return self._only((self.score < score) | ((self.score == score) & later))

    def first(self, count: int) -> Ranking:
        """The first so many, in order: by score, then the newest, then the newest number."""
        found = self
        if len(found.stories) > count:
            # only those that can be among the first are sorted
            found = found._only(found.score >= _nth(found.score, count))
            level = found.score == found.score.min()
            room = count - int((~level).sum())
            found = found._only(~level | (found.time >= _nth(found.time[level], room)))
        order = np.lexsort((-found.stories, -found.time, -found.score))[:count]
        return found._only(order)

    def _only(self, which: NDArray[np.bool_] | NDArray[np.intp]) -> Ranking:
        return Ranking(self.stories[which], self.score[which], self.time[which])


def _nth(values: Numbers, count: int) -> int:
    """The value of the so manyth, from the largest on."""
    place = len(values) - count
    return int(np.partition(values, place)[place])


def facets(table: Narrow, rows: Numbers) -> Facets:
    """What the stories of these rows have in common."""
    story = table.story[rows]

    def named(values: Numbers, names: Names) -> Counts:
        counts = _stories(story, values, len(table.stories), len(names.names))
        found = [(names.names[value], int(counts[value])) for value in np.flatnonzero(counts)]
        return tuple(sorted(found, key=lambda pair: (-pair[1], pair[0] is None, pair[0] or "")))

    days = table.day[rows]
    first = int(days.min()) if len(days) else 0
    counts = _stories(story, days - first, len(table.stories), int(days.max()) - first + 1 if len(days) else 0)
    return Facets(
        named(table.source[rows], table.sources),
        named(table.language[rows], table.languages),
        tuple((day_name(int(day) + first), int(counts[day])) for day in np.flatnonzero(counts)[::-1]),
    )


def _stories(story: Numbers, value: Numbers, stories: int, values: int) -> Numbers:
    """How many different stories have each value."""
    pairs = story * values + value
    if stories * values <= min(TABLE, SPARSE * len(pairs)):
        seen = np.zeros((stories, values), bool)
        seen.reshape(-1)[pairs] = True
        counts: Numbers = seen.sum(axis=0, dtype=np.int64)
        return counts
    pairs = np.sort(pairs)  # np.unique does not sort, and takes ten times as long
    new = np.ones(len(pairs), bool)
    new[1:] = pairs[1:] != pairs[:-1]
    return np.bincount(pairs[new] % values, minlength=values)
