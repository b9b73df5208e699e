"""Pairs from outside a pool, such as the sample of an audit."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from samestory.errors import ParameterError
from samestory.lab.collection.answers import Shape
from samestory.lab.collection.collection import Collection, NewItem, add_items, check_article_ids, record_run
from samestory.model import Article


def check_pairs(collection: Collection) -> None:
    """Raise a ParameterError if pairs cannot be judged in this collection."""
    # gold of imported labels consists of groups, and cannot be evaluated together with pairs
    if collection.shape is not Shape.PAIR or collection.protocol == "events":
        raise ParameterError(f"pairs cannot be judged in a collection with the protocol {collection.protocol!r}")


def nominate(
    collection: Collection,
    name: str,
    articles: Iterable[Article],
    pairs: Sequence[tuple[str, str, float | None]],
) -> int:
    """Adds articles, and pairs of them with a score each where there is one; returns how many pairs are new.

    `name` is recorded as what nominated them. Articles whose id is in the collection stay as they are.
    """
    check_pairs(collection)
    collection.add_articles(articles)
    check_article_ids(collection, (id for left, right, _ in pairs for id in (left, right)))
    with collection.database.write() as session:
        run = record_run(session, name, name, len(pairs))
        new, _ = add_items(session, Shape.PAIR, [NewItem((left, right), score) for left, right, score in pairs], run)
    return new
