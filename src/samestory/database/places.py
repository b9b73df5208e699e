"""Opens a database by its place: a file name for SQLite, a URL `postgresql://…` for PostgreSQL."""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path
from types import ModuleType

from samestory.database import sqlite, sqlite_restore
from samestory.database.database import Database
from samestory.database.migrate import Migrations, migrate, migrations
from samestory.errors import InputError, MissingExtraError


def connect(
    place: str | Path,
    create: bool = True,
    tables: Migrations | None = None,
    checkpoint_commits: bool = False,
    read_only: bool = False,
) -> Database:
    """Open the database at a place, and create or upgrade its tables: those of an archive, or `tables`.

    Without `create`, a missing database is an InputError. With `checkpoint_commits`, a SQLite file is complete without
    its log after every commit. With `read_only`, a SQLite file is not changed, as if it could not be written.
    """
    place = str(place)
    database: Database = (
        _module("postgres").Postgres(place)
        if is_address(place)
        else sqlite.SQLite(_file(place), create, checkpoint_commits, read_only)
    )
    try:
        migrate(database, create, tables)
        database.ready()
    except BaseException:
        database.close()
        raise
    return database


def restore(path: str | Path, place: str | Path, tables: Migrations | None = None) -> dict[str, int]:
    """Restore a file of `Database.backup` to an empty place; return the number of rows of each table.

    The backup is verified before the database appears, and the database once it has.
    """
    source, place, known = Path(path), str(place), tables or migrations()
    if _kind(source) == sqlite.MAGIC:
        if is_address(place):
            raise InputError("a SQLite backup cannot be restored to PostgreSQL", place=path)
        rows = sqlite_restore.restore(source, _file(place), known)
    else:
        if not is_address(place):
            raise InputError("a PostgreSQL backup cannot be restored to a SQLite file", place=path)
        rows = _module("postgres_backup").restore(source, _module("postgres").Postgres(place))
    connect(place, create=False, tables=known).close()
    return rows


def verify(path: str | Path, tables: Migrations | None = None) -> dict[str, int]:
    """Check a SQLite backup and change nothing; return the number of rows of each table.

    Raises a StoreError if it is damaged.
    """
    if _kind(Path(path)) != sqlite.MAGIC:
        raise InputError("a backup of PostgreSQL can only be verified by restoring it", place=path)
    return sqlite_restore.verify(Path(path), tables or migrations())


def _kind(path: Path) -> bytes:
    """Return the first bytes of a backup, as SQLite or pg_dump writes them; raise an InputError for any other file."""
    try:
        with path.open("rb") as file:
            beginning = file.read(len(sqlite.MAGIC))
    except OSError as error:
        raise InputError(str(error.strerror or error), place=path) from error
    if beginning != sqlite.MAGIC and not beginning.startswith(b"PGDMP"):
        raise InputError("not a database backup", place=path)
    return beginning


def is_address(place: str) -> bool:
    """Whether a place is the URL of a server.

    >>> is_address("postgresql://news@localhost/archive"), is_address("news.db")
    (True, False)
    """
    return place.startswith(("postgresql://", "postgres://"))


def _file(place: str) -> str:
    """Return a place that must be a file name; raise an InputError if it cannot be one."""
    if not place or place == ":memory:" or "\0" in place:
        raise InputError(f"expected a file name, got {place!r}")
    if re.match(r"\w[\w+.-]*://", place):
        raise InputError(f"{place.partition('://')[0]}://…: expected a file name or a URL postgresql://…")
    return place


def _module(name: str) -> ModuleType:
    """Import a module that needs psycopg; without it, raise an error that names the extra to install."""
    try:
        return import_module(f"samestory.database.{name}")
    except ImportError as missing:
        raise MissingExtraError(
            "PostgreSQL needs psycopg, which is not installed", hint="pip install 'samestory[postgres]'"
        ) from missing
