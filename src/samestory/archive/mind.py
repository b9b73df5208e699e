"""What an archive has in mind: the index of every detector and the groups, made from the database.

The database is the truth. Its log, the table `changes`, tells what happened since: whoever wrote, this process or
another, everybody catches up by the same lines.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from datetime import timedelta
from typing import Any

from samestory import _core
from samestory.archive import log
from samestory.archive.stored import ids_of_numbers
from samestory.database import Database, Session
from samestory.detectors import Detector
from samestory.groups.decisions import SAME
from samestory.index import Entries, Index
from samestory.index.durable import Durable
from samestory.model import NO_TIME, Features, Kind, Overlap, Relation
from samestory.stream import JOINING, Change
from samestory.stream import told as changes_of

#: So many lines of the log are read one by one; whoever is further behind begins anew.
FAR_BEHIND = 20_000


_KEPT = "SELECT number, id, at, likeness, story FROM articles WHERE"


def _is_open(known: Relation | None) -> bool:
    """May another detector still say what two articles have to do with each other?"""
    return known is None or known.kind is Kind.SHARES_TEXT


class Mind:
    """The indexes of some detectors and the groups, at one place of the log."""

    def __init__(self, database: Database, detectors: Sequence[Detector], window: timedelta | None) -> None:
        self.stores = [Durable(database, str(number)) for number in range(len(detectors))]
        self.indexes = [Index(detector, store, window) for detector, store in zip(detectors, self.stores, strict=True)]
        self.groups = _core.Stream()
        self.seq = 0

    def load(self, session: Session, decisions: bool = True) -> None:
        """Takes the groups from the database; the indexes have filled themselves."""
        self.seq = log.end(session)
        if decisions:
            for left, right, decision in session.rows("SELECT left_id, right_id, decision FROM decisions"):
                self.decide(left, right, decision == SAME)
        kept = session.rows("SELECT id, at, likeness, story FROM articles ORDER BY number")
        self._restore(session, kept, _ties(session))

    def catch_up(self, session: Session) -> bool:
        """Follows what others wrote; False if that is too much, so that one must begin anew."""
        newest = log.end(session)
        if newest == self.seq:
            return True
        lines = log.lines(session, self.seq, FAR_BEHIND)
        if lines is None:
            return False
        self._follow(session, lines)
        self.seq = newest
        return True

    def _follow(self, session: Session, lines: Iterable[tuple[Any, ...]]) -> None:
        named: dict[str, None] = {}
        stories: set[int] = set()
        for what, story, articles, other in lines:
            ids = json.loads(articles or "[]")
            if what == "decided":
                self.decide(ids[0], ids[1], None if other is None else bool(other))
                continue
            named.update(dict.fromkeys(ids))
            stories.update(number for number in (story, other) if number is not None)
        ids = list(named)
        for store, index in zip(self.stores, self.indexes, strict=True):
            index.forget(ids)
            index.follow(store.some(ids))
        self.groups.drop(ids)
        found = session.rows_among(f"{_KEPT} story IN ({{}})", sorted(stories))
        self._again(session, found + session.rows_among(f"{_KEPT} id IN ({{}})", ids))

    def settle(self, session: Session, likeness: Iterable[int]) -> None:
        """Knows the copies of articles that are gone as they are written: what was said of those is said of one of
        them now, and of others it is not said any more."""
        self._again(session, session.rows_among(f"{_KEPT} likeness IN ({{}})", sorted(set(likeness) - {0})))

    def _again(self, session: Session, found: Iterable[tuple[Any, ...]]) -> None:
        """Takes articles out, all of them first and with them what was said about them, and in again."""
        known = {row[0]: row[1:] for row in found}
        if not known:
            return
        numbers = sorted(known)
        self.groups.drop([known[number][0] for number in numbers])
        self._restore(session, [known[number] for number in numbers], _ties(session, numbers))

    def _restore(self, session: Session, kept: Sequence[tuple[Any, ...]], ties: list[tuple[str, str, float]]) -> None:
        rows = [(id, NO_TIME if at is None else at, likeness % 2**64, story) for id, at, likeness, story in kept]
        self.groups.restore(rows, ties, log.last_story(session))

    def put(self, features: Features) -> list[Entries]:
        """Signs new articles for every detector and writes that down."""
        return [index.put(features) for index in self.indexes]

    def with_boilerplate(self, entries: Sequence[Entries]) -> list[str]:
        """The ids of the articles with boilerplate that comparisons of any detector leave out."""
        each = zip(self.indexes, entries, strict=True)
        found = (
            signed.ids[row] for index, signed in each for row in index.detector.with_boilerplate(signed.signatures)
        )
        return list(dict.fromkeys(found))

    def add(
        self, features: Features, entries: Sequence[Entries], likeness: Sequence[int]
    ) -> tuple[list[Relation], list[Change]]:
        """Files what was put: whom each is related to, and what that does to the groups. Nothing is written.

        Of two articles that several detectors relate, the first of them is believed: those that find text stand before
        those that find events. Passages in common say nothing about the event. What the first knows to be reports from
        one template is no event that the others find.
        """
        found: dict[frozenset[str], Relation] = {}
        for index, signed in zip(self.indexes, entries, strict=True):
            told = [
                relation
                for relation in index.relate(signed, every=False)
                if _is_open(found.get(frozenset((relation.left, relation.right))))
            ]
            if index is not self.indexes[0]:
                forms = self.indexes[0].forms([(relation.left, relation.right) for relation in told])
                told = [relation for relation, form in zip(told, forms, strict=True) if not form]
            found |= {frozenset((relation.left, relation.right)): relation for relation in told}
        return list(found.values()), self._grouped(features, likeness, found.values())

    def _grouped(self, features: Features, likeness: Sequence[int], found: Iterable[Relation]) -> list[Change]:
        place = {id: at for at, id in enumerate(features.ids)}
        related: list[list[tuple[str, float]]] = [[] for _ in place]
        for relation in found:
            if relation.kind in JOINING:
                left, right = relation.left, relation.right
                # of two new ones, the later is related to the earlier
                if place.get(left, -1) < place.get(right, -1):
                    left, right = right, left
                related[place[left]].append((right, relation.score))
        numbers = [number % 2**64 for number in likeness]
        return changes_of(self.groups.add_related(features.ids, features.microseconds, related, numbers))

    def remove(self, ids: list[str]) -> list[Change]:
        """Takes articles back."""
        for index in self.indexes:
            index.remove(ids)
        return changes_of(self.groups.remove(ids))

    def forget(self, ids: list[str]) -> list[Change]:
        """Takes articles away that are too old; the others stay where they are."""
        for index in self.indexes:
            index.remove(ids)
        return changes_of(self.groups.drop(ids))

    def decide(self, left: str, right: str, same: bool | None) -> list[Change]:
        """Decides about two articles, told of by themselves then; a ValueError names whom that contradicts."""
        changes = changes_of(self.groups.decide(left, right, same))
        for index in self.indexes:
            index.set_alone([left, right])
        return changes

    def compared(self, asked: Sequence[tuple[str, str, str]]) -> list[tuple[Kind, Overlap] | None]:
        """What detectors, given by their specs, find between filed articles; whoever they belong to."""
        indexes = {str(index.detector): index for index in self.indexes}
        return [indexes[spec].compare(left, right) if spec in indexes else None for spec, left, right in asked]

    def query(self, features: Features, every: bool = True) -> list[Relation]:
        """Whom articles that are not filed are related to, the strongest first; the first detector is believed."""
        found: dict[frozenset[str], Relation] = {}
        for index in self.indexes:
            for relation in index.query(features, every):
                found.setdefault(frozenset((relation.left, relation.right)), relation)
        return sorted(found.values(), key=lambda each: (-each.score, each.left, each.right))


def _ties(session: Session, numbers: Sequence[int] | None = None) -> list[tuple[str, str, float]]:
    """Who makes one story with whom: all, or those of some articles."""
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
    return [(names[left], names[right], score) for left, right, score in rows]
