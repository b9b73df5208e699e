"""A store in a database: what is kept is on disk before it is said to be.

Signatures are kept and nothing else: who shares what with whom follows from them. An index reads them into memory when
it is opened, or writes most of them to segments (docs/decisions/0012, 0027).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any, NoReturn

from samestory.database import Database, Session
from samestory.index.index import damaged_signature
from samestory.index.store import Entries, Store
from samestory.model import NO_TIME, Signatures

#: So many entries are read at a time.
BATCH = 10_000


class Durable(Store):
    """The entries of one index in a database, which may hold those of several under different names."""

    def __init__(self, database: Database, name: str = "") -> None:
        self.database, self.name = database, name
        self.place = database.name
        """The database, for messages."""

    @property
    def fingerprint(self) -> str:
        with self.database.read() as session:
            row = session.one("SELECT value FROM meta WHERE name = ?", (self._mark,))
        return row[0] if row else ""

    @fingerprint.setter
    def fingerprint(self, mark: str) -> None:
        with self.database.write() as session:
            session.run("DELETE FROM meta WHERE name = ?", (self._mark,))
            session.run("INSERT INTO meta (name, value) VALUES (?, ?)", (self._mark, mark))

    @property
    def _mark(self) -> str:
        return f"fingerprint {self.name}".strip()

    def put(self, entries: Entries) -> None:
        rows = zip(entries.ids, entries.published.tolist(), entries.sources.tolist(), entries.signatures, strict=True)
        with self.database.joined_write() as session:
            self._remove(session, entries.ids)
            session.insert(
                "entries",
                ("detector", "id", "published", "source", "signature"),
                [(self.name, id, None if at == NO_TIME else at, _signed(who), row) for id, at, who, row in rows],
            )

    def remove(self, ids: Sequence[str]) -> int:
        with self.database.joined_write() as session:
            return self._remove(session, ids)

    def _remove(self, session: Session, ids: Sequence[str]) -> int:
        sql = "SELECT number, detector, id FROM entries WHERE detector = ? AND id IN ({})"
        found = session.rows_among(sql, list(ids), (self.name,))
        if not found:
            return 0
        # an entry that is in a segment stays in its file
        sql = "SELECT coalesce(max(last), 0) FROM segments WHERE detector = ?"
        (last,) = session.one(sql, (self.name,)) or (0,)
        session.insert("removed_entries", ("number", "detector", "id"), [row for row in found if row[0] <= last])
        return session.run_among("DELETE FROM entries WHERE detector = ? AND id IN ({})", list(ids), (self.name,))

    def expire(self, before: int) -> int:
        with self.database.joined_write() as session:
            return session.run("DELETE FROM entries WHERE detector = ? AND published < ?", (self.name, before))

    def batches(self) -> Iterator[Entries]:
        yield from self.between(0, 2**62)

    def between(self, first: int, last: int) -> Iterator[Entries]:
        """The entries with numbers above `first` and up to `last`, in the order in which they came."""
        sql = "SELECT id, published, source, signature FROM entries WHERE detector = ? AND number > ? AND number <= ?"
        with self.database.read() as session:
            rows = session.each(f"{sql} ORDER BY number", (self.name, first, last), BATCH)
            while batch := list(islice(rows, BATCH)):
                yield self._entries(batch)

    def refuse(self, id: str) -> NoReturn:
        """Raises a StoreError about an entry whose signature is damaged."""
        raise damaged_signature(id, self.place)

    def some(self, ids: Sequence[str]) -> Entries:
        """The entries of these ids, as many as there are, in the order in which they came."""
        sql = "SELECT number, id, published, source, signature FROM entries WHERE detector = ? AND id IN ({})"
        with self.database.read() as session:
            return self._entries([row[1:] for row in sorted(session.rows_among(sql, list(ids), (self.name,)))])

    def _entries(self, rows: Sequence[tuple[Any, ...]]) -> Entries:
        """Entries from rows; raises a StoreError for one that cannot have been written as an entry."""
        import numpy as np

        for row in rows:
            if not is_entry(*row):
                raise damaged_signature(str(row[0]), self.place)
        ids, published, sources, signatures = zip(*rows, strict=True) if rows else ((), (), (), ())
        ends = np.cumsum([0, *map(len, signatures)]).astype(np.int64)
        return Entries(
            list(ids),
            np.array([NO_TIME if at is None else at for at in published], np.int64),
            np.array(sources, np.int64).astype(np.uint64),
            Signatures.from_offsets(b"".join(signatures), ends),
        )

    def __len__(self) -> int:
        with self.database.read() as session:
            row = session.one("SELECT count(*) FROM entries WHERE detector = ?", (self.name,))
        return int(row[0]) if row else 0


def is_entry(id: object, published: object, source: object, signature: object) -> bool:
    """Whether these values have the types of an entry: SQLite stores any value in any column."""
    return (
        type(id) is str
        and (published is None or type(published) is int)
        and type(source) is int
        and type(signature) is bytes
    )


def _signed(number: int) -> int:
    """An unsigned number as databases hold it."""
    return number - 2**64 if number >= 2**63 else number
