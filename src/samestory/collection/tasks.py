"""Tasks: what is given to whom."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from random import Random

from samestory.database import Session


def busy(session: Session, duty: str) -> Counter[int]:
    """How many tasks of a duty everybody has."""
    return Counter(dict(session.rows("SELECT assessor, count(*) FROM tasks WHERE duty = ? GROUP BY assessor", (duty,))))


def given(session: Session, assessor: int, duty: str) -> set[int]:
    """The items that somebody has of a duty."""
    return {
        item for (item,) in session.rows("SELECT item FROM tasks WHERE assessor = ? AND duty = ?", (assessor, duty))
    }


def give(
    session: Session, assessor: int, items: Sequence[int], duty: str, random: Random, week: int | None = None
) -> None:
    """Puts tasks at the end of what somebody has to do, in a week if there is a plan; what they have they keep."""
    there = given(session, assessor, duty)
    last = (session.one("SELECT coalesce(max(place), 0) FROM tasks WHERE assessor = ?", (assessor,)) or (0,))[0]
    fresh = [item for item in items if item not in there]
    session.insert(
        "tasks",
        ("assessor", "item", "duty", "place", "turned", "state", "week"),
        [(assessor, item, duty, last + at, random.randrange(2), "open", week) for at, item in enumerate(fresh, 1)],
    )
