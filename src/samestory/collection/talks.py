"""Talking over: items that somebody doubts or that judges disagree about, and what came of the talk.

Whoever ticks "questionable" wants an item to be talked over, and so does whoever runs the collection and marks it.
What was said of an item before stays; the newest holds, until somebody doubts the item anew.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from samestory.collection.collection import Collection, now
from samestory.database import Session
from samestory.errors import InputError

#: An item is to be talked over, or was.
STATES = ("wanted", "done")
#: What came of it has at most so many characters.
NOTE = 2000

#: Times are kept as microseconds since then.
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Talk:
    """What was noted about talking an item over."""

    item: int
    state: str
    note: str
    """What came of it, or what is to be talked about."""
    at: str


def note_talk(collection: Collection, item: int, state: str, note: str = "") -> None:
    """Notes that an item is to be talked over, or that it was and what came of it."""
    if state not in STATES:
        raise InputError(f"state: one of {', '.join(STATES)} is wanted, got {state!r}")
    if len(note) > NOTE:
        raise InputError(f"note: at most {NOTE:,} characters are wanted")
    with collection.database.write() as session:
        if not session.one("SELECT 1 FROM items WHERE number = ? AND role = 'work'", (item,)):
            raise InputError(f"there is no item {item}")
        session.insert("talks", ("item", "state", "note", "at"), [(item, state, note.strip(), now())])


def talks(session: Session, item: int | None = None) -> dict[int, list[Talk]]:
    """All that was noted, of one item or of all, the oldest first."""
    out: dict[int, list[Talk]] = defaultdict(list)
    where, values = ("", ()) if item is None else (" WHERE item = ?", (item,))
    for number, state, note, at in session.rows(
        f"SELECT item, state, note, at FROM talks{where} ORDER BY number", values
    ):
        out[number].append(Talk(number, state, note, (EPOCH + timedelta(microseconds=at)).isoformat()))
    return dict(out)


def to_talk_over(session: Session) -> list[int]:
    """Items that are to be talked over: marked so, or doubted since they were talked over last."""
    marked = {number: own[-1] for number, own in talks(session).items()}
    rows = session.rows(
        "SELECT t.item, max(j.at) FROM tasks t JOIN judgements j ON j.number = t.judgement"
        " JOIN items i ON i.number = t.item WHERE j.questionable = 1 AND i.role = 'work' GROUP BY t.item"
    )
    doubted = {item: (EPOCH + timedelta(microseconds=at)).isoformat() for item, at in rows}
    wanted = {item for item, each in marked.items() if each.state == "wanted"}
    wanted |= {item for item, at in doubted.items() if item not in marked or marked[item].at < at}
    return sorted(wanted)
