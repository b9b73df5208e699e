"""Filters matching articles, collapses them to stories, ranks the stories and counts facets; all on columns."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from samestory.archive.columns import ArticleColumns, NameTable, Numbers
from samestory.archive.query import Filters, name_key
from samestory.archive.times import day_name

#: The most cells of a bitmap of stories by values; larger ones are counted by sorting, which takes longer.
MAX_CELLS = 1 << 24
#: A bitmap with more cells per article than this is too sparse to be worth filling and summing.
MAX_CELLS_PER_ARTICLE = 64

Counts = tuple[tuple[str | None, int], ...]


@dataclass(frozen=True, slots=True)
class Facets:
    """The number of stories with a matching article per source, language and day; None is an unknown value.

    Sources and languages are sorted by their number of stories, days from the newest to the oldest.
    """

    sources: Counts
    languages: Counts
    days: Counts
    fields: tuple[tuple[str, Counts], ...] = ()
    """Fields of metadata with few values, those with the most stories first."""


def apply_filters(table: ArticleColumns, rows: Numbers, filters: Iterable[Filters], bound: int) -> Numbers:
    """Return the rows that pass all filters and first arrived up to number `bound`, whatever their version."""
    keep = table.came[rows] <= bound
    for each in filters:
        if each.sources:
            keep &= _is_named(table.sources, each.sources)[table.source[rows]]
        if each.languages:
            keep &= _is_named(table.languages, each.languages)[table.language[rows]]
        days = table.day[rows]
        if each.days:
            keep &= np.isin(days, each.days)
        if each.since is not None:
            keep &= days >= each.since
        if each.until is not None:
            keep &= days <= each.until
    return rows[keep]


def _is_named(names: NameTable, wanted: Iterable[str]) -> NDArray[np.bool_]:
    """Return a mask of the names that are wanted; case and accents do not matter."""
    keys = set(map(name_key, wanted))
    return np.array([name is not None and name_key(name) in keys for name in list(names.names)], bool)


@dataclass(frozen=True, slots=True)
class Ranking:
    """The stories of matching articles, as indices into `table.stories`, with the score and time that rank them."""

    stories: Numbers
    score: Numbers
    time: Numbers

    @classmethod
    def from_rows(cls, table: ArticleColumns, rows: Numbers, scores: Numbers) -> Ranking:
        """Rank stories: the score is that of the best article, the time that of the newest among the best."""
        story, time = table.story[rows], table.time[rows]
        score = np.full(len(table.stories), -1, np.int64)
        np.maximum.at(score, story, scores)
        best = scores == score[story]
        newest = np.full(len(table.stories), np.iinfo(np.int64).min, np.int64)
        np.maximum.at(newest, story[best], time[best])
        matching = np.flatnonzero(score >= 0)
        return cls(matching, score[matching], newest[matching])

    def after(self, table: ArticleColumns, score: int, time: int, story: int) -> Ranking:
        """Return the stories that rank below a position."""
        numbers = table.stories[self.stories]
        later = (self.time < time) | ((self.time == time) & (numbers < story))
        return self._only((self.score < score) | ((self.score == score) & later))

    def first(self, count: int) -> Ranking:
        """Return the first `count` stories, sorted by score, then time, then number, each descending."""
        top = self
        if len(top.stories) > count:
            # sort only the stories that can be among the first
            top = top._only(top.score >= _nth_largest(top.score, count))
            lowest = top.score == top.score.min()
            room = count - int((~lowest).sum())
            top = top._only(~lowest | (top.time >= _nth_largest(top.time[lowest], room)))
        order = np.lexsort((-top.stories, -top.time, -top.score))[:count]
        return top._only(order)

    def _only(self, which: NDArray[np.bool_] | NDArray[np.intp]) -> Ranking:
        return Ranking(self.stories[which], self.score[which], self.time[which])


def _nth_largest(values: Numbers, count: int) -> int:
    """Return the value of rank `count`, from the largest down."""
    place = len(values) - count
    return int(np.partition(values, place)[place])


def facets(table: ArticleColumns, rows: Numbers) -> Facets:
    """Count the stories of these rows by source, language and day."""
    story = table.story[rows]

    def named(values: Numbers, names: NameTable) -> Counts:
        counts = count_stories(story, values, len(table.stories), len(names.names))
        found = [(names.names[value], int(counts[value])) for value in np.flatnonzero(counts)]
        return tuple(sorted(found, key=lambda pair: (-pair[1], pair[0] is None, pair[0] or "")))

    days = table.day[rows]
    first = int(days.min()) if len(days) else 0
    counts = count_stories(story, days - first, len(table.stories), int(days.max()) - first + 1 if len(days) else 0)
    return Facets(
        named(table.source[rows], table.sources),
        named(table.language[rows], table.languages),
        tuple((day_name(int(day) + first), int(counts[day])) for day in np.flatnonzero(counts)[::-1]),
    )


def count_stories(story: Numbers, value: Numbers, stories: int, values: int) -> Numbers:
    """Return the number of distinct stories with each value."""
    pairs = story * values + value
    if stories * values <= min(MAX_CELLS, MAX_CELLS_PER_ARTICLE * len(pairs)):
        seen = np.zeros((stories, values), bool)
        seen.reshape(-1)[pairs] = True
        counts: Numbers = seen.sum(axis=0, dtype=np.int64)
        return counts
    pairs = np.sort(pairs)  # np.unique hashes instead, and takes ten times as long
    new = np.ones(len(pairs), bool)
    new[1:] = pairs[1:] != pairs[:-1]
    return np.bincount(pairs[new] % values, minlength=values)
