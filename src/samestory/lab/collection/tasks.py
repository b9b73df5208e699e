"""Tasks: items assigned to assessors."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from random import Random

from samestory.database import Session


def count_tasks(session: Session, duty: str) -> Counter[int]:
    """Count the tasks of a duty by assessor."""
    return Counter(dict(session.rows("SELECT assessor, count(*) FROM tasks WHERE duty = ? GROUP BY assessor", (duty,))))


def assigned_items(session: Session, assessor: int, duty: str) -> set[int]:
    """Return the items that an assessor has of a duty."""
    return {
        item for (item,) in session.rows("SELECT item FROM tasks WHERE assessor = ? AND duty = ?", (assessor, duty))
    }


def assign_tasks(
    session: Session, assessor: int, items: Sequence[int], duty: str, random: Random, week: int | None = None
) -> None:
    """Append tasks to those of an assessor, in a week if there is a plan; existing tasks are kept."""
    existing = assigned_items(session, assessor, duty)
    last = (session.one("SELECT coalesce(max(place), 0) FROM tasks WHERE assessor = ?", (assessor,)) or (0,))[0]
    fresh = [item for item in items if item not in existing]
    session.insert(
        "tasks",
        ("assessor", "item", "duty", "place", "turned", "state", "week"),
        [(assessor, item, duty, last + at, random.randrange(2), "open", week) for at, item in enumerate(fresh, 1)],
    )
