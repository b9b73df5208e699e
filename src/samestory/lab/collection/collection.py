"""A test collection in one SQLite file: articles, items to judge, assessors and their judgements.

    with Collection.new("gold.db", "contains", "pool", articles) as collection:
        pool(collection, ["codet", "minhash"])
        links = hire(collection, ["s1", "s2", "s3"])
        assign(collection)

Every acknowledged write is on disk, in the file itself: a copy of the file has every answer that was acknowledged
before it began. Several processes may use one file at once.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any, Self

from samestory.database import Database, Migrations, Session, connect
from samestory.errors import InputError, ParameterError
from samestory.lab.collection.answers import Shape
from samestory.lab.evaluation.relations import BIAS, MEANINGS, Meaning, bias, meaning
from samestory.model import Article

#: Shape of the items of each protocol.
SHAPES = {
    "pool": Shape.PAIR,
    "headlines": Shape.PAIR,
    "difference": Shape.CLUSTER,
    "queries": Shape.LIST,
    "events": Shape.PAIR,
    "unknown": Shape.PAIR,
}

MIGRATIONS = Migrations(files("samestory.lab.collection").joinpath("migrations"), "samestory collection", "collection")

_ROLES = ("id", "text", "title", "published", "url", "source", "lang")


@dataclass(frozen=True, slots=True)
class JudgingItem:
    """An item to judge."""

    number: int
    shape: Shape
    role: str
    """work, control or exercise."""
    articles: tuple[str, ...]
    part: int | None = None
    """Number of its group of work."""
    query: str | None = None
    week: int | None = None
    team: str | None = None
    known: str | None = None
    """The correct answer of a control or an exercise."""
    why: str | None = None
    """Why this answer is correct."""


ITEM_COLUMNS = "i.number, i.shape, i.role, i.articles, i.part, i.query, i.week, i.team, i.known, i.why"


def item_from_row(row: Sequence[Any]) -> JudgingItem:
    """Return the item of a row with the columns `ITEM_COLUMNS`."""
    number, shape, role, articles, *rest = row
    return JudgingItem(number, Shape(shape), role, tuple(json.loads(articles)), *rest)


class Collection:
    """An open collection. Protocols and steps of the work are functions in the other modules of this package."""

    def __init__(self, database: Database) -> None:
        self.database = database
        with database.read() as session:
            meta: dict[str, str] = dict(session.rows("SELECT name, value FROM meta"))
        self.relation, self.protocol, self.seed = meta["relation"], meta["protocol"], int(meta["seed"])

    @classmethod
    def new(
        cls,
        path: str | Path,
        relation: str,
        protocol: str = "pool",
        articles: Iterable[Article] = (),
        seed: int = 0,
        categories: Mapping[str, str] | None = None,
    ) -> Self:
        """Create a collection; raise an InputError if the file exists."""
        meaning(relation)
        bias(protocol)
        if protocol in ("difference", "queries", "events") and not MEANINGS[relation].symmetric:
            raise ParameterError(
                f"{relation} has a direction, which the protocol {protocol!r} does not support", "use the pool protocol"
            )
        if Path(path).exists():
            raise InputError(f"{path} already exists", hint="choose another name, or add to it")
        database = connect(path, True, MIGRATIONS, checkpoint_commits=True)
        with database.write() as session:
            meta = {"relation": relation, "protocol": protocol, "seed": str(seed)}
            session.insert("meta", ("name", "value"), list(meta.items()))
        out = cls(database)
        out.add_articles(articles, categories)
        return out

    @classmethod
    def open(cls, path: str | Path) -> Self:
        """Open an existing collection."""
        return cls(connect(path, False, MIGRATIONS, checkpoint_commits=True))

    def close(self) -> None:
        """Close the file."""
        self.database.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *how: object) -> None:
        self.close()

    @property
    def meaning(self) -> Meaning:
        """The definition of the judged relation."""
        return MEANINGS[self.relation]

    @property
    def shape(self) -> Shape:
        """The shape of its items."""
        return SHAPES[self.protocol]

    @property
    def bias(self) -> str:
        """The known bias of its protocol."""
        return BIAS[self.protocol]

    def add_articles(self, articles: Iterable[Article], categories: Mapping[str, str] | None = None) -> int:
        """Add articles; existing ids stay unchanged. Returns the number of new articles."""
        categories = categories or {}
        given = {each.id: each for each in articles}
        with self.database.write() as session:
            existing = {id for (id,) in session.rows_among("SELECT id FROM articles WHERE id IN ({})", sorted(given))}
            new = [each for id, each in given.items() if id not in existing]
            session.insert(
                "articles",
                (*_ROLES, "category"),
                [(*(getattr(each, role) for role in _ROLES), categories.get(each.id)) for each in new],
            )
        return len(new)

    def articles(self, ids: Iterable[str] | None = None) -> dict[str, Article]:
        """Return the articles with these ids, or all in insertion order except the copies planted in controls."""
        columns = f"SELECT {', '.join(_ROLES)} FROM articles"
        with self.database.read() as session:
            if ids is None:
                rows = session.rows(f"{columns} WHERE planted = 0 ORDER BY number")
            else:
                rows = session.rows_among(f"{columns} WHERE id IN ({{}})", sorted(set(ids)))
        return {row[0]: Article(*row) for row in rows}

    def categories(self) -> dict[str, str | None]:
        """Return the category of every article."""
        with self.database.read() as session:
            return dict(session.rows("SELECT id, category FROM articles WHERE planted = 0 ORDER BY number"))

    def items(self, where: str = "1 = 1", values: Sequence[Any] = ()) -> list[JudgingItem]:
        """Return the items that match an SQL condition, in insertion order."""
        with self.database.read() as session:
            sql = f"SELECT {ITEM_COLUMNS} FROM items i WHERE {where} ORDER BY i.number"
            return [item_from_row(row) for row in session.rows(sql, tuple(values))]

    def setting(self, name: str) -> str | None:
        """Return a setting of the collection; None if it is not set."""
        with self.database.read() as session:
            found = session.one("SELECT value FROM meta WHERE name = ?", (name,))
        return None if found is None else str(found[0])

    def set_setting(self, name: str, value: str) -> None:
        """Store a setting of the collection."""
        with self.database.write() as session:
            session.run("DELETE FROM meta WHERE name = ?", (name,))
            session.insert("meta", ("name", "value"), [(name, value)])


@dataclass(frozen=True, slots=True)
class NewItem:
    """An item to add, with the score of its nomination."""

    articles: tuple[str, ...]
    score: float | None = None
    query: str | None = None
    week: int | None = None
    known: str | None = None
    team: str | None = None
    why: str | None = None


def add_items(
    session: Session, shape: Shape, wanted: Iterable[NewItem], run: int | None = None, role: str = "work"
) -> tuple[int, int]:
    """Add items and their nominations by a run. Returns the number of new items, and of distinct items in `wanted`.

    Items are unique by `item_key`; the ids of a pair are sorted, so that both orders are the same item.
    """
    given: dict[str, NewItem] = {}
    for each in wanted:
        given.setdefault(item_key(shape, role, each), each)
    known: dict[str, int] = dict(session.rows_among("SELECT key, number FROM items WHERE key IN ({})", sorted(given)))
    fresh = [(key, each) for key, each in given.items() if key not in known]
    session.insert(
        "items",
        ("shape", "role", "key", "articles", "query", "week", "known", "team", "why"),
        [
            (str(shape), role, key, _written(shape, each), each.query, each.week, each.known, each.team, each.why)
            for key, each in fresh
        ],
    )
    if run is not None:
        known |= dict(
            session.rows_among("SELECT key, number FROM items WHERE key IN ({})", sorted(key for key, _ in fresh))
        )
        there = {item for (item,) in session.rows("SELECT item FROM nominations WHERE run = ?", (run,))}
        rows = [(known[key], run, each.score) for key, each in given.items() if known[key] not in there]
        session.insert("nominations", ("item", "run", "score"), rows)
    return len(fresh), len(given)


def _written(shape: Shape, wanted: NewItem) -> str:
    return json.dumps(_ordered(shape, wanted), ensure_ascii=False)


def _ordered(shape: Shape, wanted: NewItem) -> list[str]:
    return sorted(wanted.articles) if shape is Shape.PAIR else list(wanted.articles)


def item_key(shape: Shape, role: str, wanted: NewItem) -> str:
    """Return the unique key of an item: its role, shape and articles, for a list also the query."""
    # with the role, since a control may show the same articles as an item of work
    named = wanted.query if shape is Shape.LIST else None
    return json.dumps([role, str(shape), named, _ordered(shape, wanted)], ensure_ascii=False)


def record_run(session: Session, name: str, asked: str, found: int, test_set: int | None = None) -> int:
    """Record a nomination run, in a test set if one is given; returns its number."""
    session.insert("runs", ("name", "asked", "found", "at", "test_set"), [(name, asked, found, now_micros(), test_set)])
    return int((session.one("SELECT max(number) FROM runs") or (0,))[0])


def check_article_ids(collection: Collection, ids: Iterable[str]) -> None:
    """Raise a ParameterError if the collection has no article with one of these ids."""
    wanted = set(ids)
    if absent := wanted - collection.articles(wanted).keys():
        raise ParameterError(f"no article of the collection has the id {min(absent)!r}")


def now_micros() -> int:
    """Return the current time in microseconds since 1970."""
    return time.time_ns() // 1000
