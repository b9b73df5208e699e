"""The log of an archive: what happened to its groups, in the order in which it happened."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Sequence
from typing import Any

from samestory.archive import settings
from samestory.database import Session
from samestory.stream import Change

#: What, the group, the articles as JSON, the other group.
Line = tuple[str, int | None, str | None, int | None]


def write(session: Session, changes: Sequence[Change], now: int, fresh: Collection[str] = ()) -> int:
    """Writes what happened: into the log, and to the articles that are there already (those that are `fresh` are not).

    Gives where the log ends then.
    """
    for change in changes:
        if change.what == "merged":
            session.run("UPDATE articles SET story = ? WHERE story = ?", (change.group, change.other))
        elif change.what == "split":
            ids = [id for id in change.articles if id not in fresh]
            session.run_among("UPDATE articles SET story = ? WHERE id IN ({})", ids, (change.other,))
    if changes:
        numbers = [number for change in changes for number in (change.group, change.other) if number is not None]
        settings.put(session, "last story", str(max(*numbers, last_story(session))))
    note(
        session,
        [(each.what, each.group, json.dumps(each.articles, ensure_ascii=False), each.other) for each in changes],
        now,
    )
    return end(session)


def note(session: Session, lines: Iterable[Line], now: int) -> None:
    """Adds lines to the log."""
    session.insert("changes", ("what", "story", "articles", "other", "at"), [(*line, now) for line in lines])


def begin_anew(session: Session, groups: Sequence[tuple[int, list[str]]], now: int) -> None:
    """Writes the groups of all articles. Nobody can follow that line by line.

    The log begins behind a gap, and whoever reads it sees that they must begin anew too.
    """
    session.many("UPDATE articles SET story = ? WHERE id = ?", [(number, id) for number, ids in groups for id in ids])
    settings.put(session, "last story", str(max((number for number, _ in groups), default=last_story(session))))
    note(session, [("rebuilt", None, None, None)] * 2, now)
    session.run("DELETE FROM changes WHERE seq < ?", (end(session),))


def read(session: Session, since: int, limit: int) -> list[tuple[int, Change]]:
    """What happened to groups since a place of the log, each with its own place."""
    sql = "SELECT seq, what, story, articles, other FROM changes WHERE seq > ? AND story IS NOT NULL"
    return [
        (seq, Change(what, story, tuple(json.loads(articles or "[]")), other))
        for seq, what, story, articles, other in session.rows(f"{sql} ORDER BY seq LIMIT ?", (since, limit))
    ]


def lines(session: Session, since: int, limit: int) -> list[tuple[Any, ...]] | None:
    """The lines behind a place: what, group, articles, other group; None if some are missing, or too many come."""
    rows = session.rows(
        "SELECT seq, what, story, articles, other FROM changes WHERE seq > ? ORDER BY seq LIMIT ?", (since, limit)
    )
    first = (session.one("SELECT min(seq) FROM changes") or (None,))[0]
    if len(rows) == limit or first is None or first > since + 1:
        return None
    return [row[1:] for row in rows]


def end(session: Session) -> int:
    """Where the log ends."""
    row = session.one("SELECT max(seq) FROM changes")
    return int(row[0] or 0) if row else 0


def last_story(session: Session) -> int:
    """The greatest number that a group ever had."""
    return int(settings.get(session, "last story") or 0)
