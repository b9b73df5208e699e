"""What each article of a story depends on, stored in columns of `articles`: pages read them instead of all relations.

- `depends`: the number of the earlier article of its story that it depends on most, or NULL.
- `earlier_kinds`: the kinds of its relations to earlier articles of its story, seen from it: bit n is CLOSEST_FIRST[n].
- `derived`: 1 if a relation shows that its text derives from an earlier text of its story.
- `nearest`: the number of the article of another story to which its relation has the highest score, or NULL.

Articles are ordered by time (publication or, if unknown, arrival), then by number. A text is as old as the first
article of its story with it.

The columns follow from the relations and the stories. A transaction collects the articles for which they may change,
and at its end computes them from all relations of these articles. A new article is such an article, its neighbours are
not: its relations are merged into their columns. So an article that joins a story of thousands costs its own relations.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, NamedTuple

from samestory.archive import settings
from samestory.archive.settings import CHECK_HINT
from samestory.archive.strongest import CLOSEST_FIRST
from samestory.database import Session
from samestory.errors import StoreError
from samestory.model import Kind

#: Kinds by which an article derives its text from another. A different text about the same event is independent.
DERIVED = frozenset(CLOSEST_FIRST) - {Kind.SAME_EVENT, Kind.SHARES_TEXT}
#: Articles whose relations are read at a time.
ARTICLES_AT_ONCE = 500
#: Articles that are computed at a time when all are.
BATCH = 5000

_SETTING, _VERSION = "dependencies", "1"
_CLOSENESS = {str(kind): place for place, kind in enumerate(CLOSEST_FIRST)}
_FLIPPED = {str(kind): _CLOSENESS[kind.flipped] for kind in CLOSEST_FIRST}
_DERIVED = frozenset(_CLOSENESS[kind] for kind in DERIVED)

_ARTICLES = (
    "SELECT a.number, a.story, a.likeness, coalesce(a.at, a.arrived), coalesce(f.at, f.arrived), f.number,"
    " a.depends, a.earlier_kinds, a.derived, a.nearest FROM articles a JOIN articles f ON f.number ="
    " (SELECT b.number FROM articles b WHERE b.likeness = a.likeness AND b.story = a.story"
    " ORDER BY coalesce(b.at, b.arrived), b.number LIMIT 1) WHERE a.number IN ({})"
)
_RELATIONS = "SELECT left_number, right_number, kind, forward, backward, score FROM relations WHERE"
_SIDES = ("left_number", "right_number")
_UPDATE = "UPDATE articles SET depends = ?, earlier_kinds = ?, derived = ?, nearest = ? WHERE number = ?"


class Columns(NamedTuple):
    """The stored columns of an article."""

    depends: int | None
    earlier_kinds: int
    derived: int
    nearest: int | None


_EMPTY = Columns(None, 0, 0, None)
#: The number of an article and the columns that it should have.
Difference = tuple[int, Columns]


@dataclass(slots=True)
class _Article:
    """An article during the computation."""

    number: int
    story: int
    likeness: int
    place: tuple[int, int]
    """Its place in chronological order: time and number."""
    text_place: tuple[int, int]
    """The place of the first article of its story with its text."""
    stored: Columns
    is_neighbour: bool
    """Whether only some of its relations are applied, and merged into its stored columns."""
    earlier_kinds: int = 0
    derived: int = 0
    closest: tuple[Any, ...] | None = None
    """The closest earlier article of its story: closeness, negative shares, place; the smallest is the closest."""
    nearest: tuple[Any, ...] | None = None
    """The nearest article of another story: negative score, number."""

    def relate(self, other: _Article, closeness: int, forward: float, backward: float, score: float) -> None:
        """Apply a relation to another article, as seen from this one."""
        if other.story != self.story:
            near = (-score, other.number)
            if self.nearest is None or near < self.nearest:
                self.nearest = near
            return
        if other.place < self.place:
            self.earlier_kinds |= 1 << closeness
            rank = (closeness, -forward, -backward, other.place)
            if self.closest is None or rank < self.closest:
                self.closest = rank
        if closeness in _DERIVED and other.likeness != self.likeness and other.text_place < self.text_place:
            self.derived = 1

    def to_columns(self) -> Columns:
        """Return the columns to store."""
        before = self.stored if self.is_neighbour else _EMPTY
        depends = before.depends if self.closest is None else self.closest[-1][1]
        nearest = before.nearest if self.nearest is None else self.nearest[-1]
        kinds, derived = before.earlier_kinds | self.earlier_kinds, before.derived | self.derived
        return Columns(depends, kinds, derived, nearest)


class DependencyUpdate:
    """Collects the articles whose columns a transaction may change, and computes them at its end."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._changed: set[int] = set()
        self._entered: set[int] = set()

    def leave(self, numbers: Collection[int]) -> None:
        """Note articles, by number, that are about to be deleted, or to leave their story or their time."""
        same = {*numbers, *_with_same_text(self._session, numbers)}
        self._changed |= same
        for near, far in (_SIDES, _SIDES[::-1]):
            found = self._session.rows_among(f"SELECT {far} FROM relations WHERE {near} IN ({{}})", sorted(same))
            self._changed.update(number for (number,) in found)

    def enter(self, numbers: Iterable[int]) -> None:
        """Note articles, by number, that are new in their story, or have new relations."""
        self._entered.update(numbers)

    def finish(self) -> None:
        """Compute and store the columns of the articles that were noted."""
        if self._entered:
            # an older copy makes a text older, and so reverses what derives from what
            found = self._session.rows_among(_ARTICLES, sorted(self._entered))
            firsts = [row[0] for row in found if row[0] == row[5]]
            self._changed |= self._entered
            self._changed.update(_with_same_text(self._session, firsts))
        refresh(self._session, self._changed)
        self._changed, self._entered = set(), set()


