"""What can be asked and told between the beginning and the end of one transaction."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any

from samestory.database.values import kept
from samestory.errors import SamestoryError, StoreError

Row = tuple[Any, ...]

#: How many values one question of `rows_among` holds: SQLite once allowed 999 marks, and more gain little.
AMONG = 500

#: How many rows `each` holds at once.
AT_ONCE = 10_000


class Session(ABC):
    """Statements of one transaction, in SQL with ? for values; neither ? nor % stands for anything else there.

    A statement that fails ends the transaction, whether its error is caught or not: PostgreSQL works so, and SQLite is
    made to. Who wants to go on puts the statement into a `write()` of its own.
    """

    def __init__(self, place: str) -> None:
        self._place = place
        self._failed = False
        self._asked: list[Generator[list[Row]]] = []
        self.open = True

    def rows(self, sql: str, args: Sequence[Any] = ()) -> list[Row]:
        """All rows of the answer."""
        with self._statement():
            return self._rows(sql, kept(args))

    def one(self, sql: str, args: Sequence[Any] = ()) -> Row | None:
        """The first row of the answer, or None."""
        with self._statement():
            return self._one(sql, kept(args))

    def each(self, sql: str, args: Sequence[Any] = (), at_once: int = AT_ONCE) -> Iterator[Row]:
        """The rows of an answer that is too long to hold, some at a time."""
        with self._statement():
            parts = self._parts(sql, kept(args), at_once)
        self._asked.append(parts)
        while True:
            with self._statement():
                part = next(parts, None)
            if part is None:
                self._asked.remove(parts)
                return
            yield from part

    def rows_among(self, sql: str, values: Iterable[Any], args: Sequence[Any] = ()) -> list[Row]:
        """All rows of a question about many values: `{}` in it stands for them, as in `WHERE id IN ({})`.

        It is asked in pieces: order and aggregates hold inside a piece only. `args` are those of the other marks.
        """
        return [row for asked, given in _pieces(sql, values, args) for row in self.rows(asked, given)]

    def run_among(self, sql: str, values: Iterable[Any], args: Sequence[Any] = ()) -> int:
        """A statement about many values, as `rows_among` asks; gives how many rows it touched."""
        return sum(self.run(asked, given) for asked, given in _pieces(sql, values, args))

    def run(self, sql: str, args: Sequence[Any] = ()) -> int:
        """Does it; gives how many rows it touched."""
        with self._statement():
            return max(0, self._run(sql, kept(args)))

    def many(self, sql: str, rows: Iterable[Sequence[Any]]) -> int:
        """Does it for every row of values; gives how many rows it touched."""
        with self._statement():
            return max(0, self._many(sql, map(kept, rows)))

    def insert(self, table: str, columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> int:
        """Puts rows into a table, the fast way for many; gives how many."""
        with self._statement():
            return self._insert(table, columns, map(kept, rows))

    @contextmanager
    def part(self) -> Iterator[None]:
        """A part of the transaction that is done whole or, when an exception leaves it, not at all."""
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
        """Nothing can be asked any more, and answers that were not read to their end are not."""
        self.open = False
        for parts in self._asked:
            with suppress(Exception):  # of a connection that is lost
                parts.close()

    def check(self) -> None:
        """An error, if nothing can be done in this transaction any more."""
        if not self.open:
            raise StoreError(f"{self._place}: the transaction is over")
        if self._failed:
            raise StoreError(
                f"{self._place}: a statement of this transaction has failed before",
                hint="put a statement that may fail into a write() of its own",
            )

    @contextmanager
    def _statement(self) -> Iterator[None]:
        """One statement: its errors are ours, and the last of the transaction."""
        self.check()
        try:
            yield
        except BaseException as error:
            self._failed = True
            ours = self._error(error)
            if ours is None:
                raise
            raise ours from error

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
        """An error of the driver as one of ours; None for any other."""


def _pieces(sql: str, values: Iterable[Any], args: Sequence[Any]) -> Iterator[tuple[str, Row]]:
    """A statement about many values as several about some of them; each with its values."""
    before, _, after = sql.partition("{}")
    first = before.count("?")
    wanted = list(values)
    for start in range(0, len(wanted), AMONG):
        piece = wanted[start : start + AMONG]
        yield f"{before}{', '.join('?' * len(piece))}{after}", (*args[:first], *piece, *args[first:])
