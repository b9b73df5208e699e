"""Copies an archive to another place, also between SQLite and PostgreSQL.

    copy("news.db", "postgresql://news@db.example/news")

Everything but sign-ins is copied, with its numbers: stories keep their addresses. The copy is complete and verified, or
does not exist.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from samestory.archive import checksums, words
from samestory.database import Database, Session, connect
from samestory.database.files import new_file, side_files
from samestory.database.migrate import migrations
from samestory.database.places import is_address
from samestory.errors import InputError, StoreError

#: Rows in memory at a time.
ROWS_AT_ONCE = 1000
#: Rows of `meta` that belong to the database and not to the archive.
_OWN = ("maker", "version")

#: Sign-ins, and what is written again from the entries.
_NOT_COPIED = ("sessions", "segments", "removed_entries")

#: Called with the number of copied rows and of all rows.
Done = Callable[[int, int], None]


def copy(source: str, target: str, done: Done | None = None) -> dict[str, int]:
    """Copy an archive, as it is now, to a place without one; return the number of rows of each table.

    The source can be written meanwhile: the copy does not have what is added after it began.
    """
    with connect(source, create=False) as old:
        if is_address(target):
            with connect(target) as new:
                return _copy(old, new, done)
        path = Path(target).absolute()
        if path.exists() or path.is_symlink():
            raise InputError("already exists", hint="name a new file", place=target)
        if beside := side_files(path):
            names = ", ".join(each.name for each in beside)
            raise InputError(f"{names}: a log of another database, which SQLite would apply to this one", place=target)
        with new_file(path) as temporary:
            with connect(temporary) as new:
                rows = _copy(old, new, done)
            if side_files(temporary):
                raise StoreError("the log of the copy is not part of it: another program has opened it", place=target)
            return rows


def _copy(old: Database, new: Database, done: Done | None) -> dict[str, int]:
    tables = [table for table in migrations().tables if table not in _NOT_COPIED]
    with old.read() as source, new.write() as target:
        _check_empty(new, target)
        total = sum(_count(source, table) for table in tables)
        copied, rows = 0, {}
        for table in tables:
            columns = sorted(old.columns(source, table) & new.columns(target, table))
            kept = f" WHERE name NOT IN {_OWN}" if table == "meta" else ""
            found = source.each(f"SELECT {', '.join(columns)} FROM {table}{kept}", at_once=ROWS_AT_ONCE)
            rows[table] = 0
            for batch in _batches(found):
                if table == "texts":
                    _insert_texts(target, new.kind, columns, batch)
                else:
                    target.insert(table, columns, batch)
                rows[table] += len(batch)
                copied += len(batch)
                if done:
                    done(copied, total)
            _continue_counters(target, new.kind, table)
        _index_words(target, new.kind)
        _verify(new, target, rows)
    return rows


def _batches(rows: Iterator[tuple[Any, ...]]) -> Iterator[list[tuple[Any, ...]]]:
    while batch := list(islice(rows, ROWS_AT_ONCE)):
        yield batch


def _count(session: Session, table: str) -> int:
    return int((session.one(f"SELECT count(*) FROM {table}") or (0,))[0])


def _check_empty(database: Database, session: Session) -> None:
    full = [table for table in migrations().tables if table != "meta" and _count(session, table)]
    if full or session.one(f"SELECT 1 FROM meta WHERE name NOT IN {_OWN}"):
        raise InputError("already has data", hint="copy to an empty database", place=database.name)


def _insert_texts(session: Session, kind: str, columns: Sequence[str], rows: Sequence[tuple[Any, ...]]) -> None:
    """Insert texts; in PostgreSQL their words are in the same row, and adding them later would write it twice."""
    if kind != "postgres":
        session.insert("texts", columns, rows)
        return
    number, title, text = (columns.index(name) for name in ("number", "title", "text"))
    languages: dict[int, str | None] = dict(
        session.rows_among("SELECT number, lang FROM articles WHERE number IN ({})", [row[number] for row in rows])
    )
    vectors = words.tsvectors(
        [row[title] for row in rows], [row[text] for row in rows], [languages.get(row[number]) for row in rows]
    )
    session.insert("texts", (*columns, "found"), [(*row, each) for row, each in zip(rows, vectors, strict=True)])


def _index_words(session: Session, kind: str) -> None:
    if kind == "sqlite":
        words.reindex(session, kind)
    session.run("DELETE FROM meta WHERE name = 'folding'")
    session.insert("meta", ("name", "value"), [("folding", words.FOLDING)])


def _continue_counters(session: Session, kind: str, table: str) -> None:
    """Let the numbers that PostgreSQL gives to new rows continue those of the copied ones, as SQLite does by itself."""
    if kind != "postgres":
        return
    identity = "SELECT column_name::text FROM information_schema.columns WHERE is_identity = 'YES'"
    for (column,) in session.rows(f"{identity} AND table_schema = current_schema() AND table_name = ?", (table,)):
        (last,) = session.one(f"SELECT max({column}) FROM {table}") or (None,)
        if last is not None:
            session.one(f"SELECT setval(pg_get_serial_sequence('{table}', '{column}'), ?)", (last,))


def _verify(database: Database, session: Session, rows: dict[str, int]) -> None:
    """Raise a StoreError unless the copy has as many rows, with the values that their checksums have."""
    for table, count in rows.items():
        there = _count(session, table) - (len(_OWN) if table == "meta" else 0)
        # the version of the search index is written anew
        if there != count and table != "meta":
            raise StoreError(f"{count:,} rows of the table {table} were copied, and {there:,} are there")
        if table in checksums.TABLES and (wrong := next(checksums.changed(session, database.kind, table), None)):
            key = ", ".join(map(str, wrong.key))
            hint = "samestory index check DB names all damage of the source"
            raise StoreError(f"a row of the table {table} does not have its checksum: {key}", hint)
