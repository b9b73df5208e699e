"""Test collections of the demo news, in every shape, assigned to assessors."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from samestory import Article, read
from samestory.lab.collection import AssessorSession, Collection, Shape, assign, exercise, hire
from samestory.lab.collection.collection import NewItem, add_items
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
    """A collection, and the tokens of its assessors."""

    collection: Collection
    tokens: dict[str, str]

    def at(self, name: str, place: object = "") -> str:
        """Return an address of an assessor."""
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
    """Create a collection whose items are assigned in one group."""
    news = list(read(DEMO / "news.jsonl")) if articles is None else articles
    collection = Collection.new(path, relation, protocol, news)
    query = "harbour" if collection.shape is Shape.LIST else None
    with collection.database.write() as session:
        add_items(session, collection.shape, [NewItem(tuple(each), 0.123456, query) for each in items])
    if exercises:
        exercise(collection, exercises)
    tokens = hire(collection, names)
    assign(collection, groups=1, judges=min(judges, len(names)), controls=controls)
    return Made(collection, tokens)


def session_of(work: Made, name: str) -> AssessorSession:
    """Open the session of an assessor."""
    found = AssessorSession.from_token(work.collection, work.tokens[name])
    assert found
    return found


def count_judgements(work: Made) -> int:
    """Count the stored answers."""
    with work.collection.database.read() as session:
        return int((session.one("SELECT count(*) FROM judgements") or (0,))[0])
