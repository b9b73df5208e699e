"""Keys to candidate pairs.

Keys go to the part of their hash, packed, and there whoever shares one meets. A key that too many have is counted and
passed over. Pairs go to the part of their earlier article, where they are added up: each is there once.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from samestory import _core
from samestory.model import Signatures
from samestory.spark.blobs import deal, indexed, side_by_side
from samestory.spark.census import Census
from samestory.spark.layout import Layout
from samestory.spark.recipe import Recipe
from samestory.spark.signing import Home

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from pyspark import RDD
    from pyspark.core.broadcast import Broadcast

    Numbers = NDArray[np.int64]

#: Of the keys that two articles must share, the part that is still to be found among those that are not set aside. The
#: less, the fewer pairs are noted; the more, the fewer of those are compared in vain.
FOUND = 4


@dataclass
class Met:
    """Who met in a part."""

    left: Numbers
    right: Numbers
    counts: NDArray[np.uint32]
    fewer: NDArray[np.uint32]
    skipped: NDArray[np.uint64]
    unsigned: int


def needed(recipe: Recipe, keys: NDArray[np.int64]) -> NDArray[np.int64]:
    """How many keys an article with so many must be found to share, those that it sets aside not counted."""
    quorum = recipe.detector.quorum(keys)
    return -(-quorum // FOUND)


def meet(
    homes: RDD[Home], layout: Broadcast[Layout], census: Broadcast[Census], recipe: Broadcast[Recipe], parts: int
) -> RDD[Met]:
    """Who meets, part by part."""
    import numpy as np

    def keys(home: int, value: Home) -> Iterator[Any]:
        numbers = value.numbers(layout.value, home)
        order = np.argsort(numbers)
        here = order[~census.value.is_gone(numbers[order])]
        signatures = Signatures(value.articles["signature"].combine_chunks().take(here))
        found = recipe.value.detector.keys(signatures)
        lengths = found.lengths()
        unsigned = int((lengths == 0).sum())
        first = np.flatnonzero((lengths > 0) & ~census.value.is_copy(numbers[here]))
        kept = found.array.take(first)
        values, offsets = kept.flatten().to_numpy(zero_copy_only=False), kept.offsets.to_numpy()
        counts = lengths[first]
        aside = recipe.value.detector.quorum(counts) - needed(recipe.value, counts)
        packed = _core.pack_keys(
            numbers[here][first],
            (np.ascontiguousarray(values, np.int64), offsets - offsets[0]),
            np.maximum(aside, 0).astype(np.uint32),
            parts,
        )
        for to, parcel in enumerate(packed):
            yield to, (home, parcel, 0 if to else unsigned)

    ceiling = recipe.value.detector.ceiling

    def met(part: int, dealt: list[Any]) -> Iterator[Met]:
        found = _core.meet_keys([parcel for _, parcel, _ in dealt], part, parts, ceiling)
        kinds: Any = (np.int64, np.int64, np.uint32, np.uint32, np.uint64)
        columns = [np.frombuffer(column, kind) for column, kind in zip(found, kinds, strict=True)]
        left, right, counts, fewer, skipped = columns
        yield Met(left, right, counts, fewer, skipped, sum(each[2] for each in dealt))

    return indexed(deal(indexed(homes, keys), parts), met)


@dataclass
class Candidates:
    """The pairs of a part that may share keys enough, and whoever is to be known of: originals, and their copies."""

    left: Numbers
    right: Numbers
    originals: Numbers
    copies: Numbers


def candidates(
    met: RDD[Met], census: Broadcast[Census], recipe: Broadcast[Recipe], parts: int, also: Broadcast[Numbers]
) -> RDD[Candidates]:
    """The distinct pairs; a lot of several is a pair with itself, and so is an article that somebody decided about."""
    import numpy as np

    def dealt(part: int, value: Met) -> Iterator[Any]:
        parcels = _core.deal_pairs((value.left, value.right), value.counts, value.fewer, parts)
        for to, parcel in enumerate(parcels):
            yield to, (part, parcel)

    def added(part: int, dealt: list[Any]) -> Iterator[tuple[Numbers, Numbers]]:
        columns = _core.add_pairs([parcel for _, parcel in dealt])
        left, right = (np.frombuffer(column, np.int64) for column in columns[:2])
        counts, fewer = (np.frombuffer(column, np.uint32).astype(np.int64) for column in columns[2:])
        enough = counts >= needed(recipe.value, fewer)
        own = np.unique(np.concatenate([census.value.lots(), census.value.originals_of(also.value)]))
        own = own[np.frombuffer(_core.parts_of(own, parts), np.uint32) == part]
        yield np.concatenate([left[enough], own]), np.concatenate([right[enough], own])

    def gathered(_: int, dealt: list[Any]) -> Iterator[Candidates]:
        none = np.zeros(0, np.int64)
        left, right = (np.concatenate([none, *(each[at] for each in dealt)]) for at in (1, 2))
        originals = np.unique(np.concatenate([left, right]))
        yield Candidates(left, right, originals, census.value.copies_of(originals))

    summed = indexed(deal(indexed(met, dealt), parts), added)
    return indexed(deal(_to_hubs(summed, parts), parts), gathered)


def _to_hubs(pairs: RDD[Any], parts: int) -> RDD[Any]:
    """Every pair goes to the part of the earliest article that its own earlier one is paired with.

    Copies and versions of a story are all paired with each other: so they come to one part, each signature once.
    """
    import numpy as np

    def told(part: int, value: tuple[Numbers, Numbers]) -> Iterator[Any]:
        left, right = value
        order = np.lexsort((left, right))
        first = np.r_[True, right[order][1:] != right[order][:-1]] if len(right) else np.zeros(0, np.bool_)
        right, left = right[order][first], left[order][first]
        yield from _dealt(part, right, (right, left), parts)

    def moved(part: int, both: tuple[list[Any], tuple[Numbers, Numbers]]) -> Iterator[Any]:
        heard, (left, right) = both
        article, other = (np.concatenate([np.zeros(0, np.int64), *(each[at] for each in heard)]) for at in (1, 2))
        order = np.lexsort((other, article))
        article, other = article[order], other[order]
        at = np.minimum(np.searchsorted(article, left), max(len(article) - 1, 0))
        hub = np.where(article[at] == left, np.minimum(other[at], left), left) if len(article) else left
        yield from _dealt(part, hub, (left, right), parts)

    heard = deal(indexed(pairs, told), parts)
    return indexed(side_by_side(heard, pairs), moved)


def _dealt(origin: int, by: Numbers, columns: tuple[Numbers, ...], parts: int) -> Iterator[Any]:
    """Columns dealt by the part of an article of each row."""
    import numpy as np

    part = np.frombuffer(_core.parts_of(by, parts), np.uint32)
    for to in range(parts):
        if (part == to).any():
            yield to, (origin, *(column[part == to] for column in columns))
