"""The SQLite backend: one file in WAL mode, so that readers and the writer do not wait for each other.

A file that cannot be written, or whose folder cannot, is only read.
"""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

from samestory.database.database import Database
from samestory.database.files import new_file, side_files
from samestory.database.migrate import Migrations
from samestory.database.schema import sqlite_faults
from samestory.database.seal import MARK, seal, unseal
from samestory.database.session import Row, Session
from samestory.errors import InputError, SamestoryError, StoreError

#: How long a writer waits for another process, in seconds.
WRITE_TIMEOUT_SECONDS = 60.0

#: How long a checkpoint after a commit waits for others, in milliseconds.
CHECKPOINT_TIMEOUT_MS = 100

#: How long `free` waits for readers that block the truncation of the WAL, in milliseconds; else the next call does it.
TRUNCATE_TIMEOUT_MS = 2000

#: Faults that a check lists.
MAX_FAULTS = 20

#: The first bytes of every SQLite file.
MAGIC = b"SQLite format 3\0"

#: Page cache, in KiB; and the size to which the WAL is cut after a burst, in bytes.
CACHE_KIB, MAX_WAL_BYTES = 64 * 1024, 64 * 1024 * 1024
#: Pages after which the WAL is checkpointed. SQLite's default of 1,000 is exceeded by every batch of articles, and the
#: same pages would be written again and again.
CHECKPOINT_PAGES = 16_000


def failure(error: BaseException, name: str) -> SamestoryError | None:
    """Translate an error of SQLite to a SamestoryError; None for any other."""
    if isinstance(error, UnicodeEncodeError):
        return InputError("a text with a lone surrogate cannot be stored", place=name)
    if not isinstance(error, sqlite3.Error):
        return None
    code = getattr(error, "sqlite_errorname", "") or ""
    if code.startswith("SQLITE_NOTADB"):
        return InputError("not a database", hint="is it another file, or a compressed backup?", place=name)
    if code.startswith(("SQLITE_READONLY", "SQLITE_PERM", "SQLITE_AUTH", "SQLITE_CANTOPEN")):
        return InputError(
            f"cannot be opened for writing ({error})",
            hint="the file and its folder must be writable: SQLite writes its log beside the file",
            place=name,
        )
    if code.startswith("SQLITE_FULL"):
        return StoreError("the disk is full", hint="this transaction was rolled back", place=name)
    if code.startswith("SQLITE_BUSY"):
        return StoreError(f"another program has been writing for {WRITE_TIMEOUT_SECONDS:.0f} seconds", place=name)
    if code.startswith("SQLITE_CORRUPT"):
        return StoreError(f"damaged ({error})", hint="restore a backup", place=name)
    if "Could not decode to UTF-8" in str(error):
        return StoreError(f"damaged: a text is not UTF-8 ({error})", hint="restore a backup", place=name)
    return StoreError(str(error), place=name)


#: Weights of the place of a word in `SQLite.vocabulary`: larger than an article is long, and without a common factor.
PLACES_PER_ROW, PLACES_PER_COLUMN = 1_048_583, 524_309


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
        cursor.close()  # an unfinished query would hold its snapshot
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
        # an error of the module itself, such as invalid UTF-8 in a column, has no name
        if not self._writing and getattr(error, "sqlite_errorname", "") == "SQLITE_READONLY":
            return StoreError("cannot write in a read() session", place=self._place)
        return failure(error, self._place)


class _Connection(sqlite3.Connection):
    stamp: tuple[Any, ...] | None = None
    """The state in which the file was opened as one that nothing writes; None for all others."""


