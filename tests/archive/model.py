"""Small archives written by plain SQL, and a slow reference model of search."""

from __future__ import annotations

import json
import zlib
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from samestory.archive.dependencies import refresh_all
from samestory.archive.times import day_number
from samestory.archive.words import INFLECTED, index_words, split_terms, unindex
from samestory.database import Database

DAY = 86_400_000_000
ARRIVED = 20_000 * DAY


@dataclass(frozen=True)
class Item:
    """An article of a test."""

    number: int
    text: str
    title: str | None = None
    source: str | None = None
    lang: str | None = "en"
    at: int | None = None
    story: int = 1

    @property
    def id(self) -> str:
        return f"a{self.number}"

    @property
    def time(self) -> int:
        return ARRIVED + self.number if self.at is None else self.at

    @property
    def day(self) -> int:
        return self.time // DAY

    @property
    def likeness(self) -> int:
        return zlib.crc32(self.text.encode())

    @property
    def words(self) -> int:
        return len(self.text.split())


#: Columns whose values are attributes of an item.
OWN = ("id", "source", "lang", "at", "day", "words", "likeness", "story")


def put(database: Database, items: Iterable[Item]) -> None:
    """Write articles as the archive does: with their words, and with their stories in the log."""
    items = list(items)
    with database.write() as session:
        columns = ("number", "came", "arrived", "revision", *OWN)
        rows = [(i.number, i.number, ARRIVED + i.number, 1, *(getattr(i, name) for name in OWN)) for i in items]
        session.insert("articles", columns, rows)
        texts = [(i.number, i.text, i.title, None if i.at is None else str(i.at), f"http://{i.id}") for i in items]
        session.insert("texts", ("number", "text", "title", "published", "url"), texts)
        index_words(session, database.kind, [(i.number, i.title, i.text, i.lang) for i in items])
        log = [(0, "joined", i.story, json.dumps([i.id])) for i in items]
        session.insert("changes", ("at", "what", "story", "articles"), log)
        refresh_all(session)


def delete(database: Database, items: Iterable[Item]) -> None:
    """Delete articles."""
    items = list(items)
    with database.write() as session:
        if database.kind == "sqlite":
            unindex(session, [(i.number, i.title, i.text, i.lang) for i in items])
        for table in ("articles", "texts"):
            session.run_among(f"DELETE FROM {table} WHERE number IN ({{}})", [i.number for i in items])
        log = [(0, "left", i.story, json.dumps([i.id])) for i in items]
        session.insert("changes", ("at", "what", "story", "articles"), log)
        refresh_all(session)


def merge(database: Database, into: int, other: int) -> None:
    """Merge two stories."""
    with database.write() as session:
        session.run("UPDATE articles SET story = ? WHERE story = ?", (into, other))
        session.insert("changes", ("at", "what", "story", "articles", "other"), [(0, "merged", into, "[]", other)])
        refresh_all(session)


def relate(database: Database, rows: Iterable[tuple[int, int, str, float, float]]) -> None:
    """Write relations, each as (left, right, kind, forward, backward)."""
    columns = ("left_number", "right_number", "kind", "forward", "backward", "detector", "score")
    with database.write() as session:
        session.insert("relations", columns, [(*row, "minhash", max(row[3:])) for row in rows])
        refresh_all(session)


@dataclass(frozen=True)
class ModelQuery:
    """A query before it is formatted: groups of phrases as typed, each with or without quotation marks."""

    groups: tuple[tuple[tuple[str, bool], ...], ...] = ()
    excluded: tuple[tuple[str, bool], ...] = ()
    source: str | None = None
    lang: str | None = None
    since: str | None = None

    def written(self) -> str:
        """Format the query."""

        def typed(phrase: tuple[str, bool]) -> str:
            return f'"{phrase[0]}"' if phrase[1] else phrase[0]

        parts = [" OR ".join(map(typed, group)) for group in self.groups]
        parts += ["-" + typed(phrase) for phrase in self.excluded]
        parts += [f'source:"{self.source}"'] if self.source else []
        parts += [f"lang:{self.lang}"] if self.lang else []
        parts += [f"since:{self.since}"] if self.since else []
        return " ".join(parts)


def rows(item: Item) -> list[list[str]]:
    """Return the terms of title and text."""
    return split_terms([item.title or "", item.text])


def is_stemmed(phrase: tuple[str, bool]) -> bool:
    """Whether a phrase also matches by its first five letters."""
    wanted = split_terms([phrase[0]])[0]
    return not phrase[1] and len(wanted) == 1 and len(wanted[0]) >= 5 and not wanted[0].isdigit()


def has(item: Item, phrase: tuple[str, bool], fields: Sequence[list[str]] | None = None) -> bool:
    """Whether the article contains a word or a phrase."""
    wanted = split_terms([phrase[0]])[0]
    for row in fields or rows(item):
        if any(row[at : at + len(wanted)] == wanted for at in range(len(row))):
            return True
        beginnings = {term[:5] for term in row if len(term) >= 5}
        if is_stemmed(phrase) and item.lang in INFLECTED and wanted[0][:5] in beginnings:
            return True
    return False


def matches(item: Item, query: ModelQuery) -> bool:
    """Whether the article matches the query."""
    return (
        all(any(has(item, phrase) for phrase in group) for group in query.groups)
        and not any(has(item, phrase) for phrase in query.excluded)
        and (query.source is None or (item.source or "").casefold() == query.source.casefold())
        and (query.lang is None or item.lang == query.lang)
        and (query.since is None or item.day >= (day_number(query.since) or 0))
    )


def relevance(item: Item, query: ModelQuery) -> int:
    """Return the relevance of the article."""

    def in_title(phrase: tuple[str, bool]) -> bool:
        title = rows(item)[:1]
        wanted = split_terms([phrase[0]])[0]
        return set(wanted) <= set(title[0]) or has(item, phrase, title)

    score = sum(2 * any(map(in_title, group)) for group in query.groups)
    stems = any(is_stemmed(phrase) for group in query.groups for phrase in group)
    exact = all(any(has(item, (typed, True)) for typed, _ in group) for group in query.groups)
    return score + (stems and exact)


def by_story(items: Iterable[Item]) -> dict[int, list[Item]]:
    """Group articles by story."""
    out: dict[int, list[Item]] = defaultdict(list)
    for item in items:
        out[item.story].append(item)
    return out


def ranked(items: Iterable[Item], query: ModelQuery, by_relevance: bool) -> list[int]:
    """Return the stories of the matching articles, in order."""
    keys = {
        story: max((relevance(i, query) if by_relevance else 0, i.time) for i in found)
        for story, found in by_story(i for i in items if matches(i, query)).items()
    }
    return sorted(keys, key=lambda story: (*keys[story], story), reverse=True)
