"""The in-memory state of an archive: the index of every detector and the groups, built from the database.

The database is the source of truth. Every writer, in this process or another, appends to its log, the table `changes`,
and every state catches up by replaying that log.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import timedelta
from typing import Any

from samestory import _core
from samestory.archive import log
from samestory.archive.settings import CHECK_HINT
from samestory.archive.stored import ids_of_numbers
from samestory.database import Database, Session
from samestory.detectors import Detector
from samestory.errors import StoreError
from samestory.groups.decisions import SAME
from samestory.index import Entries, Index
from samestory.index.durable import Durable
from samestory.index.strongest import MAX_RELATIONS, NewRelation, rows_for_groups, strongest
from samestory.model import JOINING, NO_TIME, Features, Kind, Overlap, Relation, shown
from samestory.stream import Change, changes_from_core

#: The most log lines that `catch_up` replays; a state further behind is rebuilt.
MAX_LOG_LINES = 20_000


_SELECT = "SELECT number, id, at, likeness, story FROM articles WHERE"


def _is_article(id: object, at: object, likeness: object, story: object) -> bool:
    """Whether these values have the types of an article's row: SQLite stores any value in any column."""
    return (
        type(id) is str
        and (at is None or type(at) is int)
        and type(likeness) is int
        and type(story) is int
        and story > 0
    )


