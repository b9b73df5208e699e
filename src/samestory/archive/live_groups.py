"""The groups that an archive is working on: those of the stories that new or removed articles concern.

An article can join only the stories of the articles that it is related to, copies, or was decided to be one story with;
and whether these are merged follows from the relations of their articles alone. So the stories are loaded from the
database when they are needed, and an archive opens as fast with a million articles as with one.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Any

from samestory import _core
from samestory.archive import log
from samestory.archive.settings import CHECK_HINT
from samestory.archive.stored import ids_of_numbers
from samestory.database import Session
from samestory.errors import StoreError
from samestory.index.strongest import NewRelation, rows_for_groups
from samestory.model import JOINING, NO_TIME, Features, Kind, shown
from samestory.stream import Change, changes_from_core

#: Articles in memory between transactions; with more of them, all are dropped. Stories in the news are worked on for
#: days: a batch of a thousand articles concerns some thousand others.
MAX_ARTICLES = 50_000

#: Decided pairs of ids, and whether they are one story.
Pairs = dict[tuple[str, str], bool]


class LiveGroups:
    """Groups of articles by majority; those of stored stories are loaded when they are needed."""

    def __init__(self, place: str, loads: bool = True) -> None:
        """`place`: the database, for messages. With `loads` false, only articles that are added here are in groups."""
        self._place, self._loads = place, loads
        self._pairs: Pairs = {}
        self.clear()

    def clear(self) -> None:
        """Drop all groups, which are loaded again when they are needed."""
        self._native = _core.engine.Stream()
        self._stories: set[int] = set()
        for (left, right), same in self._pairs.items():
            self._native.decide(left, right, same)

    def shrink(self) -> None:
        """Drop all groups if they have many articles."""
        if self._loads and len(self._native) > MAX_ARTICLES:
            self.clear()

    def decide(self, pairs: Pairs) -> None:
        """Set the decided pairs."""
        if pairs != self._pairs:
            self._pairs = dict(pairs)
            self.clear()

    def add(
        self,
        session: Session,
        features: Features,
        likeness: Sequence[int],
        found: Sequence[list[NewRelation]],
        kept: Sequence[list[NewRelation]],
    ) -> list[Change]:
        """Add articles with their relations to earlier ones, of which those in `kept` count for later articles too."""
        related = [rows_for_groups(every, few) for every, few in zip(found, kept, strict=True)]
        new = set(features.ids)
        partners = [id for pair in self._pairs if not new.isdisjoint(pair) for id in pair]
        self.load(session, {row[0] for rows in related for row in rows} | set(partners) | new, likeness)
        numbers = [number % 2**64 for number in likeness]
        self._native.restore([], [], log.last_story(session))
        return self._noted(self._native.add(features.ids, features.microseconds, related=related, likeness=numbers))

    def remove(self, session: Session, ids: list[str], regroup: bool) -> list[Change]:
        """Remove articles that are still stored; their groups may split if they are to be regrouped."""
        self.load(session, ids)
        self._native.restore([], [], log.last_story(session))
        return self._noted(self._native.remove(ids, regroup=regroup))

    def __getitem__(self, id: str) -> int:
        """The group of an article that has been added or loaded; 0 if it is in none."""
        try:
            return self._native[id]
        except KeyError:
            return 0

    @property
    def groups(self) -> list[tuple[int, list[str]]]:
        """The articles of every group in memory."""
        return self._native.groups

    def load(self, session: Session, ids: Iterable[str], likeness: Iterable[int] = ()) -> None:
        """Load the stories of stored articles, and of those with the same words, that are not in memory."""
        if not self._loads:
            return
        wanted: set[int] = set()
        for column, values in (("id", sorted(set(ids))), ("likeness", sorted(set(likeness) - {0}))):
            rows = session.rows_among(f"SELECT DISTINCT story FROM articles WHERE {column} IN ({{}})", values)
            wanted.update(story for (story,) in rows if _is_number(story))
        stories = sorted(wanted - self._stories)
        self._restore(session, session.rows_among(f"{_SELECT} story IN ({{}}) ORDER BY number", stories))
        self._stories.update(stories)

    def reload(self, session: Session, likeness: Collection[int]) -> None:
        """Load the articles with these words again, if they are in memory: their relations changed in the database.

        When an article is removed, its relations pass to one of its copies or are dropped.
        """
        if not likeness:
            return
        rows = session.rows_among(f"{_SELECT} likeness IN ({{}})", sorted(set(likeness) - {0}))
        here = [row for row in rows if row[1] in self._native]
        self._native.remove([row[1] for row in here], regroup=False)
        self._restore(session, here)

    def _restore(self, session: Session, rows: Sequence[tuple[Any, ...]]) -> None:
        if not rows:
            return
        articles = []
        for _, id, at, likeness, story in sorted(rows):
            if not (_is_id(id, at) and type(likeness) is int and _is_number(story)):
                raise StoreError(f"the row of the article {shown(id)} is damaged", CHECK_HINT, place=self._place)
            articles.append((id, NO_TIME if at is None else at, likeness % 2**64, story))
        edges = _edges(session, [row[0] for row in rows])
        self._native.restore(articles, edges, log.last_story(session))

    def _noted(self, rows: Iterable[_core.engine.GroupChange]) -> list[Change]:
        """Convert changes; the groups that they name are in memory as a whole."""
        changes = changes_from_core(rows)
        self._stories.update(number for each in changes for number in (each.group, each.other) if number is not None)
        return changes


_SELECT = "SELECT number, id, at, likeness, story FROM articles WHERE"


def _is_number(story: object) -> bool:
    return type(story) is int and story > 0


def _is_id(id: object, at: object) -> bool:
    """Whether these values have the types of an article's row: SQLite stores any value in any column."""
    return type(id) is str and (at is None or type(at) is int)


def _edges(session: Session, numbers: Sequence[int]) -> list[tuple[str, str, float]]:
    """Return the relations of some articles that join articles into stories."""
    kinds = [str(kind) for kind in Kind if kind in JOINING]
    marks = ", ".join("?" * len(kinds))
    sql = f"SELECT left_number, right_number, score FROM relations WHERE kind IN ({marks})"
    found = session.rows_among(f"{sql} AND left_number IN ({{}})", numbers, kinds)
    found += session.rows_among(f"{sql} AND right_number IN ({{}})", numbers, kinds)
    rows = sorted(set(found))
    names = ids_of_numbers(session, {number for left, right, _ in rows for number in (left, right)})
    for left, right, score in rows:
        if left not in names or right not in names or type(score) is not float:
            raise StoreError(f"the relation of the articles number {left} and {right} is damaged", CHECK_HINT)
    return [(names[left], names[right], score) for left, right, score in rows]