def _with_same_text(session: Session, numbers: Collection[int]) -> set[int]:
    """Return the numbers of the articles with the same words as some articles."""
    found = session.rows_among("SELECT likeness FROM articles WHERE number IN ({})", sorted(numbers))
    sql = "SELECT number FROM articles WHERE likeness IN ({})"
    return {number for (number,) in session.rows_among(sql, sorted({likeness for (likeness,) in found}))}


def refresh(session: Session, numbers: Iterable[int]) -> None:
    """Compute the columns of some articles from their relations, merge these into their neighbours', and store all."""
    changed = set(numbers)
    while changed:
        computation = _Computation(session, changed)
        _store(session, computation.merge())
        changed = computation.joined


def _differences(articles: Iterable[_Article]) -> list[Difference]:
    found = [(each, each.to_columns()) for each in articles]
    return [(each.number, columns) for each, columns in found if columns != each.stored]


def _store(session: Session, differences: Iterable[Difference]) -> None:
    session.many(_UPDATE, [(*columns, number) for number, columns in differences])


def refresh_all(session: Session) -> None:
    """Compute and store the columns of all articles."""
    wrong_numbers(session, repair=True)
    settings.put(session, _SETTING, _VERSION)


def are_stored(session: Session) -> bool:
    """Whether the columns were computed: an archive of an older samestory has none."""
    return settings.get(session, _SETTING) == _VERSION


def store_if_absent(session: Session) -> None:
    """Compute and store the columns of an archive of an older samestory."""
    if not are_stored(session):
        refresh_all(session)


def wrong_numbers(session: Session, repair: bool) -> list[int]:
    """Return the numbers of the articles whose stored columns are wrong; with `repair`, store the right ones."""
    out = []
    for differences in _all_differences(session):
        out += [number for number, _ in differences]
        if repair:
            _store(session, differences)
    return out


def _all_differences(session: Session) -> Iterator[list[Difference]]:
    last = -(2**63)
    sql = f"SELECT number FROM articles WHERE number > ? ORDER BY number LIMIT {BATCH}"
    while rows := session.rows(sql, (last,)):
        last = rows[-1][0]
        yield _Computation(session, {number for (number,) in rows}).replace()


