"""Pairs that come from elsewhere than a pool, as the sample of an audit: articles and pairs, to be judged."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from samestory.collection.answers import Shape
from samestory.collection.collection import Collection, Wanted, check_known, note_run, put
from samestory.errors import ParameterError
from samestory.model import Article


def check_pairs(collection: Collection) -> None:
    """Raises a ParameterError where pairs cannot be judged in this collection."""
    # gold made of labels is of groups, and pairs beside them could not be evaluated
    if collection.shape is not Shape.PAIR or collection.protocol == "events":
        raise ParameterError(f"pairs are not judged in a collection made by the protocol {collection.protocol!r}")


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
    collection.take(articles)
    check_known(collection, (id for left, right, _ in pairs for id in (left, right)))
    with collection.database.write() as session:
        run = note_run(session, name, name, len(pairs))
        new, _ = put(session, Shape.PAIR, [Wanted((left, right), score) for left, right, score in pairs], run)
    return new
