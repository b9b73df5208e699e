"""A database in one file, by SQLite: readers never wait, the writer waits for no reader."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Generator, Iterable, Sequence
from pathlib import Path
from typing import Any

from samestory.database.database import Database
from samestory.database.files import new_file
from samestory.database.session import Row, Session
from samestory.errors import InputError, SamestoryError, StoreError

#: How long a writer waits for another process, in seconds.
PATIENCE = 60.0

#: How long `free` waits for readers that keep the log from being emptied, in milliseconds; the next one does it then.
SHORT_PATIENCE = 2000

#: What every file of SQLite begins with.
MAGIC = b"SQLite format 3\0"

#: Memory for pages, in KiB; and how long the log of a burst may stay on disk, in bytes.
CACHE, LOG = 64 * 1024, 64 * 1024 * 1024
#: After so many pages the log is written into the file. SQLite's own limit of 1,000 is met by every batch of articles,
#: and the same pages are written again and again.
PAGES = 16_000


def failure(error: BaseException, name: str) -> SamestoryError | None:
    """An error of SQLite as one of ours; None for any other."""
    if isinstance(error, UnicodeEncodeError):
        return InputError(f"{name}: a text with half a character (a lone surrogate) cannot be kept")
    if not isinstance(error, sqlite3.Error):
        return None
    code = getattr(error, "sqlite_errorname", "") or ""
    if code.startswith("SQLITE_NOTADB"):
        return InputError(f"{name}: not a database", hint="is it another file, or a backup that is packed?")
    if code.startswith(("SQLITE_READONLY", "SQLITE_PERM", "SQLITE_AUTH", "SQLITE_CANTOPEN")):
        return InputError(
            f"{name}: cannot be opened for writing ({error})",
            hint="the file and its folder must be writable: SQLite keeps its log beside the file",
        )
    if code.startswith("SQLITE_FULL"):
        return StoreError(f"{name}: no room left on the disk", hint="nothing of this transaction was kept")
    if code.startswith("SQLITE_BUSY"):
        return StoreError(f"{name}: another program has been writing for {PATIENCE:.0f} seconds")
    if code.startswith("SQLITE_CORRUPT"):
        return StoreError(f"{name}: damaged ({error})", hint="restore a backup")
    return StoreError(f"{name}: {error}")


class SQLiteSession(Session):
    """A transaction of one connection."""

    def __init__(self, connection: sqlite3.Connection, name: str, writing: bool) -> None:
        super().__init__(name)
        self._connection = connection
        self._writing = writing

    def _rows(self, sql: str, args: Sequence[Any]) -> list[Row]:
        return self._connection.execute(sql, args).fetchall()

    def _one(self, sql: str, args: Sequence[Any]) -> Row | None:
        cursor = self._connection.execute(sql, args)
        row: Row | None = cursor.fetchone()
        cursor.close()  # an unfinished question would hold its snapshot
        return row

    def _parts(self, sql: str, args: Sequence[Any], at_once: int) -> Generator[list[Row]]:
        cursor = self._connection.execute(sql, args)
        try:
            while part := cursor.fetchmany(at_once):
                yield part
        finally:
            cursor.close()

    def _run(self, sql: str, args: Sequence[Any]) -> int:
        return self._connection.execute(sql, args).rowcount

    def _many(self, sql: str, rows: Iterable[Sequence[Any]]) -> int:
        return self._connection.executemany(sql, rows).rowcount

    def _insert(self, table: str, columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> int:
        marks = ", ".join("?" * len(columns))
        return max(0, self._many(f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({marks})", rows))

    def _error(self, error: BaseException) -> SamestoryError | None:
        if not self._writing and isinstance(error, sqlite3.Error) and error.sqlite_errorname == "SQLITE_READONLY":
            return StoreError(f"{self._place}: who reads cannot write")
        return failure(error, self._place)


class SQLite(Database):
    """A database in one file; beside it lie its log and an index of that (-wal, -shm) while it is open."""

    kind = "sqlite"

    def __init__(self, place: str, create: bool) -> None:
        super().__init__(place, place)
        self.path = Path(place).absolute()
        _check(self.path, place, create)
        if create:
            connection = self._open(writing=True, create=True)
            try:
                self._settle(connection, if_empty=True)
            finally:
                connection.close()

    def ready(self) -> None:
        """What must be so once the tables are known to be ours: a restored backup has no log."""
        with self.read() as session:
            mode = session.one("PRAGMA journal_mode")
        if mode is None or mode[0] != "wal":
            with self._alone() as connection:
                self._settle(connection, if_empty=False)

    def _settle(self, connection: sqlite3.Connection, if_empty: bool) -> None:
        """Makes a file keep a log. A new one is also made so that it can shrink, which must be said before that."""
        until = time.monotonic() + PATIENCE
        while True:
            try:
                if if_empty:
                    if connection.execute("SELECT 1 FROM sqlite_master LIMIT 1").fetchone():
                        return
                    connection.execute("PRAGMA auto_vacuum = INCREMENTAL")
                connection.execute("PRAGMA journal_mode = WAL")
                return
            except sqlite3.Error as error:
                # this change of all does not wait for other processes by itself
                if "locked" not in str(error) or time.monotonic() > until:
                    raise failure(error, self.name) or error from error
                time.sleep(0.02)

    def _open(self, writing: bool, create: bool = False) -> sqlite3.Connection:
        # never made anew behind our back, when the file is gone
        address = f"{self.path.as_uri()}?mode={'rwc' if create else 'rw'}"
        connection = None
        try:
            connection = sqlite3.connect(
                address,
                uri=True,
                timeout=PATIENCE,
                isolation_level=None,
                check_same_thread=False,
                cached_statements=256,
            )
            for setting in (
                f"cache_size = -{CACHE}",
                "temp_store = MEMORY",
                f"journal_size_limit = {LOG}",
                f"wal_autocheckpoint = {PAGES}",
                # on disk before it is said to be: the log is flushed at the end of every transaction
                "synchronous = FULL",
                "fullfsync = ON",
                f"query_only = {'OFF' if writing else 'ON'}",
            ):
                connection.execute(f"PRAGMA {setting}")
        except sqlite3.Error as error:
            if connection is not None:
                connection.close()
            raise failure(error, self.name) or error from error
        return connection

    def _begin(self, connection: sqlite3.Connection, writing: bool) -> Session:
        try:
            if writing:
                connection.execute("BEGIN IMMEDIATE")
            else:
                connection.execute("BEGIN")
                connection.execute("SELECT 1 FROM sqlite_master LIMIT 1").fetchall()  # the snapshot is taken now
        except sqlite3.Error as error:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            raise failure(error, self.name) or error from error
        return SQLiteSession(connection, self.name, writing)

    def _finish(self, connection: sqlite3.Connection, keep: bool) -> None:
        try:
            connection.execute("COMMIT" if keep else "ROLLBACK")
        except sqlite3.Error as error:
            raise failure(error, self.name) or error from error

    def _undo(self, connection: sqlite3.Connection) -> None:
        if connection.in_transaction:  # some errors undo it by themselves
            connection.execute("ROLLBACK")

    def _is_lost(self, connection: sqlite3.Connection) -> bool:
        return False

    def _shut(self, connection: sqlite3.Connection) -> None:
        connection.close()

    def names(self, session: Session) -> set[str]:
        """The names of the tables that are there."""
        return {name for (name,) in session.rows("SELECT name FROM sqlite_master WHERE type = 'table'")}

    def columns(self, session: Session, table: str) -> set[str]:
        """The names of the columns of a table."""
        return {name for (name,) in session.rows("SELECT name FROM pragma_table_info(?)", (table,))}

    def free(self) -> None:
        """Gives free pages back to the file system and empties the log."""
        with self._alone() as connection:
            try:
                # as a script: it is done page by page, and a single statement would stop after the first
                connection.executescript("PRAGMA incremental_vacuum")
                connection.execute(f"PRAGMA busy_timeout = {SHORT_PATIENCE}")
                connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
            except sqlite3.Error as error:
                raise failure(error, self.name) or error from error
            finally:
                connection.execute(f"PRAGMA busy_timeout = {PATIENCE * 1000:.0f}")

    def size(self) -> int:
        """How many bytes the file and its log take."""
        files = (self.path, self.path.with_name(f"{self.path.name}-wal"))
        return sum(file.stat().st_size for file in files if file.exists())

    def backup(self, path: str | Path) -> None:
        """Copies the database as it is now into a new file, while others read and write."""
        self._check()
        with new_file(path) as trial:
            source = self._open(writing=False)
            try:
                target = sqlite3.connect(trial, isolation_level=None)
                try:
                    source.backup(target)
                    # one file without a log beside it
                    target.execute("PRAGMA journal_mode = DELETE")
                finally:
                    target.close()
            except sqlite3.Error as error:
                raise failure(error, str(path)) or error from error
            finally:
                source.close()


def restored(path: Path, place: str) -> None:
    """Puts a backup where no database is yet."""
    target = Path(place).absolute()
    if target.exists() and target.stat().st_size:
        raise InputError(f"{place}: there is a file already", hint="restore to another place, or move it away")
    with new_file(target, over_empty=True) as trial:
        source = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)
        try:
            copy = sqlite3.connect(trial, isolation_level=None)
            try:
                source.backup(copy)
                (verdict,) = copy.execute("PRAGMA quick_check(1)").fetchone()
                copy.execute("PRAGMA journal_mode = DELETE")
            finally:
                copy.close()
            if verdict != "ok":
                raise StoreError(f"{path}: damaged ({verdict})", hint="take another backup")
        except sqlite3.Error as error:
            raise failure(error, str(path)) or error from error
        finally:
            source.close()


def _check(path: Path, place: str, create: bool) -> None:
    """An InputError, if there can be no database of ours at this place."""
    try:
        if path.is_dir():
            raise InputError(f"{place}: a folder, where the file of a database is wanted")
        if path.exists():
            with path.open("rb") as file:
                beginning = file.read(len(MAGIC))
            if beginning and beginning != MAGIC:
                raise InputError(f"{place}: not a database", hint="give samestory a file of its own")
        elif not create:
            makes = "samestory index add makes an archive, samestory collection new a collection"
            hint = f"is the name right, and the folder? {makes}"
            raise InputError(f"{place}: no such database", hint)
        elif not path.parent.is_dir():
            raise InputError(f"{place}: there is no folder {path.parent}", hint=f"mkdir -p '{path.parent}'")
    except OSError as error:
        raise InputError(f"{place}: {error.strerror or error}") from error
