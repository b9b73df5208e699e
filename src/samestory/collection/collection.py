"""A test collection: articles, what is to be judged about them, who judges, and what they said; one file.

    with Collection.new("gold.db", "contains", "pool", articles) as collection:
        pool(collection, ["codet", "minhash"])
        links = hire(collection, ["s1", "s2", "s3"])
        assign(collection)

Everything that is acknowledged is on disk. Several people and programs may work on one file at once.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any, Self

from samestory.collection.answers import Shape
from samestory.database import Database, Migrations, Session, connect
from samestory.errors import InputError, ParameterError
from samestory.lab.relations import BIAS, MEANINGS, Meaning, bias, meaning
from samestory.model import Article

#: Protocols in which people judge, and the shape of what they see.
SHAPES = {
    "pool": Shape.PAIR,
    "headlines": Shape.PAIR,
    "difference": Shape.CLUSTER,
    "queries": Shape.LIST,
    "events": Shape.PAIR,
    "unknown": Shape.PAIR,
}

TABLES = Migrations(files("samestory.collection").joinpath("migrations"), "samestory collection", "collection")

_ROLES = ("id", "text", "title", "published", "url", "source", "lang")


@dataclass(frozen=True, slots=True)
class Item:
    """Something to be judged."""

    number: int
    shape: Shape
    role: str
    """work, control or exercise."""
    articles: tuple[str, ...]
    part: int | None = None
    """The group of work that it is in."""
    query: str | None = None
    week: int | None = None
    team: str | None = None
    known: str | None = None
    """The right answer, of a control or an exercise."""
    why: str | None = None
    """Why it is right."""


ITEM = "i.number, i.shape, i.role, i.articles, i.part, i.query, i.week, i.team, i.known, i.why"


def item_of(row: Sequence[Any]) -> Item:
    """The item of a row with the columns `ITEM`."""
    number, shape, role, articles, *rest = row
    return Item(number, Shape(shape), role, tuple(json.loads(articles)), *rest)


class Collection:
    """One file. What is done with it stands in the other modules, a protocol or a step of the work each."""

    def __init__(self, database: Database) -> None:
        self.database = database
        with database.read() as session:
            said: dict[str, str] = dict(session.rows("SELECT name, value FROM meta"))
        self.relation, self.protocol, self.seed = said["relation"], said["protocol"], int(said["seed"])

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
        """Makes a collection, where no file is yet."""
        meaning(relation)
        bias(protocol)
        if protocol in ("difference", "queries", "events") and not MEANINGS[relation].symmetric:
            raise ParameterError(
                f"{relation} has a direction, which {protocol!r} cannot ask for", "use the pool protocol"
            )
        if Path(path).exists():
            raise InputError(f"{path}: is there already", hint="another name, or add to it")
        database = connect(path, True, TABLES)
        with database.write() as session:
            said = {"relation": relation, "protocol": protocol, "seed": str(seed)}
            session.insert("meta", ("name", "value"), list(said.items()))
        out = cls(database)
        out.take(articles, categories)
        return out

    @classmethod
    def open(cls, path: str | Path) -> Self:
        """A collection that is there."""
        return cls(connect(path, False, TABLES))

    def close(self) -> None:
        """Lets go of the file."""
        self.database.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *how: object) -> None:
        self.close()

    @property
    def meaning(self) -> Meaning:
        """What is judged."""
        return MEANINGS[self.relation]

    @property
    def shape(self) -> Shape:
        """What an assessor sees."""
        return SHAPES[self.protocol]

    @property
    def bias(self) -> str:
        """What its protocol cannot see."""
        return BIAS[self.protocol]

    def take(self, articles: Iterable[Article], categories: Mapping[str, str] | None = None) -> int:
        """Takes articles in; those whose id is there stay as they are. Gives how many are new."""
        categories = categories or {}
        given = {each.id: each for each in articles}
        with self.database.write() as session:
            there = {id for (id,) in session.rows_among("SELECT id FROM articles WHERE id IN ({})", sorted(given))}
            new = [each for id, each in given.items() if id not in there]
            session.insert(
                "articles",
                (*_ROLES, "category"),
                [(*(getattr(each, role) for role in _ROLES), categories.get(each.id)) for each in new],
            )
        return len(new)

    def articles(self, ids: Iterable[str] | None = None) -> dict[str, Article]:
        """The articles of these ids, or all in the order in which they came, but for copies planted in controls."""
        columns = f"SELECT {', '.join(_ROLES)} FROM articles"
        with self.database.read() as session:
            if ids is None:
                rows = session.rows(f"{columns} WHERE planted = 0 ORDER BY number")
            else:
                rows = session.rows_among(f"{columns} WHERE id IN ({{}})", sorted(set(ids)))
        return {row[0]: Article(*row) for row in rows}

    def categories(self) -> dict[str, str | None]:
        """The category of every article."""
        with self.database.read() as session:
            return dict(session.rows("SELECT id, category FROM articles WHERE planted = 0 ORDER BY number"))

    def items(self, where: str = "1 = 1", values: Sequence[Any] = ()) -> list[Item]:
        """Items, in the order in which they came."""
        with self.database.read() as session:
            sql = f"SELECT {ITEM} FROM items i WHERE {where} ORDER BY i.number"
            return [item_of(row) for row in session.rows(sql, tuple(values))]

    def setting(self, name: str) -> str | None:
        """Something that was settled for all of it."""
        with self.database.read() as session:
            found = session.one("SELECT value FROM meta WHERE name = ?", (name,))
        return None if found is None else str(found[0])

    def settle(self, name: str, value: str) -> None:
        """Settles something for all of it."""
        with self.database.write() as session:
            session.run("DELETE FROM meta WHERE name = ?", (name,))
            session.insert("meta", ("name", "value"), [(name, value)])


@dataclass(frozen=True, slots=True)
class Wanted:
    """An item that is to be there, and with which score somebody nominates it."""

    articles: tuple[str, ...]
    score: float | None = None
    query: str | None = None
    week: int | None = None
    known: str | None = None
    team: str | None = None
    why: str | None = None


def put(
    session: Session, shape: Shape, wanted: Iterable[Wanted], run: int | None = None, role: str = "work"
) -> tuple[int, int]:
    """Writes items, each set of articles once, and who nominated them. Gives how many are new, and how many there are.

    Two articles stand in the order of their ids, so that who nominates them the other way round nominates the same.
    """
    given: dict[str, Wanted] = {}
    for each in wanted:
        given.setdefault(key_of(shape, role, each), each)
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


def _written(shape: Shape, wanted: Wanted) -> str:
    return json.dumps(_ordered(shape, wanted), ensure_ascii=False)


def _ordered(shape: Shape, wanted: Wanted) -> list[str]:
    return sorted(wanted.articles) if shape is Shape.PAIR else list(wanted.articles)


def key_of(shape: Shape, role: str, wanted: Wanted) -> str:
    """What an item is known by: its role and its articles, of a list also the query."""
    # a control may show what is also work, and must not stand for it
    named = wanted.query if shape is Shape.LIST else None
    return json.dumps([role, str(shape), named, _ordered(shape, wanted)], ensure_ascii=False)


def note_run(session: Session, name: str, asked: str, found: int, test_set: int | None = None) -> int:
    """Writes that somebody nominated, in a test set if there are some; gives the number of that run."""
    session.insert("runs", ("name", "asked", "found", "at", "test_set"), [(name, asked, found, now(), test_set)])
    return int((session.one("SELECT max(number) FROM runs") or (0,))[0])


def check_known(collection: Collection, ids: Iterable[str]) -> None:
    """A ParameterError names an id that no article of the collection has."""
    wanted = set(ids)
    if absent := wanted - collection.articles(wanted).keys():
        raise ParameterError(f"no article of the collection has the id {min(absent)!r}")


def now() -> int:
    """Microseconds since 1970."""
    return time.time_ns() // 1000
