"""One database for many readers and one writer at a time; what SQLite and PostgreSQL have in common.

Readers take a connection from those that are idle, or open one; the writer has its own.
"""

from __future__ import annotations

import os
import threading
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, ClassVar, Self

from samestory.database.session import Session
from samestory.errors import SamestoryError, StoreError


class Database(ABC):
    """One archive's tables. `read()` and `write()` give sessions; both are for one thread and one `with` block."""

    kind: ClassVar[str]
    """sqlite or postgres."""

    def __init__(self, place: str, name: str) -> None:
        self.place = place
        self.name = name
        """The place as it may be shown: without a password."""
        self._process = os.getpid()
        self._closed = False
        self._idle: list[Any] = []
        self._writer: Any = None
        self._turn = threading.RLock()
        self._own = threading.local()

    def __repr__(self) -> str:
        return f"<{self.kind} {self.name}>"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *how: object) -> None:
        self.close()

    @contextmanager
    def read(self) -> Iterator[Session]:
        """A snapshot: all statements inside see the database as it is now, whatever others write meanwhile.

        Inside a `write()` of the same thread it is the writer's own view; inside a `read()` that one's.
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
                # whoever read has what was asked for; the next one opens a connection anew
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
        """A transaction of the only writer: waits for its turn, and what it wrote is safe on disk when it ends.

        An exception undoes all of it. Inside a `write()` of the same thread it is a part of that one: an exception
        that leaves it undoes the part.
        """
        outer = self._current("writer")
        if outer is not None:
            with outer.part():
                yield outer
            return
        with self._turn:
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

    def close(self) -> None:
        """Closes every connection; those that are read from at the end of their `read()`."""
        if self._current("writer") is not None:
            raise StoreError(f"{self.name}: cannot be closed while it is written")
        with self._turn:
            self._closed = True
            if self._process == os.getpid():
                self._shut_idle()
                if self._writer is not None:
                    self._shut(self._writer)
            self._writer = None

    def _current(self, role: str) -> Session | None:
        """The open session of this thread in a role."""
        session: Session | None = getattr(self._own, role, None)
        return session if session is not None and session.open else None

    def _check(self) -> None:
        """An error, if this cannot be used any more, or not here."""
        if self._process != os.getpid():
            raise StoreError(f"{self.name}: opened in another process", hint="connect() again after a fork")
        if self._closed:
            raise StoreError(f"{self.name}: closed")

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
        """Undoes what the writer did; a connection that cannot even do that is given up, which undoes it too."""
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
        """The writer's connection outside of any transaction, for what cannot be inside one."""
        if self._current("writer") is not None:
            raise StoreError(f"{self.name}: not while it is written")
        with self._turn:
            self._begin_write().end()  # its turn has come, and the connection is not lost
            self._undo(self._writer)
            yield self._writer

    @abstractmethod
    def free(self) -> None:
        """Gives the room of deleted rows back."""

    @abstractmethod
    def size(self) -> int:
        """How many bytes it takes on disk."""

    @abstractmethod
    def backup(self, path: str | Path) -> None:
        """Copies everything into a new file, which is there whole or not at all; others write on meanwhile."""

    @abstractmethod
    def ready(self) -> None:
        """What must be so once the tables are known to be ours."""

    @abstractmethod
    def names(self, session: Session) -> set[str]:
        """The names of the tables that are there."""

    @abstractmethod
    def columns(self, session: Session, table: str) -> set[str]:
        """The names of the columns of a table."""

    @abstractmethod
    def _open(self, writing: bool) -> Any:
        """A new connection."""

    @abstractmethod
    def _begin(self, connection: Any, writing: bool) -> Session:
        """Begins a transaction: its snapshot is taken, or its turn has come, when this returns."""

    @abstractmethod
    def _finish(self, connection: Any, keep: bool) -> None:
        """Ends a transaction."""

    @abstractmethod
    def _undo(self, connection: Any) -> None:
        """Undoes a transaction, if one is open."""

    @abstractmethod
    def _is_lost(self, connection: Any) -> bool: ...

    @abstractmethod
    def _shut(self, connection: Any) -> None:
        """Closes a connection, whatever state it is in."""
