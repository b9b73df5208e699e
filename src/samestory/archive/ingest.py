"""Ingest: converts input values to articles, splits them into batches, and reports the outcome."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any

from samestory.archive import checksums, settings, stored
from samestory.archive.stored import StoredArticle
from samestory.database import Session
from samestory.errors import InputError
from samestory.model import Article, Relation, metadata_json
from samestory.readers.objects import article as parse_article
from samestory.readers.objects import article_place
from samestory.readers.objects import rows as iterate
from samestory.stream import Change

#: The most articles in one transaction.
BATCH_SIZE = 1000
#: The number of rejected records that are kept.
MAX_REJECTS = 10_000

AnyArticle = Article | Mapping[str, Any] | str


@dataclass(slots=True)
class AddResult:
    """The outcome of `Archive.add`: article ids by what happened to them."""

    new: list[str] = field(default_factory=list)
    revised: list[str] = field(default_factory=list)
    """Articles whose id was stored with another text or title; the old version became a revision."""
    updated: list[str] = field(default_factory=list)
    """Articles that were stored already with other metadata, which is replaced."""
    same: list[str] = field(default_factory=list)
    """Articles that were stored already, unchanged."""
    rejected: list[tuple[int, str]] = field(default_factory=list)
    """Rejected records: the position in the input, counted from 1, and the reason."""
    with_boilerplate: list[str] = field(default_factory=list)
    """New and revised articles with boilerplate that is excluded from comparison."""
    relations: list[Relation] = field(default_factory=list)
    weaker_relations: int = 0
    """The number of relations that were found, but are weaker than the strongest fifty of their article."""
    changes: list[Change] = field(default_factory=list)

    def extend(self, part: AddResult) -> None:
        """Append the result of the next batch."""
        for each in fields(self):
            if isinstance(value := getattr(part, each.name), list):
                getattr(self, each.name).extend(value)
        self.weaker_relations += part.weaker_relations

    def classify(self, articles: Sequence[Article], known: Mapping[str, StoredArticle]) -> list[int]:
        """Note what happens to each article, given the stored ones; return the rows of new and revised articles."""
        rows = []
        for row, article in enumerate(articles):
            if (before := known.get(article.id)) is None:
                self.new.append(article.id)
            elif (before.article.text, before.article.title) != (article.text, article.title):
                self.revised.append(article.id)
            else:
                # a record without metadata is no reason to forget it
                changed = article.metadata and metadata_json(article.metadata) != metadata_json(before.article.metadata)
                (self.updated if changed else self.same).append(article.id)
                continue
            rows.append(row)
        return rows


@dataclass(frozen=True, slots=True)
class ArticleBatch:
    """The articles of one transaction, with distinct ids, and the rejected records between them."""

    articles: list[Article]
    rejected: list[tuple[int, str]]


def batches(articles: Iterable[AnyArticle] | Any) -> Iterator[ArticleBatch]:
    """Split articles into batches. A repeated id starts a new batch; `...`, a pause in the input, ends one."""
    batch: dict[str, Article] = {}
    rejected: list[tuple[int, str]] = []
    number = 0

    def flush() -> Iterator[ArticleBatch]:
        if batch or rejected:
            yield ArticleBatch(list(batch.values()), list(rejected))
            batch.clear()
            rejected.clear()

    for item in iterate(articles):
        if item is ... or len(batch) + len(rejected) >= BATCH_SIZE:
            yield from flush()
        if item is ...:
            continue
        number += 1
        try:
            article = to_article(item, number)
        except InputError as error:
            # the number has a field of its own; another place, such as a field, is part of the reason
            reason = error.without_place if error.place == article_place(number) else str(error)
            rejected.append((number, reason))
            continue
        if article.id in batch:
            yield from flush()
        batch[article.id] = article
    yield from flush()


def to_article(item: AnyArticle | Any, number: int) -> Article:
    """Convert a value to an article; raise an InputError with the reason if it is not one.

    An article without an id or a URL gets a hash of its text as id. An InputError in place of a value is raised as is:
    it stands for a record that could not be read.
    """
    if isinstance(item, InputError):
        raise item
    mark = "\N{NUMERO SIGN} "
    article = stored.storable_article(parse_article(item, number, mark))
    if not article.text.strip():
        raise InputError("no words in its text", place=article_place(number))
    if article.id == f"{mark}{number}":
        digest = hashlib.blake2b(f"{article.title}\n{article.text}".encode(), digest_size=10).hexdigest()
        return replace(article, id=f"text-{digest}")
    return article


def assign_numbers(session: Session, ids: Sequence[str]) -> dict[str, int]:
    """Assign the next numbers, in order of arrival; a revision gets a new number."""
    following = settings.number(session, "next number") or 1
    settings.put(session, "next number", str(following + len(ids)))
    return {id: number for number, id in enumerate(ids, following)}


def store_rejects(session: Session, rejected: Sequence[tuple[int, str]], origin: str | None, now: int) -> None:
    """Store the reasons for rejected records, as many as are kept."""
    if rejected:
        checksums.insert(
            session,
            "rejects",
            ("at", "origin", "why"),
            [(now, origin, f"{article_place(number)}: {why}") for number, why in rejected],
        )
        newest = (session.one("SELECT max(seq) FROM rejects") or (0,))[0]
        session.run("DELETE FROM rejects WHERE seq <= ?", (newest - MAX_REJECTS,))
