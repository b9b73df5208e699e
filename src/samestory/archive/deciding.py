"""Decisions of editors about the stories of an archive: preview, make, list, undo."""

from __future__ import annotations

import getpass
import json
import time
from collections import Counter
from collections.abc import Iterable, Mapping
from contextlib import AbstractContextManager

from samestory.archive import decision_log, log, stored
from samestory.archive.decided_stories import DecisionEntry
from samestory.archive.decision_plan import AppliedDecision, Decision, DecisionPlan, DecisionPreview, plan
from samestory.archive.dependencies import DependencyUpdate
from samestory.archive.reader import ArchiveReader
from samestory.archive.state import ArchiveState
from samestory.archive.story_labels import keep_address
from samestory.database import Session, storable
from samestory.errors import DecisionError
from samestory.groups.decisions import APART, SAME, UNDO
from samestory.index.strongest import MAX_RELATIONS
from samestory.model import Relation
from samestory.stream import Change
from samestory.text import prepare


class DecidingArchive(ArchiveReader):
    """Makes and undoes decisions about the stories of an archive."""

    def _transaction(self) -> AbstractContextManager[tuple[Session, ArchiveState, DependencyUpdate]]:
        raise NotImplementedError

    def preview(self, decision: Decision) -> DecisionPreview:
        """Return what will be where after a decision; writes nothing. Raises the errors of `apply`."""
        with self.database.read() as session:
            return plan(session, decision).preview()

    def apply(self, decision: Decision, who: str | None = None, why: str = "") -> AppliedDecision:
        """Make a decision and write it into the log: who made it (by default the user of this process), when, and why.

        Raises a DecisionError if it contradicts decisions in force, and names them.
        """
        now = time.time_ns() // 1000
        by, reason = storable(system_user() if who is None else who), storable(why)
        with self._transaction() as (session, state, update):
            made = plan(session, decision, by, reason, now)
            if made.entry is None:
                return AppliedDecision(None, [])
            return AppliedDecision(made.entry.number, self._write(session, state, update, made, now))

    def decide(
        self, left: str, right: str, decision: str | None, who: str | None = None, why: str = ""
    ) -> list[Change]:
        """Decide that two articles are the same story or stay apart, whatever the detectors find; None withdraws it.

        The decision outlives the articles, their revisions and every rebuild.
        """
        if decision not in (SAME, APART, None):
            raise DecisionError(f"a decision is {SAME!r} or {APART!r}, got {decision!r}")
        if decision is not None:
            return self.apply(Decision(decision, (left, right)), who, why).changes
        number = self._decision_about(left, right)
        return [] if number is None else self.undo(number, who, why)

    def undo(self, number: int, who: str | None = None, why: str = "") -> list[Change]:
        """Undo a decision: its articles return to the stories, and the numbers, that they have without it."""
        return self.apply(Decision(UNDO, number=number), who, why).changes

    def decisions(self, story: int | None = None, limit: int = 100, before: int | None = None) -> list[DecisionEntry]:
        """Return the log of decisions, newest first: those about articles that are in a story now, or all.

        `before` is the number of the last entry of the previous page.
        """
        where, args = "number < ?", [2**62 if before is None else before, limit]
        if story is not None:
            where += (
                " AND number IN (SELECT decision FROM decision_articles WHERE id IN (SELECT id FROM articles"
                " WHERE story = ?))"
            )
            args.insert(1, story)
        newest = f"number IN (SELECT number FROM decision_log WHERE {where} ORDER BY number DESC LIMIT ?)"
        with self.database.read() as session:
            return decision_log.load_entries(session, newest, args)[::-1]

    def _decision_about(self, left: str, right: str) -> int | None:
        """Return the number of the decision in force about two articles."""
        with self.database.read() as session:
            for entry in decision_log.entries_in_force(session, [left]):
                pair = entry.what in (SAME, APART) and {entry.sides[0][0], entry.sides[1][0]}
                if pair == {left, right}:
                    return entry.number
        return None

    def _write(
        self, session: Session, state: ArchiveState, update: DependencyUpdate, made: DecisionPlan, now: int
    ) -> list[Change]:
        """Write a decision and its effects; the state, as those of other processes, replays the log."""
        assert made.entry is not None
        decision_log.append_entry(session, made.entry)
        for entry in made.gone:
            decision_log.mark_undone(session, entry.number, made.entry.number)
        added = [] if made.entry.what == UNDO else [made.entry]
        others = [entry for entry in made.in_force if entry.number != made.entry.number]
        pairs = decision_log.replace_pairs(session, made.gone, added, others, now)
        named = sorted({id for pair in pairs for id in pair})
        if added:
            numbers = stored.numbers_of_ids(session, named)
            state.set_alone(list(numbers))
            self._write_own_relations(session, state, numbers)
            update.enter(numbers.values())
        changes = made.changes()
        log.append(session, [("decided", None, json.dumps(named, ensure_ascii=False), None)], now)
        write_decided(session, made, changes, now, update)
        state.follow(session)
        return changes

    def _write_own_relations(self, session: Session, state: ArchiveState, numbers: Mapping[str, int]) -> None:
        """Write the relations of articles that were represented by the first of their copies until now."""
        sql = (
            "SELECT id FROM articles a WHERE id IN ({}) AND EXISTS (SELECT 1 FROM articles b"
            " WHERE b.likeness = a.likeness AND b.number <> a.number)"
        )
        copied = [id for (id,) in session.rows_among(sql, sorted(numbers))]
        if not copied:
            return
        found = stored.load(session, copied)
        relations = state.query(prepare([each.article for each in found.values()], as_is=self.as_is), all_copies=False)
        stored.insert_relations(session, stored.new_relations(session, _strongest(relations, found), numbers), numbers)

    def _write_decided_relations(self, session: Session, state: ArchiveState) -> None:
        """Write the relations of the articles in decisions, after a rebuild."""
        rows = session.rows("SELECT left_id, right_id FROM decisions")
        numbers = stored.numbers_of_ids(session, {id for row in rows for id in row})
        state.set_alone(list(numbers))
        self._write_own_relations(session, state, numbers)


