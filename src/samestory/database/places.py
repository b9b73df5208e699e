"""Places: a file name is SQLite's, an address `postgresql://…` PostgreSQL's."""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path
from types import ModuleType

from samestory.database import sqlite
from samestory.database.database import Database
from samestory.database.migrate import Migrations, migrate
from samestory.errors import InputError, SamestoryError


def connect(place: str | Path, create: bool = True, tables: Migrations | None = None) -> Database:
    """Opens the database at a place; makes its tables, those of an archive unless others are given, or makes them those
    of this version.

    Without `create`, one that is not there is an InputError.
    """
    place = str(place)
    database: Database = (
        _module("postgres").Postgres(place) if is_address(place) else sqlite.SQLite(_file(place), create)
    )
    try:
        migrate(database, create, tables)
        database.ready()
    except BaseException:
        database.close()
        raise
    return database


def restore(path: str | Path, place: str | Path) -> None:
    """Puts what `Database.backup` wrote into a place that holds nothing yet."""
    source, place = Path(path), str(place)
    try:
        with source.open("rb") as file:
            beginning = file.read(len(sqlite.MAGIC))
    except OSError as error:
        raise InputError(f"{path}: {error.strerror or error}") from error
    if beginning == sqlite.MAGIC:
        if is_address(place):
            raise InputError(f"{path}: a backup of SQLite, which cannot become one of PostgreSQL")
        sqlite.restored(source, _file(place))
    elif beginning.startswith(b"PGDMP"):
        if not is_address(place):
            raise InputError(f"{path}: a backup of PostgreSQL, which cannot become a file of SQLite")
        _module("postgres_backup").restored(source, place)
    else:
        raise InputError(f"{path}: not a backup of a database")


def is_address(place: str) -> bool:
    """Is this the address of a server?

    >>> is_address("postgresql://news@localhost/archive"), is_address("news.db")
    (True, False)
    """
    return place.startswith(("postgresql://", "postgres://"))


def _file(place: str) -> str:
    """A place that must be the name of a file."""
    if not place or place == ":memory:" or "\0" in place:
        raise InputError(f"the name of a file is wanted, got {place!r}")
    if re.match(r"\w[\w+.-]*://", place):
        raise InputError(f"{place.partition('://')[0]}://…: a file or an address postgresql://… is wanted")
    return place


def _module(name: str) -> ModuleType:
    """A module of ours that needs psycopg, which comes with an extra; or how to get it."""
    try:
        return import_module(f"samestory.database.{name}")
    except ImportError as missing:
        raise SamestoryError(
            "PostgreSQL needs psycopg, which is not installed", hint="pip install 'samestory[postgres]'"
        ) from missing
