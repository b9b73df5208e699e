"""The log of an archive: the changes to its groups, in order."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any

from samestory.archive import checksums, settings
from samestory.archive.dependencies import DependencyUpdate
from samestory.archive.story_labels import LabelUpdate, apply_measured
from samestory.database import Session
from samestory.stream import Change

#: A log line: the event, the group, the articles as JSON, the other group.
LogLine = tuple[str, int | None, str | None, int | None]

_MEMBERS = "SELECT number FROM articles WHERE story = ?"


def write(
    session: Session,
    changes: Sequence[Change],
    now: int,
    update: DependencyUpdate,
    labels: LabelUpdate | None = None,
    measured: bool = True,
) -> int:
    """Append changes to the log and apply them to stored articles; those that `labels` knows as new are not stored yet.

    `measured`: the detectors made the changes, so the measured groups change too. Returns the last position of the log.
    """
    labels = labels or LabelUpdate(session)
    for change in changes:
        numbers: list[int] = []
        if change.what == "split":
            ids = [id for id in change.articles if id not in labels.fresh]
            numbers = [number for (number,) in session.rows_among("SELECT number FROM articles WHERE id IN ({})", ids)]
        if measured:
            apply_measured(labels, change, numbers)
        if change.what == "merged":
            update.enter(number for (number,) in session.rows(_MEMBERS, (change.other,)))
            session.run("UPDATE articles SET story = ? WHERE story = ?", (change.group, change.other))
        elif change.what == "split":
            update.leave(numbers)
            update.enter(numbers)
            session.run_among("UPDATE articles SET story = ? WHERE number IN ({})", numbers, (change.other,))
    if changes:
        numbers = [number for change in changes for number in (change.group, change.other) if number is not None]
        settings.put(session, "last story", str(max(*numbers, last_story(session))))
    append(
        session,
        [(each.what, each.group, json.dumps(each.articles, ensure_ascii=False), each.other) for each in changes],
        now,
    )
    return end(session)


def append(session: Session, lines: Iterable[LogLine], now: int) -> None:
    """Append lines to the log."""
    checksums.insert(session, "changes", ("what", "story", "articles", "other", "at"), [(*line, now) for line in lines])


def restart(session: Session, now: int) -> None:
    """Restart the log after a gap.

    A reader that sees the gap has to reload everything.
    """
    append(session, [("rebuilt", None, None, None)] * 2, now)
    session.run("DELETE FROM changes WHERE seq < ?", (end(session),))


def read(session: Session, since: int, limit: int) -> list[tuple[int, Change]]:
    """Return the changes to groups after a log position, each with its own position."""
    sql = "SELECT seq, what, story, articles, other FROM changes WHERE seq > ? AND story IS NOT NULL"
    return [
        (seq, Change(what, story, tuple(json.loads(articles or "[]")), other))
        for seq, what, story, articles, other in session.rows(f"{sql} ORDER BY seq LIMIT ?", (since, limit))
    ]


def lines(session: Session, since: int, limit: int) -> list[tuple[Any, ...]] | None:
    """Return the log lines after a position; None if some are missing or damaged, or there are `limit` or more."""
    rows = session.rows(
        "SELECT seq, what, story, articles, other FROM changes WHERE seq > ? ORDER BY seq LIMIT ?", (since, limit)
    )
    first = (session.one("SELECT min(seq) FROM changes") or (None,))[0]
    if len(rows) == limit or first is None or first > since + 1:
        return None
    return [row[1:] for row in rows] if all(_is_list(row[3]) for row in rows) else None


def end(session: Session) -> int:
    """Return the last position of the log."""
    row = session.one("SELECT max(seq) FROM changes")
    return int(row[0] or 0) if row else 0


def last_story(session: Session) -> int:
    """Return the highest number ever given to a group."""
    return settings.number(session, "last story") or 0


def _is_list(articles: object) -> bool:
    """Whether this can be the articles of a line."""
    try:
        return articles is None or (isinstance(articles, str) and isinstance(json.loads(articles), list))
    except ValueError:
        return False
