"""Keys to candidate pairs.

Keys that others may have too go to the part of their hash, packed, and there whoever shares one meets. A key that too
many have is counted and passed over. Pairs go to the part of their earlier article, where they are added up: each is
there once. Those that may share enough go to the home of an article of their story.
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
from samestory.spark.sharing import Shared
from samestory.spark.signing import Home

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from pyspark import RDD
    from pyspark.core.broadcast import Broadcast

    Numbers = NDArray[np.int64]

#: Of the keys that two articles must share, the part that is still to be found among those that are not set aside. The
#: less, the fewer pairs are noted; the more, the fewer of those are compared in vain. With 200,000 planted articles a
#: half moves 1,980 bytes an article, a quarter 3,040.
FOUND = 2


@dataclass
class Met:
    """Who met in a part: pairs with the keys they share there, packed for the parts of their earlier articles."""

    parcels: list[bytes]
    skipped: NDArray[np.uint64]
    unsigned: int


def needed(recipe: Recipe, keys: NDArray[np.int64]) -> NDArray[np.int64]:
    """How many keys an article with so many must be found to share, those that it sets aside not counted."""
    quorum = recipe.detector.quorum(keys)
    return -(-quorum // FOUND)


def meet(
    homes: RDD[Home],
    known: RDD[Shared],
    layout: Broadcast[Layout],
    census: Broadcast[Census],
    recipe: Broadcast[Recipe],
    parts: int,
) -> RDD[Met]:
    """Who meets, part by part."""
    import numpy as np

    def keys(home: int, both: tuple[Home, Shared]) -> Iterator[Any]:
        value, known = both
        numbers = value.numbers(layout.value, home)
        found = recipe.value.detector.keys(Signatures(value.articles["signature"].combine_chunks()))
        lengths, present = found.lengths(), ~census.value.is_gone(numbers)
        unsigned = int((present & (lengths == 0)).sum())
        order = np.argsort(numbers)
        rows = order[(present & (lengths > 0) & ~census.value.is_copy(numbers))[order]]
        kept, may_meet = (every.take(rows) for every in (found.array, known.of_keys(found)))
        values, offsets = kept.flatten().to_numpy(zero_copy_only=False), kept.offsets.to_numpy()
        counts = lengths[rows]
        aside = recipe.value.detector.quorum(counts) - needed(recipe.value, counts)
        packed = _core.pack_keys(
            numbers[rows],
            (np.ascontiguousarray(values, np.int64), offsets - offsets[0]),
            np.maximum(aside, 0).astype(np.uint32),
            may_meet.flatten().to_numpy(zero_copy_only=False),
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
        parcels = _core.deal_pairs((left, right), counts, fewer, parts)
        yield Met(parcels, skipped, sum(each[2] for each in dealt))

    return indexed(deal(indexed(side_by_side(homes, known), keys), parts), met)


@dataclass
class Candidates:
    """The pairs of a home that may share keys enough, and whoever is to be known of: originals, and their copies."""

    left: Numbers
    right: Numbers
    originals: Numbers
    copies: Numbers


def candidates(
    met: RDD[Met],
    layout: Broadcast[Layout],
    census: Broadcast[Census],
    recipe: Broadcast[Recipe],
    parts: int,
    homes: int,
    also: Broadcast[Numbers],
) -> RDD[Candidates]:
    """The distinct pairs, each at a home; a lot is a pair with itself, and so is whoever was decided about."""
    import numpy as np

    def dealt(part: int, value: Met) -> Iterator[Any]:
        for to, parcel in enumerate(value.parcels):
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
    return indexed(deal(_to_hubs(summed, layout, parts), homes), gathered)


def _to_hubs(pairs: RDD[Any], layout: Broadcast[Layout], parts: int) -> RDD[Any]:
    """Every pair goes to the home of its hub: of its first article and all that this is paired with, one drawn by lot.

    Copies and versions of a story are all paired with each other and draw the same one. So they come to one home, each
    signature once, and that of the hub is there already. By lot: the earliest would crowd the first homes.
    """
    import numpy as np

    def told(part: int, value: tuple[Numbers, Numbers]) -> Iterator[Any]:
        article, other = (np.concatenate(some) for some in (value, value[::-1]))
        order = np.lexsort((_lot(other), article))
        first = np.r_[True, article[order][1:] != article[order][:-1]] if len(article) else np.zeros(0, np.bool_)
        article, other = article[order][first], other[order][first]
        yield from _dealt(part, article, (article, other), parts)

    def moved(part: int, both: tuple[list[Any], tuple[Numbers, Numbers]]) -> Iterator[Any]:
        heard, (left, right) = both
        article, other = (np.concatenate([np.zeros(0, np.int64), *(each[at] for each in heard)]) for at in (1, 2))
        order = np.lexsort((_lot(other), article))
        article, other = article[order], other[order]
        # everybody here has heard of somebody: of those it is paired with
        drawn = other[np.searchsorted(article, left)]
        home = layout.value.homes_of(np.where(_lot(drawn) < _lot(left), drawn, left))
        for to in np.unique(home).tolist():
            yield to, (part, left[home == to], right[home == to])

    heard = deal(indexed(pairs, told), parts)
    return indexed(side_by_side(heard, pairs), moved)


def _lot(articles: Numbers) -> NDArray[np.uint32]:
    """What each article draws, always the same."""
    import numpy as np

    return np.frombuffer(_core.parts_of(articles, 1 << 32), np.uint32)


def _dealt(origin: int, by: Numbers, columns: tuple[Numbers, ...], parts: int) -> Iterator[Any]:
    """Columns dealt by the part of an article of each row."""
    import numpy as np

    part = np.frombuffer(_core.parts_of(by, parts), np.uint32)
    for to in range(parts):
        if (part == to).any():
            yield to, (origin, *(column[part == to] for column in columns))