class SQLite(Database):
    """A database in one file, with its log and the log's index (-wal, -shm) beside it while it is open."""

    kind = "sqlite"

    def __init__(self, place: str, create: bool, checkpoint_commits: bool = False, read_only: bool = False) -> None:
        super().__init__(place, place)
        self.path = Path(place).absolute()
        self._checkpoint_commits = checkpoint_commits
        """Whether every commit is moved from the log to the file, so that a copy of the file alone is complete."""
        _check(self.path, place, create)
        exists = self.path.exists()
        can_write = all(os.access(each, os.W_OK) for each in (self.path, self.path.parent))
        self.read_only, self._can_write = exists and (read_only or not can_write), can_write
        if create and not self.read_only:
            connection = self._open(writing=True, create=True)
            try:
                self._enable_wal(connection, if_empty=True)
            finally:
                connection.close()

    def ready(self) -> None:
        """Enable the WAL, which a restored backup does not have."""
        if self.read_only:
            return
        with self.read() as session:
            mode, mark = session.one("PRAGMA journal_mode"), session.one("PRAGMA application_id")
        if mark == (MARK,):
            with self._alone() as connection:
                unseal(connection)
        if mode is None or mode[0] != "wal":
            with self._alone() as connection:
                self._enable_wal(connection, if_empty=False)

    def _enable_wal(self, connection: sqlite3.Connection, if_empty: bool) -> None:
        """Enable the WAL. For a new file, first enable incremental vacuum, which must be set before that."""
        until = time.monotonic() + WRITE_TIMEOUT_SECONDS
        while True:
            try:
                if if_empty:
                    if connection.execute("SELECT 1 FROM sqlite_master LIMIT 1").fetchone():
                        return
                    connection.execute("PRAGMA auto_vacuum = INCREMENTAL")
                connection.execute("PRAGMA journal_mode = WAL")
                return
            except sqlite3.Error as error:
                # this statement does not honour the busy timeout
                if "locked" not in str(error) or time.monotonic() > until:
                    raise failure(error, self.name) or error from error
                time.sleep(0.02)

    def _open(self, writing: bool, create: bool = False) -> _Connection:
        if writing and self.read_only:
            raise InputError("read-only", hint="the file and its folder must be writable", place=self.name)
        # a file that was deleted is not silently created again
        address = f"{self.path.as_uri()}?mode={'ro' if self.read_only else 'rwc' if create else 'rw'}"
        is_unchanging = self.read_only and not self._can_write and not side_files(self.path)
        if is_unchanging:
            # without this, SQLite would need an index of the log beside the file; not where others may write it
            address += "&immutable=1"
        connection, stamp = None, self._stamp() if is_unchanging else None
        try:
            connection = sqlite3.connect(
                address,
                uri=True,
                timeout=WRITE_TIMEOUT_SECONDS,
                isolation_level=None,
                check_same_thread=False,
                cached_statements=256,
                factory=_Connection,
            )
            connection.stamp = stamp
            for setting in (
                f"cache_size = -{CACHE_KIB}",
                "temp_store = MEMORY",
                f"journal_size_limit = {MAX_WAL_BYTES}",
                f"wal_autocheckpoint = {CHECKPOINT_PAGES}",
                # durable: the log is flushed to disk at the end of every transaction
                "synchronous = FULL",
                "fullfsync = ON",
                f"query_only = {'OFF' if writing else 'ON'}",
            ):
                connection.execute(f"PRAGMA {setting}")
        except sqlite3.Error as error:
            if connection is not None:
                connection.close()
            raise self._failure(error) from error
        return connection

    def _failure(self, error: sqlite3.Error) -> BaseException:
        """Translate an error at the beginning of a connection or a transaction."""
        if (
            getattr(error, "sqlite_errorname", "").startswith("SQLITE_CANTOPEN")
            and not self._can_write
            and side_files(self.path)
        ):
            hint = f"copy it and {self.path.name}-wal to a folder that can be written"
            return InputError("read-only, with a log beside it that cannot be read", hint, place=self.name)
        return failure(error, self.name) or error

    def _begin(self, connection: _Connection, writing: bool) -> Session:
        if connection.stamp is not None and connection.stamp != self._stamp():
            raise StoreError("another program has written it", place=self.name)  # the next connection reads it anew
        try:
            if writing:
                connection.execute("BEGIN IMMEDIATE")
            else:
                connection.execute("BEGIN")
                connection.execute("SELECT 1 FROM sqlite_master LIMIT 1").fetchall()  # takes the snapshot now
        except sqlite3.Error as error:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            raise self._failure(error) from error
        return SQLiteSession(connection, self.name, writing)

    def _finish(self, connection: sqlite3.Connection, keep: bool) -> None:
        try:
            connection.execute("COMMIT" if keep else "ROLLBACK")
        except sqlite3.Error as error:
            raise failure(error, self.name) or error from error
        if self._checkpoint_commits:
            self._checkpoint(connection)

    def _checkpoint(self, connection: sqlite3.Connection) -> None:
        """Move the log to the file. A reader of an earlier state prevents it, and does it at its own end."""
        if not side_files(self.path):
            return
        with suppress(sqlite3.Error):  # the transaction itself is committed
            connection.execute(f"PRAGMA busy_timeout = {CHECKPOINT_TIMEOUT_MS}")
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        connection.execute(f"PRAGMA busy_timeout = {WRITE_TIMEOUT_SECONDS * 1000:.0f}")

    def _stamp(self) -> tuple[Any, ...]:
        """Return what changes if another program writes the file."""
        found = self.path.stat()
        return found.st_ino, found.st_size, found.st_mtime_ns, bool(side_files(self.path))

    def _undo(self, connection: sqlite3.Connection) -> None:
        if connection.in_transaction:  # some errors roll back by themselves
            connection.execute("ROLLBACK")

    def _is_lost(self, connection: sqlite3.Connection) -> bool:
        return False

    def _shut(self, connection: sqlite3.Connection) -> None:
        connection.close()

    def names(self, session: Session) -> set[str]:
        return {name for (name,) in session.rows("SELECT name FROM sqlite_master WHERE type = 'table'")}

    def columns(self, session: Session, table: str) -> set[str]:
        return {name for (name,) in session.rows("SELECT name FROM pragma_table_info(?)", (table,))}

    def faults(self, session: Session, known: Migrations) -> list[str]:
        version = session.rows("SELECT value FROM meta WHERE name = 'version'")
        found = sqlite_faults(session.rows, known, int(version[0][0]))
        verdicts = [verdict for (verdict,) in session.rows(f"PRAGMA integrity_check({MAX_FAULTS})")]
        return found + [f"damaged: {verdict}" for verdict in verdicts if verdict != "ok"]

    def vocabulary(self, session: Session, index: str) -> Iterator[tuple[bytes, int, int]]:
        """Yield the terms of a full-text index: term, number of occurrences, and the sum of their places.

        A place is `PLACES_PER_ROW` × document + `PLACES_PER_COLUMN` × column + position in the column, from 0.
        Raises a StoreError if the index is damaged; the transaction goes on.
        """
        assert isinstance(session, SQLiteSession)
        session.check()
        connection = session._connection
        (is_read_only,) = connection.execute("PRAGMA query_only").fetchone()
        # a temporary table is no change of the file, and allowed in one that cannot be written
        connection.execute("PRAGMA query_only = OFF")
        try:
            connection.execute(f"CREATE VIRTUAL TABLE temp.vocabulary USING fts5vocab(main, {index}, instance)")
            try:
                # in the order of the index, so that nothing is sorted
                places = f"{PLACES_PER_ROW} * doc + (col = 'text') * {PLACES_PER_COLUMN} + offset"
                sql = f"SELECT CAST(term AS BLOB), count(*), sum({places}) FROM temp.vocabulary GROUP BY term"
                with closing(connection.execute(sql)) as rows:
                    yield from rows
            finally:
                connection.execute("DROP TABLE temp.vocabulary")
        except sqlite3.Error as error:
            raise failure(error, self.name) or error from error
        finally:
            connection.execute(f"PRAGMA query_only = {is_read_only}")

    def free(self) -> None:
        """Return free pages to the file system and truncate the WAL."""
        with self._alone() as connection:
            try:
                # as a script: it works page by page, and a single statement would stop after the first
                connection.executescript("PRAGMA incremental_vacuum")
                connection.execute(f"PRAGMA busy_timeout = {TRUNCATE_TIMEOUT_MS}")
                connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
            except sqlite3.Error as error:
                raise failure(error, self.name) or error from error
            finally:
                connection.execute(f"PRAGMA busy_timeout = {WRITE_TIMEOUT_SECONDS * 1000:.0f}")

    def size(self) -> int:
        """Return the size of the file and its WAL, in bytes."""
        files = (self.path, self.path.with_name(f"{self.path.name}-wal"))
        return sum(file.stat().st_size for file in files if file.exists())

    def backup(self, path: str | Path) -> None:
        """Copy the database as it is now into a new file, while others read and write."""
        self._check()
        with new_file(path) as temporary:
            source = self._open(writing=False)
            try:
                target = sqlite3.connect(temporary, isolation_level=None)
                try:
                    source.backup(target)
                    # a single file, without a WAL beside it
                    target.execute("PRAGMA journal_mode = DELETE")
                finally:
                    target.close()
            except sqlite3.Error as error:
                raise failure(error, str(path)) or error from error
            finally:
                source.close()
            seal(temporary)


def _check(path: Path, place: str, create: bool) -> None:
    """Raise an InputError if the file cannot be a database of samestory."""
    try:
        if path.is_dir():
            raise InputError("expected a database file, got a folder", place=place)
        if path.exists():
            with path.open("rb") as file:
                beginning = file.read(len(MAGIC))
            if beginning and beginning != MAGIC:
                raise InputError("not a database", hint="use a separate file for samestory", place=place)
        elif not create:
            commands = "samestory index add creates an archive, samestory collection new a collection"
            hint = f"check the name and the folder; {commands}"
            raise InputError("no such database", hint, place=place)
        elif not path.parent.is_dir():
            raise InputError(f"there is no folder {path.parent}", hint=f"mkdir -p '{path.parent}'", place=place)
    except OSError as error:
        raise InputError(str(error.strerror or error), place=place) from error