def write_decided(
    session: Session, made: DecisionPlan, changes: list[Change], now: int, update: DependencyUpdate
) -> None:
    """Write the stories and measured groups of articles, and the numbers of the stories that decisions opened."""
    for entry in made.in_force:
        if entry.story is not None:
            session.run(
                "UPDATE decision_log SET story = ? WHERE number = ? AND story IS NULL", (entry.story, entry.number)
            )
    for number in made.preview().vanished:
        keep_address(session, number)
    log.write(session, changes, now, update, measured=False)
    rows, labels = made.component.rows.values(), made.component.labels
    kept = [(row.id, None if labels[row.id] == made.stories[row.id] else labels[row.id]) for row in rows]
    stale = [(label, id) for id, label in kept if label != made.component.rows[id].measured]
    session.many("UPDATE articles SET measured = ? WHERE id = ?", stale)
    # two stories may exchange their numbers, which no sequence of merges expresses
    session.many("UPDATE articles SET story = ? WHERE id = ?", [(move.after, move.article) for move in made.moves])


def _strongest(relations: Iterable[Relation], own: Mapping[str, object]) -> list[Relation]:
    """Return the strongest relations of each of some articles."""
    counts, few = Counter[str](), []
    for relation in relations:  # the strongest come first
        id = relation.left if relation.left in own else relation.right
        counts[id] += 1
        if counts[id] <= MAX_RELATIONS:
            few.append(relation)
    return few


def system_user() -> str:
    """Return the name of the user of this process; empty if the system has none."""
    try:
        return getpass.getuser()
    except (KeyError, OSError):
        return ""
