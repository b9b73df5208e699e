"""Discussion of questionable items and disagreements.

An item is to be discussed if an assessor marks it as questionable, or if the organiser adds a note in the state
`wanted`. All notes are kept; the newest determines the state, until the item is marked as questionable again.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from samestory.database import Session
from samestory.errors import InputError
from samestory.lab.collection.collection import Collection, now_micros

#: States of a note: the item is to be discussed, or has been.
DISCUSSION_STATES = ("wanted", "done")
MAX_NOTE_CHARS = 2000

#: Times are stored in microseconds since the epoch.
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class DiscussionNote:
    """A note about the discussion of an item."""

    item: int
    state: str
    note: str
    """The result, or what is to be discussed."""
    at: str


def add_discussion_note(collection: Collection, item: int, state: str, note: str = "") -> None:
    """Note that an item is to be discussed, or that it was discussed and with which result."""
    if state not in DISCUSSION_STATES:
        raise InputError(f"state: expected one of {', '.join(DISCUSSION_STATES)}, got {state!r}")
    if len(note) > MAX_NOTE_CHARS:
        raise InputError(f"note: at most {MAX_NOTE_CHARS:,} characters are allowed")
    with collection.database.write() as session:
        if not session.one("SELECT 1 FROM items WHERE number = ? AND role = 'work'", (item,)):
            raise InputError(f"there is no item {item}")
        session.insert("talks", ("item", "state", "note", "at"), [(item, state, note.strip(), now_micros())])


def discussion_notes(session: Session, item: int | None = None) -> dict[int, list[DiscussionNote]]:
    """Return the notes by item, of one item or of all, oldest first."""
    out: dict[int, list[DiscussionNote]] = defaultdict(list)
    where, values = ("", ()) if item is None else (" WHERE item = ?", (item,))
    for number, state, note, at in session.rows(
        f"SELECT item, state, note, at FROM talks{where} ORDER BY number", values
    ):
        out[number].append(DiscussionNote(number, state, note, (EPOCH + timedelta(microseconds=at)).isoformat()))
    return dict(out)


def items_to_discuss(session: Session) -> list[int]:
    """Return the items to be discussed: noted so, or marked as questionable since the last discussion."""
    latest = {number: own[-1] for number, own in discussion_notes(session).items()}
    rows = session.rows(
        "SELECT t.item, max(j.at) FROM tasks t JOIN judgements j ON j.number = t.judgement"
        " JOIN items i ON i.number = t.item WHERE j.questionable = 1 AND i.role = 'work' GROUP BY t.item"
    )
    questioned = {item: (EPOCH + timedelta(microseconds=at)).isoformat() for item, at in rows}
    wanted = {item for item, each in latest.items() if each.state == "wanted"}
    wanted |= {item for item, at in questioned.items() if item not in latest or latest[item].at < at}
    return sorted(wanted)
