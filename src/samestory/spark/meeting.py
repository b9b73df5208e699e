"""Keys to candidate pairs.

Keys that others may have too go to the part of their hash, packed, and there whoever shares one comes on a list. A key
that too many have is counted and passed over. Every home gets the lists on which its articles stand behind others, and
counts how many keys each pair shares: those that share enough go to the home of an article of their story.
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


@dataclass
class Met:
    """Who met in a part: lists of articles that share a key, packed for every home; the keys that too many have."""

    lists: list[bytes]
    skipped: NDArray[np.uint64]
    unsigned: int


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
        packed = _core.pack_keys(
            layout.value.places(numbers[rows]),
            (np.ascontiguousarray(values, np.int64), offsets - offsets[0]),
            np.asarray(recipe.value.detector.quorum(lengths[rows]), np.int64),
            may_meet.flatten().to_numpy(zero_copy_only=False),
            parts,
        )
        for to, parcel in enumerate(packed):
            yield to, (home, parcel, 0 if to else unsigned)

    ceiling, count = recipe.value.detector.ceiling, homes.getNumPartitions()

    def met(part: int, dealt: list[Any]) -> Iterator[Met]:
        packed = [parcel for _, parcel, _ in dealt]
        lists, skipped = _core.gather_keys(packed, (part, parts), ceiling, layout.value.ranges(), count)
        yield Met(lists, np.frombuffer(skipped, np.uint64), sum(each[2] for each in dealt))

    return indexed(deal(indexed(side_by_side(homes, known), keys), parts), met)


@dataclass
class Candidates:
    """The pairs of a home that may share keys enough, and whoever is to be known of: originals, and their copies."""

    left: Numbers
    right: Numbers
    originals: Numbers
    copies: Numbers


def enough(
    met: RDD[Met], layout: Broadcast[Layout], census: Broadcast[Census], homes: int, also: Broadcast[Numbers]
) -> RDD[tuple[Numbers, Numbers]]:
    """The pairs that share keys enough, each at the home of its later article; a lot is a pair with itself, and so is
    whoever was decided about."""
    import numpy as np

    def dealt(part: int, value: Met) -> Iterator[Any]:
        for to, parcel in enumerate(value.lists):
            yield to, (part, parcel)

    def tallied(home: int, dealt: list[Any]) -> Iterator[tuple[Numbers, Numbers]]:
        found = _core.tally_lists([parcel for _, parcel in dealt], layout.value.ranges(), home)
        left, right = (layout.value.numbers_at(np.frombuffer(column, np.int64)) for column in found)
        # what old articles have to do with each other nobody asks
        asked = census.value.has_new(left) | census.value.has_new(right)
        left, right = left[asked], right[asked]
        own = np.unique(np.concatenate([census.value.lots(), census.value.originals_of(also.value)]))
        own = own[layout.value.homes_of(own) == home]
        yield np.concatenate([left, own]), np.concatenate([right, own])

    return indexed(deal(indexed(met, dealt), homes), tallied)


def candidates(
    pairs: RDD[tuple[Numbers, Numbers]], layout: Broadcast[Layout], census: Broadcast[Census]
) -> RDD[Candidates]:
    """Every pair at the home of its hub: of its later article and all that this is paired with, one drawn by lot.

    Copies and versions of a story are all paired with each other and draw the same one. So they come to one home, each
    signature once, and that of the hub is there already. By lot: the earliest would crowd the first homes.
    """
    import numpy as np

    def told(home: int, value: tuple[Numbers, Numbers]) -> Iterator[Any]:
        article, other = _drawn(*(np.concatenate(some) for some in (value, value[::-1])))
        at = layout.value.homes_of(article)
        for to in np.unique(at).tolist():
            yield to, (home, article[at == to], other[at == to])

    def moved(home: int, both: tuple[list[Any], tuple[Numbers, Numbers]]) -> Iterator[Any]:
        heard, (left, right) = both
        none = np.zeros(0, np.int64)
        article, other = _drawn(*(np.concatenate([none, *(each[at] for each in heard)]) for at in (1, 2)))
        # everybody here has heard of somebody: of those it is paired with
        drawn = other[np.searchsorted(article, right)]
        at = layout.value.homes_of(np.where(_lot(drawn) < _lot(right), drawn, right))
        for to in np.unique(at).tolist():
            yield to, (home, left[at == to], right[at == to])

    def gathered(_: int, dealt: list[Any]) -> Iterator[Candidates]:
        none = np.zeros(0, np.int64)
        left, right = (np.concatenate([none, *(each[at] for each in dealt)]) for at in (1, 2))
        originals = np.unique(np.concatenate([left, right]))
        yield Candidates(left, right, originals, census.value.copies_of(originals))

    homes = pairs.getNumPartitions()
    heard = deal(indexed(pairs, told), homes)
    return indexed(deal(indexed(side_by_side(heard, pairs), moved), homes), gathered)


def _drawn(articles: Numbers, others: Numbers) -> tuple[Numbers, Numbers]:
    """Every article once, sorted, and of those it is paired with the one that has drawn least."""
    import numpy as np

    order = np.lexsort((_lot(others), articles))
    articles, others = articles[order], others[order]
    first = np.r_[True, articles[1:] != articles[:-1]][: len(articles)]
    return articles[first], others[first]


def _lot(articles: Numbers) -> NDArray[np.uint32]:
    """What each article draws, always the same."""
    import numpy as np

    return np.frombuffer(_core.parts_of(articles, 1 << 32), np.uint32)
