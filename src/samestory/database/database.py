"""The common base of SQLite and PostgreSQL: many concurrent readers and one writer at a time.

Readers use a pool of connections; the writer has its own connection.
"""

from __future__ import annotations

import os
import threading
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Self

from samestory.database.session import Session
from samestory.errors import SamestoryError, StoreError

if TYPE_CHECKING:
    from samestory.database.migrate import Migrations


class Database(ABC):
    """A database. A session of `read()` or `write()` belongs to one thread and one `with` block."""

    kind: ClassVar[str]
    """`sqlite` or `postgres`."""

    def __init__(self, place: str, name: str) -> None:
        self.place = place
        self.name = name
        """The place without a password, for messages."""
        self.read_only = False
        """Whether it cannot be written."""
        self._process = os.getpid()
        self._closed = False
        self._idle: list[Any] = []
        self._writer: Any = None
        self._writer_lock = threading.RLock()
        self._own = threading.local()

    def __repr__(self) -> str:
        return f"<{self.kind} {self.name}>"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *how: object) -> None:
        self.close()

    @contextmanager
    def read(self) -> Iterator[Session]:
        """Begin a read transaction: all statements see one snapshot, whatever others write meanwhile.

        Inside a `write()` or `read()` of the same thread, this returns the session of that one.
        """
        outer = self._current("writer") or self._current("reader")
        if outer is not None:
            yield outer
            return
        connection, session = self._begin_read()
        self._own.reader = session
        try:
            yield session
        finally:
            session.end()
            self._own.reader = None
            try:
                self._finish(connection, keep=False)
            except SamestoryError:
                # the caller has its rows; the next reader opens a new connection
                self._shut(connection)
            except BaseException:
                self._shut(connection)
                raise
            else:
                self._idle.append(connection)
            if self._closed:
                self._shut_idle()

    @contextmanager
    def write(self) -> Iterator[Session]:
        """Begin a write transaction, waiting for other writers; it is committed to disk at the end of the block.

        An exception rolls it back. Inside a `write()` of the same thread it is a savepoint of that one: an exception
        that leaves it rolls back to the savepoint.
        """
        outer = self._current("writer")
        if outer is not None:
            with outer.part():
                yield outer
            return
        with self._writer_lock:
            session = self._begin_write()
            self._own.writer = session
            try:
                yield session
                session.check()
            except BaseException:
                session.end()
                self._abandon()
                raise
            finally:
                self._own.writer = None
            session.end()
            try:
                self._finish(self._writer, keep=True)
            except BaseException:
                self._abandon()
                raise

    @contextmanager
    def joined_write(self) -> Iterator[Session]:
        """Begin a write transaction or, inside a `write()` of the same thread, take part in that one.

        Unlike `write()`, it opens no savepoint: an exception has to leave the outer transaction too.
        """
        outer = self._current("writer")
        if outer is not None:
            yield outer
            return
        with self.write() as session:
            yield session

    def close(self) -> None:
        """Close every connection; those in use are closed at the end of their `read()`."""
        if self._current("writer") is not None:
            raise StoreError("cannot be closed during a write()", place=self.name)
        with self._writer_lock:
            self._closed = True
            if self._process == os.getpid():
                self._shut_idle()
                if self._writer is not None:
                    self._shut(self._writer)
            self._writer = None

    def _current(self, role: str) -> Session | None:
        """Return the open session of this thread as "reader" or "writer"."""
        session: Session | None = getattr(self._own, role, None)
        return session if session is not None and session.open else None

    def _check(self) -> None:
        """Raise a StoreError if the database is closed or was opened in another process."""
        if self._process != os.getpid():
            raise StoreError("opened in another process", hint="connect() again after a fork", place=self.name)
        if self._closed:
            raise StoreError("closed", place=self.name)

    def _begin_read(self) -> tuple[Any, Session]:
        self._check()
        while self._idle:
            try:
                connection = self._idle.pop()
            except IndexError:
                break  # another thread was faster
            try:
                return connection, self._begin(connection, writing=False)
            except SamestoryError:
                self._shut(connection)  # lost while it was idle
            except BaseException:
                self._shut(connection)
                raise
        connection = self._open(writing=False)
        try:
            return connection, self._begin(connection, writing=False)
        except BaseException:
            self._shut(connection)
            raise

    def _begin_write(self) -> Session:
        self._check()
        if self._writer is not None:
            try:
                return self._begin(self._writer, writing=True)
            except BaseException as error:
                lost = isinstance(error, SamestoryError) and self._is_lost(self._writer)
                self._abandon()
                if not lost:
                    raise
        self._writer = self._open(writing=True)
        try:
            return self._begin(self._writer, writing=True)
        except BaseException:
            self._abandon()
            raise

    def _abandon(self) -> None:
        """Roll the writer back; a connection that cannot is closed, which rolls back too."""
        try:
            self._undo(self._writer)
        except Exception:
            self._shut(self._writer)
            self._writer = None

    def _shut_idle(self) -> None:
        while self._idle:
            try:
                self._shut(self._idle.pop())
            except IndexError:
                break

    @contextmanager
    def _alone(self) -> Iterator[Any]:
        """Yield the writer's connection outside of any transaction, for statements that cannot run inside one."""
        if self._current("writer") is not None:
            raise StoreError("not possible during a write()", place=self.name)
        with self._writer_lock:
            self._begin_write().end()  # waits for other writers, and replaces a lost connection
            self._undo(self._writer)
            yield self._writer

    @abstractmethod
    def free(self) -> None:
        """Free the space of deleted rows."""

    @abstractmethod
    def size(self) -> int:
        """Return the size on disk, in bytes."""

    @abstractmethod
    def backup(self, path: str | Path) -> None:
        """Copy the database into a new file, atomically, while others read and write."""

    @abstractmethod
    def faults(self, session: Session, known: Migrations) -> list[str]:
        """Describe damage, what is missing of the tables, and triggers of others."""

    @abstractmethod
    def ready(self) -> None:
        """Finish the setup once the tables are known to be those of samestory."""

    @abstractmethod
    def names(self, session: Session) -> set[str]:
        """Return the names of the tables."""

    @abstractmethod
    def columns(self, session: Session, table: str) -> set[str]:
        """Return the column names of a table."""

    @abstractmethod
    def _open(self, writing: bool) -> Any:
        """Open a connection."""

    @abstractmethod
    def _begin(self, connection: Any, writing: bool) -> Session:
        """Begin a transaction; on return its snapshot is taken, or the write lock held."""

    @abstractmethod
    def _finish(self, connection: Any, keep: bool) -> None:
        """Commit a transaction, or roll it back without `keep`."""

    @abstractmethod
    def _undo(self, connection: Any) -> None:
        """Roll back a transaction, if one is open."""

    @abstractmethod
    def _is_lost(self, connection: Any) -> bool: ...

    @abstractmethod
    def _shut(self, connection: Any) -> None:
        """Close a connection in any state."""
