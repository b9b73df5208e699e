"""The numbers of stories after a rebuild: those that they had, as far as they have their articles."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from samestory.archive import decision_log, log, settings
from samestory.archive.decision_plan import apply_entries
from samestory.archive.story_labels import keep_address
from samestory.database import Session


class RebuildPreview(NamedTuple):
    """What a rebuild would change."""

    articles: int
    stories: int
    """The number of stories now."""
    new_stories: int
    moved: int
    """The number of articles that would be in a story of another number."""


class RollbackError(Exception):
    """Rolls back a transaction whose result was only looked at."""


def kept_numbers(groups: Sequence[tuple[int, Sequence[str]]], before: Mapping[str, int]) -> dict[str, int]:
    """Return the number of the group of every article, given the groups of a rebuild and the numbers before it.

    Each group has the number with which it shares most articles; each number goes to one group.

    >>> kept_numbers([(7, ["a", "b"]), (8, ["c"])], {"a": 1, "b": 1, "c": 1})
    {'a': 1, 'b': 1, 'c': 8}
    """
    shared = Counter((number, before[id]) for number, ids in groups for id in ids if id in before)
    kept: dict[int, int] = {}
    given: set[int] = set()
    for (number, old), _ in sorted(shared.items(), key=lambda item: (-item[1], item[0][1], item[0][0])):
        if number not in kept and old not in given:
            kept[number] = old
            given.add(old)
    return {id: kept.get(number, number) for number, ids in groups for id in ids}


def rebuilt(session: Session, groups: Sequence[tuple[int, Sequence[str]]], now: int) -> None:
    """Write the stories of new groups, with the decisions applied to them, and restart the log."""
    rows = session.rows("SELECT id, story, coalesce(measured, story) FROM articles")
    labels = kept_numbers(groups, {id: label for id, _, label in rows})
    last = max([log.last_story(session), *(number for number, _ in groups)])
    entries, stories = apply_entries(labels, decision_log.entries_in_force(session), last)
    for entry in entries:
        if entry.story is not None:
            session.run("UPDATE decision_log SET story = ? WHERE number = ?", (entry.story, entry.number))
    for number in sorted({story for _, story, _ in rows} - set(stories.values())):
        keep_address(session, number)
    changed = [
        (stories[id], None if labels[id] == stories[id] else labels[id], id)
        for id, story, label in rows
        if (story, label) != (stories[id], labels[id])
    ]
    session.many("UPDATE articles SET story = ?, measured = ? WHERE id = ?", changed)
    settings.put(session, "last story", str(max([last, *stories.values()])))
    log.restart(session, now)