class _Computation:
    """Computes the columns of some articles."""

    def __init__(self, session: Session, numbers: set[int]) -> None:
        self._session = session
        self._numbers = numbers
        self._articles: dict[int, _Article] = {}
        self.joined: set[int] = set()
        """Neighbours whose nearest article of another story is now one of their own."""

    def replace(self) -> list[Difference]:
        """Return the columns of the articles that differ from the stored ones; damaged rows are skipped."""
        for row in self._relations():
            with suppress(TypeError, KeyError):  # the check reports it
                self._relate(row, False)
        return _differences(self._articles[number] for number in self._numbers & self._articles.keys())

    def merge(self) -> list[Difference]:
        """Return the columns that differ, also of the neighbours, into which the relations are merged."""
        try:
            for row in self._relations():
                self._relate(row, True)
            self._relate_stored()
            return _differences(each for each in self._articles.values() if each.number not in self.joined)
        except (TypeError, KeyError):  # SQLite stores any value in any column
            raise StoreError("the row of an article or of a relation is damaged", CHECK_HINT) from None

    def _load(self, numbers: Iterable[int]) -> None:
        """Load articles that are not loaded yet."""
        absent = sorted(set(numbers) - self._articles.keys())
        for number, story, likeness, time, text_time, first, *stored in self._session.rows_among(_ARTICLES, absent):
            places = (time, number), (text_time, first)
            self._articles[number] = _Article(
                number, story, likeness, *places, Columns(*stored), number not in self._numbers
            )

    def _relations(self) -> Iterator[tuple[Any, ...]]:
        """Yield every relation of every article, followed by the side of that article: 0 is the left one."""
        numbers = sorted(self._numbers)
        for start in range(0, len(numbers), ARTICLES_AT_ONCE):
            some = numbers[start : start + ARTICLES_AT_ONCE]
            self._load(some)
            for side in (0, 1):
                rows = self._session.rows_among(f"{_RELATIONS} {_SIDES[side]} IN ({{}})", some)
                self._load(row[1 - side] for row in rows)
                yield from ((*row, side) for row in rows)

    def _relate(self, row: tuple[Any, ...], merges: bool) -> None:
        """Apply a relation to the article by which it was found; with `merges`, also to a neighbour."""
        left, right, kind, forward, backward, score, side = row
        one, other = self._articles.get(left), self._articles.get(right)
        if one is None or other is None:
            return  # the check reports it
        if side == 0 or (merges and one.is_neighbour):
            one.relate(other, _CLOSENESS[kind], forward, backward, score)
        if side == 1 or (merges and other.is_neighbour):
            other.relate(one, _FLIPPED[kind], backward, forward, score)

    def _relate_stored(self) -> None:
        """Apply the relations to their stored articles to the neighbours for which others were found."""
        neighbours = [each for each in self._articles.values() if each.is_neighbour]
        depends = [each.number for each in neighbours if each.closest is not None and each.stored.depends is not None]
        nearest = [each.number for each in neighbours if each.nearest is not None and each.stored.nearest is not None]
        for column, numbers in (("depends", depends), ("nearest", nearest)):
            for near, far, kinds in (("left", "right", _CLOSENESS), ("right", "left", _FLIPPED)):
                shares = "r.forward, r.backward" if near == "left" else "r.backward, r.forward"
                rows = self._session.rows_among(
                    f"SELECT a.number, a.{column}, r.kind, {shares}, r.score FROM articles a"
                    f" JOIN relations r ON r.{near}_number = a.number AND r.{far}_number = a.{column}"
                    " WHERE a.number IN ({})",
                    numbers,
                )
                self._load(row[1] for row in rows)
                for number, stored, kind, forward, backward, score in rows:
                    self._articles[number].relate(self._articles[stored], kinds[kind], forward, backward, score)
        for each in neighbours:
            before = None if each.stored.nearest is None else self._articles.get(each.stored.nearest)
            if before is not None and before.story == each.story:
                self.joined.add(each.number)
