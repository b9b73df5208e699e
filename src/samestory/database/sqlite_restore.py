"""Restores a SQLite backup: into a new file, which appears complete and verified, or not at all."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

from samestory.database.files import new_file, side_files
from samestory.database.migrate import Migrations
from samestory.database.schema import Query, sqlite_faults
from samestory.database.seal import check_seal, unseal
from samestory.database.sqlite import failure
from samestory.errors import InputError, SamestoryError, StoreError


def restore(path: Path, place: str, known: Migrations) -> dict[str, int]:
    """Restore a backup to a file that does not exist; return the number of rows of each table.

    Logs that lie beside the backup or beside the new file belong to other databases, and SQLite would apply them to
    this one: they are refused.
    """
    target = Path(place).absolute()
    if target.exists() or target.is_symlink():
        raise InputError(
            "already exists",
            hint=f"restore to another file, or move this archive away, with {target.name}-wal if there is one",
            place=place,
        )
    if beside := side_files(target):
        names = ", ".join(each.name for each in beside)
        raise InputError(
            f"{names}: a log of another database, which SQLite would apply to this one",
            hint="move it to the database that it belongs to, whose last articles it may have; or restore to another"
            " name",
            place=place,
        )
    verify(path, known)
    with new_file(target) as temporary:
        _copy(path, temporary)
        return _verified(temporary, known, path)


def verify(path: Path, known: Migrations) -> dict[str, int]:
    """Check a backup without changing it; return the number of rows of each table.

    Raises a StoreError if it is damaged, an InputError if it is not one file or belongs to another program.
    """
    if beside := side_files(path):
        names = ", ".join(each.name for each in beside)
        raise InputError(
            f"not a single file: {names} is in the same folder",
            hint="if this is an archive in use, make a backup of it; if it is a backup, move the other file away",
            place=path,
        )
    try:
        check_seal(path)
    except OSError as error:
        raise InputError(str(error.strerror or error), place=path) from error
    return _verified(path, known, path)


def _copy(path: Path, temporary: Path) -> None:
    try:
        with closing(_opened(path)) as source, closing(sqlite3.connect(temporary, isolation_level=None)) as copy:
            source.backup(copy)
            unseal(copy)
            # some sign-ins of the backup may have been ended since
            if copy.execute("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'sessions'").fetchone():
                copy.execute("DELETE FROM sessions")
            copy.execute("PRAGMA journal_mode = DELETE")
    except sqlite3.Error as error:
        raise failure(error, str(path)) or error from error


def _verified(file: Path, known: Migrations, path: Path) -> dict[str, int]:
    """Return the number of rows of each table of a database file that nothing writes; `path` is for messages."""
    try:
        with closing(_opened(file)) as connection:

            def query(sql: str) -> list[tuple[Any, ...]]:
                return connection.execute(sql).fetchall()

            version = _version(query, known, path)
            if faults := sqlite_faults(query, known, version):
                raise StoreError(f"refused: it has {'; '.join(faults)}", hint="use another backup", place=path)
            ((verdict,), *_) = query("PRAGMA integrity_check(1)")
            if verdict != "ok":
                raise StoreError(f"damaged ({verdict})", hint="use another backup", place=path)
            tables = [name for (name,) in query("SELECT name FROM sqlite_master WHERE type = 'table'")]
            return {name: int(query(f"SELECT count(*) FROM {name}")[0][0]) for name in known.tables if name in tables}
    except sqlite3.Error as error:
        translated: SamestoryError | None = failure(error, str(path))
        raise translated or error from error


def _version(query: Query, known: Migrations, path: Path) -> int:
    """Return the schema version of a database; raise an InputError if it has none of this maker."""
    has_meta = query("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'meta'")
    sql = "SELECT name, value FROM meta WHERE name IN ('maker', 'version')"
    meta: dict[str, str] = dict(query(sql)) if has_meta else {}
    if meta.get("maker") != known.maker:
        raise InputError(f"not a backup of a samestory {known.called}", place=path)
    number = str(meta.get("version"))
    if not number.isdecimal() or not 1 <= int(number) <= known.newest:
        raise InputError(
            f"has the schema version {number}, this samestory {known.newest}",
            hint="pip install --upgrade samestory",
            place=path,
        )
    return int(number)


def _opened(path: Path) -> sqlite3.Connection:
    """Open a file that nothing writes, without the files beside it."""
    return sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro&immutable=1", uri=True, isolation_level=None)