class ArchiveState:
    """The indexes of the detectors and the groups, as of log position `seq`."""

    def __init__(self, database: Database, detectors: Sequence[Detector], window: timedelta | None) -> None:
        self.stores = [Durable(database, str(number)) for number in range(len(detectors))]
        self.indexes = [Index(detector, store, window) for detector, store in zip(detectors, self.stores, strict=True)]
        self.groups = _core.engine.Stream()
        self.seq = 0
        self._pairs: dict[tuple[str, str], bool] = {}

    def load(self, session: Session) -> None:
        """Load the groups from the database; the indexes load themselves when they are created."""
        self.seq = log.end(session)
        self._follow_pairs(session)
        articles = session.rows("SELECT id, at, likeness, story FROM articles ORDER BY number")
        self._restore(session, articles, _edges(session))

    def catch_up(self, session: Session) -> bool:
        """Apply what other writers logged; return False if the state has to be rebuilt instead."""
        newest = log.end(session)
        if newest == self.seq:
            return True
        lines = log.lines(session, self.seq, MAX_LOG_LINES)
        if lines is None:
            return False
        self._replay(session, lines)
        self.seq = newest
        return True

    def follow(self, session: Session) -> None:
        """Apply what this process has just logged about decisions."""
        if not self.catch_up(session):
            self.seq = -1  # too many lines: it is rebuilt before it is used again

    def _replay(self, session: Session, lines: Iterable[tuple[Any, ...]]) -> None:
        """Apply log lines: reload every article and story that they name."""
        named: dict[str, None] = {}
        stories: set[int] = set()
        is_decided = False
        for what, story, articles, other in lines:
            ids = json.loads(articles or "[]")
            if what == "decided":
                is_decided = True
            named.update(dict.fromkeys(ids))
            stories.update(number for number in (story, other) if number is not None)
        ids = list(named)
        for store, index in zip(self.stores, self.indexes, strict=True):
            index.forget(ids)
            index.follow(store.some(ids))
        self.groups.remove(ids, regroup=False)
        if is_decided:
            self._follow_pairs(session)
        rows = session.rows_among(f"{_SELECT} story IN ({{}})", sorted(stories))
        self._reload(session, rows + session.rows_among(f"{_SELECT} id IN ({{}})", ids))

    def settle(self, session: Session, likeness: Iterable[int]) -> None:
        """Reload the articles with these likenesses, whose relations changed in the database.

        When an article is removed, its relations pass to one of its copies or are dropped.
        """
        self._reload(session, session.rows_among(f"{_SELECT} likeness IN ({{}})", sorted(set(likeness) - {0})))

    def _reload(self, session: Session, rows: Iterable[tuple[Any, ...]]) -> None:
        """Drop articles and their edges from the groups, all of them first, and restore them from the database."""
        articles = {row[0]: row[1:] for row in rows}
        if not articles:
            return
        numbers = sorted(articles)
        self.groups.remove([articles[number][0] for number in numbers], regroup=False)
        self._restore(session, [articles[number] for number in numbers], _edges(session, numbers))

    def _restore(
        self, session: Session, articles: Sequence[tuple[Any, ...]], edges: list[tuple[str, str, float]]
    ) -> None:
        for row in articles:
            if not _is_article(*row):
                raise StoreError(
                    f"the row of the article {shown(row[0])} is damaged", CHECK_HINT, place=self.stores[0].place
                )
        rows = [(id, NO_TIME if at is None else at, likeness % 2**64, story) for id, at, likeness, story in articles]
        self.groups.restore(rows, edges, log.last_story(session))

    def story_of(self, id: str) -> int:
        """Return the story of an article; 0 if it is in none."""
        try:
            return self.groups[id]
        except KeyError:
            return 0

    def put(self, features: Features) -> list[Entries]:
        """Sign new articles for every detector and store the signatures."""
        return [index.put(features) for index in self.indexes]

    def with_boilerplate(self, entries: Sequence[Entries]) -> list[str]:
        """Return the ids of the articles with boilerplate that any detector excludes from comparison."""
        each = zip(self.indexes, entries, strict=True)
        found = (
            signed.ids[row] for index, signed in each for row in index.detector.with_boilerplate(signed.signatures)
        )
        return list(dict.fromkeys(found))

    def add(
        self, features: Features, entries: Sequence[Entries], likeness: Sequence[int]
    ) -> tuple[list[Relation], Counter[str], list[Change]]:
        """Index the entries of `put`; return their strongest relations, the number of weaker ones of each article, and
        the changes to the groups. Writes nothing.

        If several detectors relate a pair, the first wins; text detectors precede event detectors. SHARES_TEXT does not
        settle a pair: shared passages are no evidence about the event. Pairs that the first detector recognises as
        reports from one template are not related by the others.
        """
        place = {id: at for at, id in enumerate(features.ids)}
        found: dict[tuple[str, str], NewRelation] = {}
        for index, signed in zip(self.indexes, entries, strict=True):
            relations, sources, samples = index.search(signed, all_copies=False)
            new: dict[tuple[str, str], NewRelation] = {}
            for relation, source, sample in zip(relations, sources, samples, strict=True):
                left, right = relation.left, relation.right
                # a relation between two new articles is one of the later one
                pair = (right, left) if place.get(left, -1) < place.get(right, -1) else (left, right)
                if pair not in found or found[pair].relation.kind is Kind.SHARES_TEXT:
                    new[pair] = NewRelation(relation, pair[1], source, sample)
            if index is not self.indexes[0]:
                forms = self.indexes[0].forms(list(new))
                new = {pair: new[pair] for pair, form in zip(list(new), forms, strict=True) if not form}
            found |= new
        by_article: list[list[NewRelation]] = [[] for _ in place]
        for (own, _), each in found.items():
            by_article[place[own]].append(each)
        kept = [strongest(each, MAX_RELATIONS) for each in by_article]
        weaker = Counter(
            {id: len(every) - len(few) for id, every, few in zip(place, by_article, kept, strict=True) if every != few}
        )
        changes = self._group(features, likeness, by_article, kept)
        return [each.relation for few in kept for each in few], weaker, changes

    def _group(
        self,
        features: Features,
        likeness: Sequence[int],
        found: Sequence[list[NewRelation]],
        kept: Sequence[list[NewRelation]],
    ) -> list[Change]:
        related = [rows_for_groups(every, few) for every, few in zip(found, kept, strict=True)]
        numbers = [number % 2**64 for number in likeness]
        return changes_from_core(
            self.groups.add(features.ids, features.microseconds, related=related, likeness=numbers)
        )

    def remove(self, ids: list[str]) -> list[Change]:
        """Remove articles; their groups may split."""
        for index in self.indexes:
            index.remove(ids)
        return changes_from_core(self.groups.remove(ids))

    def forget(self, ids: list[str]) -> list[Change]:
        """Drop expired articles; the other articles keep their groups."""
        for index in self.indexes:
            index.remove(ids)
        return changes_from_core(self.groups.remove(ids, regroup=False))

    def set_alone(self, ids: list[str]) -> None:
        """Give these articles relations of their own from now on, also those that are copies of others."""
        for index in self.indexes:
            index.set_alone(ids)

    def _follow_pairs(self, session: Session) -> None:
        """Load the decided pairs; the articles of those that have changed must not be in the groups meanwhile."""
        rows = session.rows("SELECT left_id, right_id, decision FROM decisions")
        pairs = {(left, right): decision == SAME for left, right, decision in rows}
        for left, right in self._pairs.keys() - pairs.keys():
            self.groups.decide(left, right, None)
        for (left, right), same in pairs.items() - self._pairs.items():
            self.groups.decide(left, right, same)
        self.set_alone(sorted({id for pair in pairs.keys() - self._pairs.keys() for id in pair}))
        self._pairs = pairs

    def compare(self, pairs: Sequence[tuple[str, str, str]]) -> list[tuple[Kind, Overlap] | None]:
        """Compare indexed articles, given as (detector spec, id, id), whatever their sources."""
        indexes = {str(index.detector): index for index in self.indexes}
        return [indexes[spec].compare(left, right) if spec in indexes else None for spec, left, right in pairs]

    def query(self, features: Features, all_copies: bool = True) -> list[Relation]:
        """Return the relations of articles that are not indexed, strongest first; per pair the first detector wins."""
        found: dict[frozenset[str], Relation] = {}
        for index in self.indexes:
            for relation in index.query(features, all_copies):
                found.setdefault(frozenset((relation.left, relation.right)), relation)
        return sorted(found.values(), key=lambda each: (-each.score, each.left, each.right))


def _edges(session: Session, numbers: Sequence[int] | None = None) -> list[tuple[str, str, float]]:
    """Return the relations that join articles into stories: all of them, or those of some articles."""
    kinds = [str(kind) for kind in Kind if kind in JOINING]
    marks = ", ".join("?" * len(kinds))
    sql = f"SELECT left_number, right_number, score FROM relations WHERE kind IN ({marks})"
    if numbers is None:
        rows = session.rows(sql, kinds)
    else:
        rows = session.rows_among(f"{sql} AND left_number IN ({{}})", numbers, kinds)
        rows += session.rows_among(f"{sql} AND right_number IN ({{}})", numbers, kinds)
        rows = sorted(set(rows))
    names = ids_of_numbers(session, {number for left, right, _ in rows for number in (left, right)})
    for left, right, score in rows:
        if left not in names or right not in names or type(score) is not float:
            raise StoreError(f"the relation of the articles number {left} and {right} is damaged", CHECK_HINT)
    return [(names[left], names[right], score) for left, right, score in rows]
