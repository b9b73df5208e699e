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

from samestory.archive import log
from samestory.archive.live_groups import LiveGroups, Pairs
from samestory.archive.segmented_index import SegmentedIndex
from samestory.database import Database, Session
from samestory.detectors import Detector
from samestory.groups.decisions import SAME
from samestory.index import Entries
from samestory.index.durable import Durable
from samestory.index.strongest import MAX_RELATIONS, NewRelation, strongest
from samestory.model import Features, Kind, Overlap, Relation
from samestory.stream import Change

#: The most log lines that `catch_up` replays; a state further behind is rebuilt.
MAX_LOG_LINES = 20_000


class ArchiveState:
    """The indexes of the detectors and the groups, as of log position `seq`."""

    def __init__(
        self,
        database: Database,
        detectors: Sequence[Detector],
        window: timedelta | None,
        rebuilds: bool = False,
        writer: Session | None = None,
    ) -> None:
        """With `rebuilds`, the stored stories have no meaning: all articles are added again.

        `writer`: the transaction in which segments of the indexes may be written, if there is one.
        """
        self.stores = [Durable(database, str(number)) for number in range(len(detectors))]
        self.indexes = [
            SegmentedIndex(detector, store, window, writer)
            for detector, store in zip(detectors, self.stores, strict=True)
        ]
        self._segments: list[tuple[Any, ...]] = []
        self.groups = LiveGroups(database.name, loads=not rebuilds)
        self.seq = 0
        self._pairs: Pairs = {}

    def load(self, session: Session) -> None:
        """Load the decisions from the database; groups are loaded when they are needed, indexes when created."""
        self.seq = log.end(session)
        self._segments = _segments(session)
        self._follow_pairs(session)

    def catch_up(self, session: Session) -> bool:
        """Apply what other writers logged; return False if the state has to be rebuilt instead."""
        newest = log.end(session)
        if newest == self.seq:
            return True
        if self._segments != _segments(session):
            return False  # another process has written some
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
        """Apply log lines: index the articles that they name again, and drop the groups, which others have changed."""
        named: dict[str, None] = {}
        is_decided = False
        for what, _, articles, _ in lines:
            is_decided |= what == "decided"
            named.update(dict.fromkeys(json.loads(articles or "[]")))
        ids = list(named)
        for store, index in zip(self.stores, self.indexes, strict=True):
            index.forget(ids)
            index.follow(store.some(ids))
        self.groups.clear()
        if is_decided:
            self._follow_pairs(session)

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

    def search(self, features: Features, entries: Sequence[Entries]) -> list[list[NewRelation]]:
        """Index the entries of `put`; return the relations of each article to earlier ones.

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
        return by_article

    def group(
        self, session: Session, features: Features, likeness: Sequence[int], found: Sequence[list[NewRelation]]
    ) -> tuple[list[Relation], Counter[str], list[Change]]:
        """Group indexed articles; return their strongest relations, the number of weaker ones of each article, and the
        changes to the groups. Writes nothing.
        """
        kept = [strongest(each, MAX_RELATIONS) for each in found]
        each = zip(features.ids, found, kept, strict=True)
        weaker = Counter({id: len(every) - len(few) for id, every, few in each if len(every) > len(few)})
        changes = self.groups.add(session, features, likeness, found, kept)
        return [each.relation for few in kept for each in few], weaker, changes

    def remove(self, session: Session, ids: list[str], regroup: bool) -> list[Change]:
        """Remove articles that are still stored; their groups may split if they are to be regrouped."""
        for index in self.indexes:
            index.remove(ids)
        return self.groups.remove(session, ids, regroup)

    def freeze(self, session: Session) -> None:
        """Write indexed articles to segments on disk, where many are in memory."""
        written = [index.freeze(session) for index in self.indexes]
        if any(written):
            self._segments = _segments(session)

    def set_alone(self, ids: list[str]) -> None:
        """Give these articles relations of their own from now on, also those that are copies of others."""
        for index in self.indexes:
            index.set_alone(ids)

    def _follow_pairs(self, session: Session) -> None:
        """Load the decided pairs."""
        rows = session.rows("SELECT left_id, right_id, decision FROM decisions")
        pairs = {(left, right): decision == SAME for left, right, decision in rows}
        self.groups.decide(pairs)
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


def _segments(session: Session) -> list[tuple[Any, ...]]:
    return session.rows("SELECT name FROM segments ORDER BY name")
