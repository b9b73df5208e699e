"""Words as they are searched for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from samestory.database import Session


def file(session: Session, kind: str, rows: Sequence[tuple[Any, ...]]) -> None:
    """Files the words of articles, given as (number, title, text, language)."""
    if kind == "sqlite":
        session.insert("words", ("rowid", "title", "text"), [(n, title or "", text) for n, title, text, _ in rows])


def unfile(session: Session, kind: str, rows: Sequence[tuple[Any, ...]]) -> None:
    """Takes the words of articles away, which are given as they were filed."""
    if kind == "sqlite":
        sql = "INSERT INTO words (words, rowid, title, text) VALUES ('delete', ?, ?, ?)"
        session.many(sql, [(n, title or "", text) for n, title, text, _ in rows])
