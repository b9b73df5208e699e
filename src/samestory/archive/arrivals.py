"""Articles that come: what is one, in which batches they are kept, and what became of them."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any

from samestory.archive import stored
from samestory.errors import InputError
from samestory.model import Article, Relation
from samestory.readers.objects import article as taken
from samestory.readers.objects import rows as each_of
from samestory.stream import Change

#: So many articles are one transaction, where more are given at once.
BATCH = 1000

AnyArticle = Article | Mapping[str, Any] | str


@dataclass(slots=True)
class Added:
    """What became of articles that were added."""

    new: list[str] = field(default_factory=list)
    revised: list[str] = field(default_factory=list)
    """Came before, with another text or title: that is a revision now."""
    same: list[str] = field(default_factory=list)
    """Came before, as they are."""
    rejected: list[tuple[int, str]] = field(default_factory=list)
    """Which of those given, counted from 1, cannot be taken, and why."""
    with_boilerplate: list[str] = field(default_factory=list)
    """New and revised ones with boilerplate that comparisons leave out."""
    relations: list[Relation] = field(default_factory=list)
    changes: list[Change] = field(default_factory=list)

    def extend(self, part: Added) -> None:
        """Takes in what became of those that followed."""
        for each in fields(self):
            getattr(self, each.name).extend(getattr(part, each.name))


@dataclass(frozen=True, slots=True)
class Batch:
    """Articles that are kept in one transaction, each id once; and which of those given are none, and why."""

    articles: list[Article]
    bad: list[tuple[int, str]]


def batches(articles: Iterable[AnyArticle] | Any) -> Iterator[Batch]:
    """Articles by the batch. An id that a batch has begins the next one; `...` ends one: nothing comes for a while."""
    batch: dict[str, Article] = {}
    bad: list[tuple[int, str]] = []
    number = 0

    def whole() -> Iterator[Batch]:
        if batch or bad:
            yield Batch(list(batch.values()), list(bad))
            batch.clear()
            bad.clear()

    for item in each_of(articles):
        if item is ... or len(batch) + len(bad) >= BATCH:
            yield from whole()
        if item is ...:
            continue
        number += 1
        try:
            article = acceptable(item, number)
        except InputError as error:
            bad.append((number, str(error)))
            continue
        if article.id in batch:
            yield from whole()
        batch[article.id] = article
    yield from whole()


def acceptable(item: AnyArticle | Any, number: int) -> Article:
    """The article that a value is; an InputError says why it is none.

    Without an id or an address it is named by its text. Whoever knew before that there is none gives such an error in
    its place.
    """
    if isinstance(item, InputError):
        raise item
    mark = "\N{NUMERO SIGN} "
    article = stored.clean(taken(item, number, mark))
    if not article.text.strip():
        raise InputError(f"article {number}: no words in its text")
    if article.id == f"{mark}{number}":
        digest = hashlib.blake2b(f"{article.title}\n{article.text}".encode(), digest_size=10).hexdigest()
        return replace(article, id=f"text-{digest}")
    return article
