"""What the columns of archive/dependencies.py must be, computed from all relations of an archive."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

from samestory.archive.dependencies import DERIVED, DependencyColumns
from samestory.database import Session
from samestory.model import CLOSEST_FIRST, Kind

#: An article as (number, time, likeness); articles with the same words have the same likeness.
DatedText = tuple[int, int, int]


def derived_texts(articles: Iterable[DatedText], pairs: Iterable[tuple[int, int]]) -> tuple[set[int], set[int]]:
    """Return the texts of some articles, and those that derive from earlier ones; `pairs` have text in common.

    >>> derived_texts([(1, 10, 7), (2, 20, 7), (3, 30, 8), (4, 40, 9)], [(3, 1)])
    ({8, 9, 7}, {8})
    """
    first: dict[int, tuple[int, int]] = {}
    text = {}
    for number, time, likeness in articles:
        text[number] = likeness
        first[likeness] = min((time, number), first.get(likeness, (time, number)))
    derived = set()
    for one, other in pairs:
        if one in text and other in text and text[one] != text[other]:
            # the later of the two derives from the earlier
            derived.add(max(text[one], text[other], key=first.__getitem__))
    return set(first), derived


class Expected:
    """The statistics of all stories of an archive, and the columns of all articles."""

    def __init__(self, session: Session) -> None:
        rows = session.rows("SELECT number, coalesce(at, arrived), likeness, story FROM articles")
        self._articles = {number: tuple(more) for number, *more in rows}
        found = session.rows("SELECT left_number, right_number, kind, forward, backward, score FROM relations")
        self._relations = [(left, right, Kind(kind), *shares) for left, right, kind, *shares in found]
        self._first: dict[tuple[int, int], tuple[int, int]] = {}
        for number, (time, likeness, story) in self._articles.items():
            key = (story, likeness)
            self._first[key] = min((time, number), self._first.get(key, (time, number)))
        self.columns = {number: self._columns(number) for number in self._articles}

    def _seen(self, number: int) -> Iterable[tuple[int, Kind, float, float, float]]:
        for left, right, kind, forward, backward, score in self._relations:
            if left == number:
                yield right, kind, forward, backward, score
            elif right == number:
                yield left, kind.flipped, backward, forward, score

    def _columns(self, number: int) -> DependencyColumns:
        time, likeness, story = self._articles[number]
        closest: list[tuple[Any, ...]] = []
        nearest: list[tuple[float, int]] = []
        kinds = derived = 0
        for other, kind, forward, backward, score in self._seen(number):
            other_time, other_likeness, other_story = self._articles[other]
            if other_story != story:
                nearest.append((-score, other))
                continue
            if (other_time, other) < (time, number):
                place = CLOSEST_FIRST.index(kind)
                kinds |= 1 << place
                closest.append((place, -forward, -backward, other_time, other))
            if likeness != other_likeness and kind in DERIVED:
                derived |= self._first[story, other_likeness] < self._first[story, likeness]
        return DependencyColumns(
            min(closest)[-1] if closest else None, kinds, int(derived), min(nearest)[-1] if nearest else None
        )

    def texts(self) -> dict[int, int]:
        """Return the number of independent texts by story."""
        out = {}
        for story, members in self._by_story().items():
            pairs = [(left, right) for left, right, kind, *_ in self._relations if kind in DERIVED]
            articles = [(number, *self._articles[number][:2]) for number in members]
            every, derived = derived_texts(articles, pairs)
            out[story] = len(every - derived)
        return out

    def kinds(self) -> dict[int, tuple[Kind, ...]]:
        """Return the kinds of the relations inside each story."""
        out: dict[int, set[Kind]] = {story: set() for story in self._by_story()}
        for left, right, kind, *_ in self._relations:
            if self._articles[left][2] == self._articles[right][2]:
                out[self._articles[left][2]].add(kind)
        return {story: tuple(kind for kind in Kind if kind in kinds) for story, kinds in out.items()}

    def dependencies(self) -> dict[int, Counter[Kind]]:
        """Return the number of articles by kind of dependency, by story."""
        out = {}
        for story, members in self._by_story().items():
            kinds = (self.columns[number].earlier_kinds for number in members)
            out[story] = Counter(CLOSEST_FIRST[f"{each:b}"[::-1].index("1")] for each in kinds if each)
        return out

    def _by_story(self) -> dict[int, list[int]]:
        out: dict[int, list[int]] = {}
        for number, (_, _, story) in self._articles.items():
            out.setdefault(story, []).append(number)
        return out


def stored_columns(session: Session) -> dict[int, DependencyColumns]:
    """Return the columns as they are stored."""
    rows = session.rows("SELECT number, depends, earlier_kinds, derived, nearest FROM articles")
    return {number: DependencyColumns(*columns) for number, *columns in rows}
