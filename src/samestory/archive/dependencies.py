"""What each article of a story depends on, stored in columns of `articles`: pages read them instead of all relations.

- `depends`: the number of the earlier article of its story that it depends on most, or NULL.
- `earlier_kinds`: the kinds of its relations to earlier articles of its story, seen from it: bit n is CLOSEST_FIRST[n].
- `derived`: 1 if a relation shows that its text derives from an earlier text of its story.
- `nearest`: the number of the article of another story to which its relation has the highest score, or NULL.

Articles are ordered by time (publication or, if unknown, arrival), then by number. A text is as old as the first
article of its story with it.

The columns follow from the relations and the stories. A transaction collects the articles for which they may change,
and at its end computes them from all relations of these articles. A new article is such an article, its neighbours are
not: its relations are merged into their columns. If an article leaves, its neighbours are computed again only if they
depend on it. So an article that joins or leaves a story of thousands costs about its own relations.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, NamedTuple

from samestory.archive import settings
from samestory.archive.settings import CHECK_HINT
from samestory.database import Session
from samestory.errors import StoreError
from samestory.model import CLOSEST_FIRST, Kind

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
_COPIES = (
    "SELECT b.number FROM articles a JOIN articles b ON b.likeness = a.likeness AND b.story = a.story"
    " AND b.number <> a.number WHERE a.number IN ({})"
)
#: The neighbours of articles, and whether these are earlier articles of the same story.
_NEIGHBOURS = (
    "SELECT a.number, b.number, r.kind, a.story = b.story"
    " AND (coalesce(a.at, a.arrived), a.number) < (coalesce(b.at, b.arrived), b.number) FROM relations r"
    " JOIN articles a ON a.number = r.{near} JOIN articles b ON b.number = r.{far} WHERE r.{near} IN ({{}})"
)
_WITH_KIND = "SELECT a.number FROM articles a WHERE ({left} OR {right}) AND a.number IN ({{}})".format(
    **{
        near: f"EXISTS (SELECT 1 FROM relations r JOIN articles b ON b.number = r.{far}_number"
        f" WHERE r.{near}_number = a.number AND r.kind = ? AND b.story = a.story"
        " AND (coalesce(b.at, b.arrived), b.number) < (coalesce(a.at, a.arrived), a.number))"
        for near, far in (("left", "right"), ("right", "left"))
    }
)
_SIDES = ("left_number", "right_number")
_UPDATE = "UPDATE articles SET depends = ?, earlier_kinds = ?, derived = ?, nearest = ? WHERE number = ?"


class DependencyColumns(NamedTuple):
    """The stored columns of an article."""

    depends: int | None
    earlier_kinds: int
    derived: int
    nearest: int | None


_EMPTY = DependencyColumns(None, 0, 0, None)
#: The number of an article and the columns that it should have.
Difference = tuple[int, DependencyColumns]


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
    stored: DependencyColumns
    is_neighbour: bool = True
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

    def is_derived_confirmed(self, closest: _Article | None) -> bool:
        """Whether the article that it depends on confirms that its text is derived, if it is."""
        lowest = self.stored.earlier_kinds & -self.stored.earlier_kinds
        return not self.stored.derived or (
            closest is not None
            and lowest.bit_length() - 1 in _DERIVED
            and closest.likeness != self.likeness
            and closest.text_place < self.text_place
        )

    def to_columns(self) -> DependencyColumns:
        """Return the columns to store."""
        before = self.stored if self.is_neighbour else _EMPTY
        depends = before.depends if self.closest is None else self.closest[-1][1]
        nearest = before.nearest if self.nearest is None else self.nearest[-1]
        kinds, derived = before.earlier_kinds | self.earlier_kinds, before.derived | self.derived
        return DependencyColumns(depends, kinds, derived, nearest)


def _load(session: Session, numbers: Iterable[int]) -> dict[int, _Article]:
    """Load articles by number."""
    return {
        number: _Article(number, story, likeness, (time, number), (text_time, first), DependencyColumns(*stored))
        for number, story, likeness, time, text_time, first, *stored in session.rows_among(_ARTICLES, sorted(numbers))
    }


class DependencyUpdate:
    """Collects the articles whose columns a transaction may change, and computes them at its end."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._entered: set[int] = set()
        self._left: set[int] = set()
        self._changed: set[int] = set()
        self._neighbours: dict[int, int] = {}
        """Neighbours of articles that left, with the kinds of earlier ones that they may have lost, as bits."""

    def leave(self, numbers: Collection[int]) -> None:
        """Note articles, by number, that are about to be deleted, or to leave their story or their time."""
        self._left.update(numbers)
        # a text whose first article leaves becomes younger, and what derives from what is reversed
        copies = _others_with_same_text(self._session, numbers)
        self._changed |= copies
        for near, far, kinds in ((*_SIDES, _FLIPPED), (*_SIDES[::-1], _CLOSENESS)):
            rows = self._session.rows_among(_NEIGHBOURS.format(near=near, far=far), sorted({*numbers, *copies}))
            for number, neighbour, kind, is_earlier in rows:
                lost = 1 << kinds[kind] if is_earlier and number in self._left and kind in kinds else 0
                self._neighbours[neighbour] = self._neighbours.get(neighbour, 0) | lost

    def enter(self, numbers: Iterable[int]) -> None:
        """Note articles, by number, that are new in their story, or have new relations."""
        self._entered.update(numbers)

    def finish(self) -> None:
        """Compute and store the columns of the articles that were noted."""
        # an older copy makes a text older, and reverses what derives from what
        copies = _others_with_same_text(self._session, sorted(self._entered))
        changed = self._changed | self._entered | copies
        try:
            changed |= self._unconfirmed(self._neighbours.keys() - changed)
            while changed:
                computation = _Computation(self._session, changed)
                _store(self._session, computation.merge())
                changed = computation.joined
        except (TypeError, KeyError):  # SQLite stores any value in any column
            raise StoreError("the row of an article or of a relation is damaged", CHECK_HINT) from None

    def _unconfirmed(self, numbers: Iterable[int]) -> set[int]:
        """Return the neighbours whose columns may be wrong now.

        An article of a large story may have thousands of relations. They are read only if the article that it depends
        on has left; otherwise this one and, for every kind that was lost, one other relation confirm the columns.
        """
        articles = _load(self._session, numbers)
        stored = [each.stored.depends for each in articles.values()]
        others = _load(self._session, {number for number in stored if number is not None})
        out, lost = set[int](), defaultdict[int, list[int]](list)
        for number, each in articles.items():
            other = None if each.stored.depends is None else others.get(each.stored.depends)
            has_lost = not self._left.isdisjoint((each.stored.depends, each.stored.nearest))
            if has_lost or not each.is_derived_confirmed(other):
                out.add(number)
                continue
            kinds = each.stored.earlier_kinds
            for place in range(len(CLOSEST_FIRST)):
                # the lowest kind is that of the relation to the article that it depends on
                if self._neighbours[number] & kinds & (kinds - 1) & 1 << place:
                    lost[place].append(number)
        for place, some in lost.items():
            kind = CLOSEST_FIRST[place]
            rows = self._session.rows_among(_WITH_KIND, some, (str(kind), str(kind.flipped)))
            out |= set(some) - {number for (number,) in rows}
        return out


def _others_with_same_text(session: Session, numbers: Collection[int]) -> set[int]:
    """Return the other articles with the texts of which some articles are the first in their story."""
    firsts = [number for number, each in _load(session, numbers).items() if each.text_place == each.place]
    return {number for (number,) in session.rows_among(_COPIES, firsts)}


def _differences(articles: Iterable[_Article]) -> list[Difference]:
    found = [(each, each.to_columns()) for each in articles]
    return [(each.number, columns) for each, columns in found if columns != each.stored]


def _store(session: Session, differences: Iterable[Difference]) -> None:
    if rows := [(*columns, number) for number, columns in differences]:
        session.many(_UPDATE, rows)


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
        for row in self._relations():
            self._relate(row, True)
        self._relate_stored()
        return _differences(each for each in self._articles.values() if each.number not in self.joined)

    def _load(self, numbers: Iterable[int]) -> None:
        """Load articles that are not loaded yet."""
        for number, article in _load(self._session, set(numbers) - self._articles.keys()).items():
            article.is_neighbour = number not in self._numbers
            self._articles[number] = article

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
