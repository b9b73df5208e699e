"""Backup, restore and verification of a collection: no answer is lost, and what is lost is named."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from samestory.database import Session, connect, restore, verify
from samestory.database.files import side_files
from samestory.errors import StoreError
from samestory.lab.collection.answers import check_answer
from samestory.lab.collection.collection import ITEM_COLUMNS, MIGRATIONS, Collection, item_from_row

#: References between the tables: a column, and the column that must have its value.
_REFERENCES = (
    ("tasks", "item", "items", "number"),
    ("tasks", "assessor", "assessors", "number"),
    ("tasks", "judgement", "judgements", "number"),
    ("judgements", "task", "tasks", "number"),
    ("nominations", "item", "items", "number"),
    ("nominations", "run", "runs", "number"),
    ("talks", "item", "items", "number"),
)

#: Faults of one kind that are listed.
MAX_EXAMPLES = 5


@dataclass(frozen=True, slots=True)
class Contents:
    """What a collection has."""

    articles: int
    items: int
    assessors: int
    answers: int

    @classmethod
    def from_rows(cls, rows: dict[str, int]) -> Contents:
        """Take the counts from the numbers of rows of the tables."""
        return cls(rows["articles"], rows["items"], rows["assessors"], rows["judgements"])


def backup(collection: Collection, path: str | Path) -> Contents:
    """Copy a collection as it is now into a new file, while people judge; the copy is verified."""
    collection.database.backup(path)
    return Contents.from_rows(verify(path, MIGRATIONS))


def restore_collection(path: str | Path, place: str | Path) -> Contents:
    """Restore a backup to a file that does not exist."""
    return Contents.from_rows(restore(path, place, MIGRATIONS))


def verify_collection(place: str | Path) -> tuple[Contents, list[str]]:
    """Check a collection, or a backup of one, and change nothing; return its contents and its faults.

    Raises a StoreError if a backup is damaged.
    """
    path = Path(place)
    if not side_files(path):
        verify(path, MIGRATIONS)  # the checksum of a backup
    with (
        Collection(connect(place, False, MIGRATIONS, read_only=True)) as collection,
        collection.database.read() as session,
    ):
        faults = collection.database.faults(session, MIGRATIONS)
        rows = {table: session.rows(f"SELECT count(*) FROM {table}")[0][0] for table in MIGRATIONS.tables}
        faults += _references(session) + _answers(collection, session)
    return Contents.from_rows(rows), faults


def _references(session: Session) -> list[str]:
    """Describe rows that refer to rows that do not exist."""
    out = []
    for table, column, other, key in _REFERENCES:
        missing = (
            f"FROM {table} WHERE {column} IS NOT NULL AND NOT EXISTS"
            f" (SELECT 1 FROM {other} o WHERE o.{key} = {table}.{column})"
        )
        count = session.rows(f"SELECT count(*) {missing}")[0][0]
        if count:
            out.append(f"{count:,} × {table} of {other} that do not exist")
    done = "FROM tasks WHERE state = 'done' AND judgement IS NULL"
    if count := session.rows(f"SELECT count(*) {done}")[0][0]:
        out.append(f"{count:,} × tasks that are done, without an answer")
    return out


def _answers(collection: Collection, session: Session) -> list[str]:
    """Describe answers that cannot be answers to their items, and items without their articles."""
    out = []
    known = {id for (id,) in session.rows("SELECT id FROM articles")}
    sql = (
        f"SELECT j.number, j.answer, {ITEM_COLUMNS} FROM judgements j JOIN tasks t ON t.number = j.task"
        " JOIN items i ON i.number = t.item WHERE j.answer IS NOT NULL ORDER BY j.number"
    )
    for number, answer, *row in session.each(sql):
        try:
            item = item_from_row(row)
            check_answer(item.shape, collection.relation, item.articles, answer)
        except (StoreError, ValueError):  # an InputError is a ValueError, and so is a damaged item
            out.append(f"the answer number {number} is damaged")
    for number, articles in session.each("SELECT number, articles FROM items ORDER BY number"):
        if absent := [id for id in _ids(articles) if id not in known]:
            out.append(f"the item number {number} lacks its article {absent[0]!r}")
    return out[:MAX_EXAMPLES] + ([f"and {len(out) - MAX_EXAMPLES:,} more"] if len(out) > MAX_EXAMPLES else [])


def _ids(articles: str) -> list[str]:
    try:
        return [str(id) for id in json.loads(articles)]
    except (TypeError, ValueError):
        return ["?"]
