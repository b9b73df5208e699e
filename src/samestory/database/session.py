"""Statements of one transaction."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any

from samestory.database.timing import StatementTime, counted_statements
from samestory.database.values import checked
from samestory.errors import SamestoryError, StoreError

Row = tuple[Any, ...]

#: Values per statement of `rows_among`: SQLite once allowed 999 placeholders, and more gain little.
VALUES_PER_STATEMENT = 500

#: Rows that `each` holds at once.
ROWS_AT_ONCE = 10_000


class Session(ABC):
    """Runs the statements of one transaction, in SQL with ? as the placeholder; ? and % have no other meaning.

    A failed statement ends the transaction, whether its error is caught or not, as in PostgreSQL. To continue after an
    error, run the statement in a nested `write()`.
    """

    def __init__(self, place: str) -> None:
        self._place = place
        self._failed = False
        self._open_cursors: list[Generator[list[Row]]] = []
        self.open = True

    def rows(self, sql: str, args: Sequence[Any] = ()) -> list[Row]:
        """Return all rows of a query."""
        with self._statement():
            return self._rows(sql, checked(args))

    def one(self, sql: str, args: Sequence[Any] = ()) -> Row | None:
        """Return the first row of a query, or None."""
        with self._statement():
            return self._one(sql, checked(args))

    def each(self, sql: str, args: Sequence[Any] = (), at_once: int = ROWS_AT_ONCE) -> Iterator[Row]:
        """Yield the rows of a large query, fetched `at_once` at a time."""
        with self._statement():
            parts = self._parts(sql, checked(args), at_once)
        self._open_cursors.append(parts)
        while True:
            with self._statement():
                part = next(parts, None)
            if part is None:
                self._open_cursors.remove(parts)
                return
            yield from part

    def rows_among(self, sql: str, values: Iterable[Any], args: Sequence[Any] = ()) -> list[Row]:
        """Return all rows of a query over many values: `{}` in it stands for them, as in `WHERE id IN ({})`.

        The query is run in chunks: order and aggregates hold within a chunk only. `args` fill the other placeholders.
        """
        return [row for chunk, given in _chunks(sql, values, args) for row in self.rows(chunk, given)]

    def run_among(self, sql: str, values: Iterable[Any], args: Sequence[Any] = ()) -> int:
        """Run a statement over many values, as `rows_among` does; return the number of affected rows."""
        return sum(self.run(chunk, given) for chunk, given in _chunks(sql, values, args))

    def run(self, sql: str, args: Sequence[Any] = ()) -> int:
        """Run a statement; return the number of affected rows."""
        with self._statement():
            return max(0, self._run(sql, checked(args)))

    def many(self, sql: str, rows: Iterable[Sequence[Any]]) -> int:
        """Run a statement for every row of values; return the number of affected rows."""
        with self._statement():
            return max(0, self._many(sql, map(checked, rows)))

    def insert(self, table: str, columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> int:
        """Insert rows into a table, optimised for many; return their number."""
        with self._statement():
            return self._insert(table, columns, map(checked, rows))

    @contextmanager
    def part(self) -> Iterator[None]:
        """Open a savepoint: an exception that leaves the block rolls back to it."""
        self.run("SAVEPOINT part")
        try:
            yield
            self.check()
        except BaseException:
            self._failed = False
            self.run("ROLLBACK TO SAVEPOINT part")
            self.run("RELEASE SAVEPOINT part")
            raise
        self.run("RELEASE SAVEPOINT part")

    def end(self) -> None:
        """End the session: no statement can be run any more, and unfinished queries are closed."""
        self.open = False
        for parts in self._open_cursors:
            with suppress(Exception):  # the connection may be lost
                parts.close()

    def check(self) -> None:
        """Raise a StoreError if the transaction is over or has failed."""
        if not self.open:
            raise StoreError("the transaction is over", place=self._place)
        if self._failed:
            raise StoreError(
                "an earlier statement of this transaction failed",
                hint="run a statement that may fail in a separate write()",
                place=self._place,
            )

    def _statement(self) -> _Statement:
        """Run one statement: a driver error is translated, and any error fails the transaction."""
        self.check()
        return _Statement(self, counted_statements())

    def _fail(self, error: BaseException) -> None:
        """Note that a statement failed; raise its error in the words of samestory, if it has any."""
        self._failed = True
        translated = self._error(error)
        if translated is not None:
            raise translated from error

    @abstractmethod
    def _rows(self, sql: str, args: Sequence[Any]) -> list[Row]: ...

    @abstractmethod
    def _one(self, sql: str, args: Sequence[Any]) -> Row | None: ...

    @abstractmethod
    def _parts(self, sql: str, args: Sequence[Any], at_once: int) -> Generator[list[Row]]: ...

    @abstractmethod
    def _run(self, sql: str, args: Sequence[Any]) -> int: ...

    @abstractmethod
    def _many(self, sql: str, rows: Iterable[Sequence[Any]]) -> int: ...

    @abstractmethod
    def _insert(self, table: str, columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> int: ...

    @abstractmethod
    def _error(self, error: BaseException) -> SamestoryError | None:
        """Translate an error of the driver to a SamestoryError; None for any other."""


class _Statement:
    """One statement that runs: a class, since a page has dozens and a generator would take as long as some of them."""

    __slots__ = ("_began", "_counted", "_session")

    def __init__(self, session: Session, counted: StatementTime | None) -> None:
        self._session, self._counted = session, counted

    def __enter__(self) -> None:
        if self._counted is not None:
            self._began = time.perf_counter()

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if self._counted is not None:
            self._counted.count += 1
            self._counted.seconds += time.perf_counter() - self._began
        if error is not None:
            self._session._fail(error)


def _chunks(sql: str, values: Iterable[Any], args: Sequence[Any]) -> Iterator[tuple[str, Row]]:
    """Split a statement over many values into statements over some of them, each with its arguments."""
    before, _, after = sql.partition("{}")
    first = before.count("?")
    remaining = list(values)
    for start in range(0, len(remaining), VALUES_PER_STATEMENT):
        chunk = remaining[start : start + VALUES_PER_STATEMENT]
        yield f"{before}{', '.join('?' * len(chunk))}{after}", (*args[:first], *chunk, *args[first:])
