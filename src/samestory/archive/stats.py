"""Counts and times of an archive."""

from __future__ import annotations

from typing import Any

from samestory.archive.stored import iso_time
from samestory.database import Session

_COUNTS = {
    "articles": "SELECT count(*) FROM articles",
    "stories": "SELECT count(DISTINCT story) FROM articles",
    "texts": "SELECT count(DISTINCT likeness) FROM articles",
    "sources": "SELECT count(DISTINCT source) FROM articles",
    "relations": "SELECT count(*) FROM relations",
    "revisions": "SELECT count(*) FROM revisions",
    "decisions": "SELECT count(*) FROM decisions",
    "feeds": "SELECT count(*) FROM feeds",
    "rejects": "SELECT count(*) FROM rejects",
    "expired": "SELECT count(*) FROM expired",
}


def stats(session: Session) -> dict[str, Any]:
    """Return the number of rows of each kind, and the times of the first and last article."""
    out: dict[str, Any] = {name: (session.one(sql) or (0,))[0] for name, sql in _COUNTS.items()}
    first, last, arrived = session.one("SELECT min(at), max(at), max(arrived) FROM articles") or (None,) * 3
    return {**out, "oldest": iso_time(first), "newest": iso_time(last), "arrived": iso_time(arrived)}
