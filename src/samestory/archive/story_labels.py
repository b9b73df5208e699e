"""Measured groups: the stories that the detectors would make of the articles without the decisions of editors.

The column `measured` of an article has the number that its story would have; null stands for the number of its story,
so nothing is stored for the stories that no decision concerns. When the detectors change stories, the measured groups
change with them; when a decision does, they stay.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence

from samestory.archive import checksums
from samestory.archive.decision_log import add_followers
from samestory.database import Session
from samestory.model import JOINING, Relation
from samestory.stream import Change

#: The articles that an address keeps: the latest ones of the story, which expire last.
MAX_ADDRESS_ARTICLES = 8

_LABELS = "SELECT coalesce(measured, story), count(*) FROM articles WHERE story = ? GROUP BY 1 ORDER BY 2 DESC, 1"
_LATEST = "SELECT id FROM articles WHERE story = ? ORDER BY coalesce(at, arrived) DESC, number DESC LIMIT ?"


class LabelUpdate:
    """Changes the measured groups as the detectors change stories; one for each batch of changes."""

    def __init__(self, session: Session, fresh: Collection[str] = ()) -> None:
        self._session = session
        self.fresh = frozenset(fresh)
        self._order = {id: at for at, id in enumerate(fresh)}
        self._opened: dict[str, int] = {}
        self._labels: dict[str, int] = {}
        self._decided: list[str] | None = None

    def merge(self, group: int, other: int) -> None:
        """Apply the merging of a story into another, before it is stored."""
        session = self._session
        keep_address(session, other)
        if self._is_decided(group, other):
            self._store(other)
            for id, number in self._opened.items():
                if number in (group, other):
                    self._labels.setdefault(id, number)
            return
        if not self._is_labelled(group, other):
            return
        self._store(group, other)
        one, two = ((session.one(_LABELS, (number,)) or (number,))[0] for number in (group, other))
        session.run("UPDATE articles SET measured = ? WHERE measured IN (?, ?)", (min(one, two), one, two))

    def split(self, group: int, other: int, numbers: Sequence[int]) -> None:
        """Apply the splitting of articles off a story, before it is stored."""
        session = self._session
        if not self._is_labelled(group, other):
            return
        sql = "SELECT number, coalesce(measured, story) FROM articles WHERE story = ?"
        labels: dict[int, int] = dict(session.rows(sql, (group,)))
        leaving = set(numbers)
        left = {label for number, label in labels.items() if number not in leaving}
        rows = [(None if labels[number] in left else labels[number], number) for number in numbers if number in labels]
        session.many("UPDATE articles SET measured = ? WHERE number = ?", rows)

    def open(self, group: int, ids: Iterable[str]) -> None:
        """Note that a new article opened a story."""
        self._opened.update(dict.fromkeys(ids, group))

    def enter(
        self, stories: Mapping[str, int], relations: Iterable[Relation], before: Mapping[str, tuple[int, int]]
    ) -> None:
        """Write the measured groups of new articles, which are stored already, and let them follow their nearest ones.

        An article that joined a story is in the measured group of its nearest article of it; a new version that is in
        the story of the old one, which `before` has with its measured group, in that of the old version.
        """
        session = self._session
        if session.one("SELECT 1 FROM decision_log LIMIT 1") is None:
            return
        self._labels.update({id: label for id, (story, label) in before.items() if stories.get(id) == story})
        joined = {id: story for id, story in stories.items() if id not in self._opened}
        nearest = self._nearest(joined, relations)
        sql = "SELECT id, measured FROM articles WHERE measured IS NOT NULL AND id IN ({})"
        labels = {**dict(session.rows_among(sql, sorted(set(nearest.values())))), **self._labels}
        for id, story in joined.items():
            if id in self._labels:
                continue
            if id in nearest:
                label = labels.get(nearest[id])
            else:
                label = (session.one(_LABELS, (story,)) or (None,))[0] if self._is_labelled(story, story) else None
            if label is not None:
                labels[id] = self._labels[id] = label
        rows = [(label, id) for id, label in self._labels.items() if label != stories.get(id)]
        session.many("UPDATE articles SET measured = ? WHERE id = ?", rows)
        add_followers(session, nearest)

    def _nearest(self, joined: Mapping[str, int], relations: Iterable[Relation]) -> dict[str, str]:
        """Return for each article the one with the strongest relation to it in its story that arrived before it."""
        found = [relation for relation in relations if relation.kind in JOINING]
        others = {id for relation in found for id in (relation.left, relation.right)}
        place = self._order
        stories: dict[str, int] = dict(
            self._session.rows_among("SELECT id, story FROM articles WHERE id IN ({})", sorted(others))
        )
        best: dict[str, tuple[float, str]] = {}
        for relation in found:
            for own, other in ((relation.left, relation.right), (relation.right, relation.left)):
                near = (-relation.score, other)
                if own in joined and stories.get(other) == joined[own] and place.get(other, -1) < place.get(own, 0):
                    best[own] = min(best.get(own, near), near)
        return {id: best[id][1] for id in joined if id in best}

    def _is_decided(self, group: int, other: int) -> bool:
        """Whether new articles merge two stories because they were decided to be the same story as others."""
        if self._decided is None:
            self._decided = self._partners()
        if not self._decided:
            return False
        rows = self._session.rows_among("SELECT story FROM articles WHERE id IN ({})", self._decided)
        return any(story in (group, other) for (story,) in rows)

    def _partners(self) -> list[str]:
        """Return the articles that new ones were decided to be the same story as."""
        if not self.fresh or self._session.one("SELECT 1 FROM decisions LIMIT 1") is None:
            return []
        found: list[str] = []
        for own, other in (("left_id", "right_id"), ("right_id", "left_id")):
            sql = f"SELECT {other} FROM decisions WHERE decision = 'same' AND {own} IN ({{}})"
            found += [id for (id,) in self._session.rows_among(sql, sorted(self.fresh))]
        return found

    def _is_labelled(self, one: int, other: int) -> bool:
        sql = "SELECT 1 FROM articles WHERE measured IS NOT NULL AND (story IN (?, ?) OR measured IN (?, ?)) LIMIT 1"
        return self._session.one(sql, (one, other, one, other)) is not None

    def _store(self, *stories: int) -> None:
        """Store the measured groups of articles for which they are those of their stories."""
        for story in stories:
            self._session.run("UPDATE articles SET measured = ? WHERE story = ? AND measured IS NULL", (story, story))


def measured_groups(session: Session, ids: Iterable[str]) -> dict[str, tuple[int, int]]:
    """Return the stories and measured groups of those articles for which they differ."""
    sql = "SELECT id, story, measured FROM articles WHERE measured IS NOT NULL AND id IN ({})"
    return {id: (story, measured) for id, story, measured in session.rows_among(sql, sorted(ids))}


def keep_address(session: Session, number: int) -> None:
    """Note some articles of a story that is about to become part of another: its address will lead to their story."""
    ids = [id for (id,) in session.rows(_LATEST, (number, MAX_ADDRESS_ARTICLES))]
    if ids:
        session.run("DELETE FROM addresses WHERE story = ?", (number,))
        row = (number, json.dumps(ids, ensure_ascii=False))
        checksums.insert(session, "addresses", ("story", "articles"), [row])


def story_at(session: Session, number: int) -> tuple[bool, int | None]:
    """Return whether an address is stored, and the story that has most of its articles now; None if all are gone."""
    row = session.one("SELECT articles FROM addresses WHERE story = ?", (number,))
    if row is None:
        return False, None
    rows = session.rows_among("SELECT story FROM articles WHERE id IN ({})", json.loads(row[0]))
    counts = Counter(story for (story,) in rows)
    return True, min(counts, key=lambda story: (-counts[story], story), default=None)


def apply_measured(update: LabelUpdate, change: Change, numbers: Sequence[int] = ()) -> None:
    """Apply a change that the detectors made."""
    if change.what == "opened":
        update.open(change.group, change.articles)
    elif change.other is not None and change.what == "merged":
        update.merge(change.group, change.other)
    elif change.other is not None and change.what == "split":
        update.split(change.group, change.other, numbers)
