"""Checksums of rows, by which `index check` notices changed values that nothing else in the archive contradicts.

    checksums.insert(session, "feed_articles", ("id", "feed"), [("a", "https://news.example/feed")])
    list(checksums.changed(session, "sqlite", "feed_articles"))

A checksum covers the columns that statements never change in place. Rows of archives made by an older samestory have
none until `add_missing` adds them.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator, Sequence
from numbers import Integral
from typing import Any, NamedTuple

from samestory.database import Session


class CheckedTable(NamedTuple):
    """A table whose rows have checksums."""

    keys: tuple[str, ...]
    """The columns by which a row is found."""
    columns: tuple[str, ...]
    """The columns that its checksum covers."""


_RELATION = ("left_number", "right_number", "kind", "forward", "backward", "detector", "score")
_REVISION = ("id", "revision", "text", "title", "published", "at", "replaced")
_DECISION = ("left_id", "right_id", "decision", "decided")
_FEED = ("url", "title", "etag", "modified", "checked", "due", "failures", "error", "status", "seen", "taken", "site")

#: The other columns of `articles` change with its story, or follow from the text.
TABLES = {
    "articles": CheckedTable(("number",), ("number", "came", "id", "source", "lang", "arrived", "revision")),
    "texts": CheckedTable(("number",), ("number", "text", "title", "published", "url")),
    "relations": CheckedTable(("left_number", "right_number"), _RELATION),
    "revisions": CheckedTable(("id", "revision"), _REVISION),
    "metadata": CheckedTable(("id", "revision"), ("id", "revision", "fields")),
    "decisions": CheckedTable(("left_id", "right_id"), _DECISION),
    "decision_log": CheckedTable(("number",), ("number", "what", "who", "why", "at", "undoes")),
    "decision_articles": CheckedTable(("decision", "id"), ("decision", "id", "side", "place")),
    "addresses": CheckedTable(("story",), ("story", "articles")),
    "expired": CheckedTable(("id",), ("id", "expired_at", "record")),
    "changes": CheckedTable(("seq",), ("at", "what", "story", "articles", "other")),
    "feeds": CheckedTable(("url",), _FEED),
    "feed_articles": CheckedTable(("id",), ("id", "feed")),
    "rejects": CheckedTable(("seq",), ("at", "origin", "why")),
    "answers": CheckedTable(("key",), ("key", "at", "status", "body")),
    "sessions": CheckedTable(("id",), ("id", "until")),
}


class ChangedRow(NamedTuple):
    """A row that does not match its checksum."""

    key: tuple[Any, ...]
    expected: int
    """The checksum of its values."""
    is_checksum: bool
    """Whether only the checksum is damaged: two checksums that differ by one bit are not those of different values."""


def insert(session: Session, table: str, columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> int:
    """Insert rows with their checksums; return their number."""
    covered = [columns.index(name) for name in TABLES[table].columns]
    summed = ((*row, checksum([row[at] for at in covered])) for row in rows)
    return session.insert(table, (*columns, "checksum"), summed)


def checksum(values: Iterable[Any]) -> int:
    """Return the CRC-32 of values, the same for those that a database returns for them.

    >>> checksum(["a", 1, None]) == checksum([b"a", 1.0, None]) != checksum(["a", "1", None])
    True
    """
    # no stored text contains NUL, which therefore separates values and marks numbers
    parts = [
        value if type(value) is str else "\0" if value is None else f"\0{value}" if type(value) is int else _text(value)
        for value in values
    ]
    return zlib.crc32("\0".join(parts).encode("utf-8", "surrogatepass"))


def _text(value: Any) -> str:
    """Return the text of a value that is neither a plain text nor a plain integer."""
    if type(value) is float:
        return f"\0{value + 0.0:.17g}"
    if isinstance(value, bytes):
        return value.decode("utf-8", "surrogateescape")
    if isinstance(value, str):
        return str.__str__(value)
    # a column of floating-point numbers returns 1.0 for 1, and 0.0 for -0.0
    return f"\0{int(value)}" if isinstance(value, Integral) else f"\0{float(value) + 0.0:.17g}"


def changed(session: Session, kind: str, table: str) -> Iterator[ChangedRow]:
    """Yield the rows of a table that do not match their checksums."""
    keys, columns = TABLES[table]
    covered = ", ".join(map(_as_bytes if kind == "sqlite" else str, columns))
    sql = f"SELECT {', '.join(map(_as_bytes if kind == 'sqlite' else str, keys))}, checksum, {covered} FROM {table}"
    at = len(keys)
    for row in session.each(f"{sql} WHERE checksum IS NOT NULL ORDER BY {', '.join(keys)}", at_once=1000):
        expected, stored = checksum(row[at + 1 :]), row[at]
        if stored != expected:
            is_checksum = type(stored) is not int or (stored ^ expected).bit_count() == 1
            yield ChangedRow(tuple(map(_decoded, row[:at])), expected, is_checksum)


def replace(session: Session, table: str, rows: Iterable[ChangedRow]) -> int:
    """Write the checksums of the values that rows have now; return the number of rows."""
    where = " AND ".join(f"{key} = ?" for key in TABLES[table].keys)
    return session.many(f"UPDATE {table} SET checksum = ? WHERE {where}", [(each.expected, *each.key) for each in rows])


def delete(session: Session, table: str, rows: Iterable[ChangedRow]) -> int:
    """Delete rows; return their number."""
    where = " AND ".join(f"{key} = ?" for key in TABLES[table].keys)
    return session.many(f"DELETE FROM {table} WHERE {where}", [each.key for each in rows])


def renew(session: Session, table: str, key: str, values: Iterable[Any]) -> None:
    """Write the checksums of rows whose covered columns were changed in place, by one of their columns."""
    keys, columns = TABLES[table]
    sql = f"SELECT {', '.join((*keys, *columns))} FROM {table} WHERE {key} IN ({{}})"
    replace(session, table, _now(session.rows_among(sql, values), len(keys)))


def missing(session: Session) -> int:
    """Return how many rows have no checksum."""
    counts = (session.one(f"SELECT count(*) FROM {table} WHERE checksum IS NULL") or (0,) for table in TABLES)
    return sum(count for (count,) in counts)


def add_missing(session: Session, kind: str) -> None:
    """Add the checksums of rows that have none."""
    for table, (keys, columns) in TABLES.items():
        read = ", ".join((*keys, *(map(_as_bytes, columns) if kind == "sqlite" else columns)))
        sql = f"SELECT {read} FROM {table} WHERE checksum IS NULL LIMIT 1000"
        while (rows := session.rows(sql)) and replace(session, table, _now(rows, len(keys))):
            pass


def _now(rows: Iterable[Sequence[Any]], keys: int) -> list[ChangedRow]:
    return [ChangedRow(tuple(row[:keys]), checksum(row[keys:]), True) for row in rows]


def _as_bytes(column: str) -> str:
    """Return SQL for a column with its texts as bytes, which SQLite reads whatever they contain; 0 for bytes."""
    return f"CASE typeof({column}) WHEN 'text' THEN CAST({column} AS BLOB) WHEN 'blob' THEN 0 ELSE {column} END"


def _decoded(value: Any) -> Any:
    return value.decode(errors="replace") if isinstance(value, bytes) else value
