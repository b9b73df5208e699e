"""Collections for tests: the demo's news, in every shape, given out to assessors."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from samestory import Article, read
from samestory.collection import Collection, Desk, Shape, assign, exercise, hire
from samestory.collection.collection import Wanted, put
from tests.conftest import DEMO

HOSTILE = "<script>alert(1)</script><img src=x onerror=alert(1)>{{7*7}}'\"</textarea></title>"
PAIRS = (
    ("en-harbour-1", "en-harbour-4"),
    ("en-fire-1", "en-fire-2"),
    ("en-rail-1", "en-rail-2"),
    ("en-market-1", "en-market-2"),
    ("en-harbour-2", "en-harbour-6"),
    ("en-harbour-3", "en-rail-1"),
)


class Made(NamedTuple):
    """A collection, and the tokens of those who judge it."""

    collection: Collection
    tokens: dict[str, str]

    def at(self, name: str, place: object = "") -> str:
        """An address of somebody's work."""
        return f"/w/{self.tokens[name]}/{place}"


def made(
    path: Path,
    relation: str = "near",
    protocol: str = "pool",
    items: Iterable[Sequence[str]] = PAIRS,
    names: Sequence[str] = ("ann", "ben"),
    articles: Iterable[Article] | None = None,
    controls: float = 0,
    judges: int = 2,
    exercises: dict[tuple[str, ...], str] | None = None,
) -> Made:
    """A collection whose items are given out, in one group."""
    news = list(read(DEMO / "news.jsonl")) if articles is None else articles
    collection = Collection.new(path, relation, protocol, news)
    query = "harbour" if collection.shape is Shape.LIST else None
    with collection.database.write() as session:
        put(session, collection.shape, [Wanted(tuple(each), 0.123456, query) for each in items])
    if exercises:
        exercise(collection, exercises)
    tokens = hire(collection, names)
    assign(collection, groups=1, judges=min(judges, len(names)), controls=controls)
    return Made(collection, tokens)


def desk(work: Made, name: str) -> Desk:
    """Somebody's desk."""
    found = Desk.of(work.collection, work.tokens[name])
    assert found
    return found


def told(work: Made) -> int:
    """How many answers are kept."""
    with work.collection.database.read() as session:
        return int((session.one("SELECT count(*) FROM judgements") or (0,))[0])
