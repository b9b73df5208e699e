"""Related articles to groups: each component is brought together, and grouped there by the rules of one machine."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from samestory import _core
from samestory.detectors import Detector, Native
from samestory.groups import Choice
from samestory.model import KINDS, Kind
from samestory.spark.blobs import deal, indexed, side_by_side
from samestory.spark.census import Census
from samestory.spark.comparing import ABOUT, Compared, about_schema
from samestory.spark.components import components
from samestory.spark.layout import NEW, Layout
from samestory.spark.ranks import places, ranks
from samestory.spark.recipe import Recipe
from samestory.spark.relations import at_best
from samestory.spark.signing import Home

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from pyspark import RDD
    from pyspark.core.broadcast import Broadcast
    from pyspark.sql import SparkSession

    Numbers = NDArray[np.int64]


@dataclass(frozen=True)
class Wish:
    """How groups are made; decisions by the numbers of articles."""

    choice: Choice
    same: list[tuple[int, int]]
    apart: list[tuple[int, int]]


class Formed(NamedTuple):
    """A group of several, or one that was decided: numbers and ids of its members, the best first."""

    representative: int
    rank: bytes
    members: list[int]
    ids: list[str]
    weakest: tuple[Any, ...] | None
    """Ids of left and right, kind, shares and score."""
    nearest: tuple[Any, ...] | None
    """Id, shares, and why; where it is known already."""
    forced: bool


_SHARES_TEXT = KINDS.index(Kind.SHARES_TEXT)


def joining(found: Compared, detector: Detector, join_parts: bool) -> NDArray[np.bool_]:
    """Which pairs may make one group of some of their articles, whatever dates and sources these have."""
    import numpy as np

    kinds = [KINDS.index(k) for k in (Kind.IDENTICAL, Kind.NEAR, Kind.UPDATE, Kind.SAME_EVENT)]
    parts = [KINDS.index(k) for k in (Kind.PART_OF, Kind.HAS_PART)]
    joined: NDArray[np.bool_] = np.isin(at_best(found, detector), [*kinds, *(parts if join_parts else [])])
    return joined


def group(
    spark: SparkSession,
    compared: RDD[Compared],
    asked: RDD[Any],
    homes: RDD[Home],
    layout: Broadcast[Layout],
    census: Broadcast[Census],
    recipe: Broadcast[Recipe],
    wish: Broadcast[Wish],
    parts: int,
) -> RDD[list[Formed]]:
    """The groups of several, component by component."""
    import numpy as np

    choice = wish.value.choice
    count = homes.getNumPartitions()

    def edges(part: int, found: Compared) -> Iterator[Any]:
        held = joining(found, recipe.value.detector, choice.join_parts)
        left, right = found.left[held], found.right[held]
        if not part:
            same = census.value.originals_of(np.array(wish.value.same, np.int64).reshape(-1, 2).ravel()).reshape(-1, 2)
            left, right = np.concatenate([left, same[:, 0]]), np.concatenate([right, same[:, 1]])
        yield left, right

    labelled = components(spark, indexed(compared, edges))

    def to_homes(at: int, value: tuple[Numbers, Numbers]) -> Iterator[Any]:
        node, label = value
        # of every component also the one that names it, and of all of them the copies
        node = np.concatenate([node, np.unique(label)])
        label = np.concatenate([label, np.unique(label)])
        yield from _members(at, node, label, census.value, layout.value, count)

    def lots(part: int, found: Compared) -> Iterator[Any]:
        # copies that nobody else is related to: a component of one original
        own = found.left[found.left == found.right]
        yield from _members(-1 - part, own, own, census.value, layout.value, count)

    placed = indexed(labelled, to_homes).union(indexed(compared, lots))

    def about(home: int, both: tuple[list[Any], Home]) -> Iterator[Any]:
        yield from _about(home, both, layout.value, parts)

    def pairs(part: int, both: tuple[list[Any], Compared]) -> Iterator[Any]:
        yield from _pairs(part, both, recipe.value.detector, choice.join_parts, parts)

    def forward(home: int, both: tuple[list[Any], list[Any]]) -> Iterator[Any]:
        numbers, label = _labels(both[0])
        for part, originals, _ in both[1]:
            here = np.isin(numbers, originals)
            if here.any():
                yield part, (home, numbers[here], label[here])

    at_homes = deal(placed, count)
    known = indexed(side_by_side(at_homes, homes), about)
    at_pairs = deal(indexed(side_by_side(at_homes, asked), forward), count)
    related = indexed(side_by_side(at_pairs, compared), pairs)

    def formed(dealt: list[Any]) -> list[Formed]:
        return _formed(dealt, census.value, recipe.value, wish.value)

    return deal(known.union(related), parts).map(formed)


def _members(at: int, node: Numbers, label: Numbers, census: Census, layout: Layout, homes: int) -> Iterator[Any]:
    """Articles and their components, for their homes; originals with all their copies."""
    import numpy as np

    copies = census.copies_of(np.sort(node))
    order = np.argsort(node)
    theirs = label[order][np.searchsorted(node[order], census.originals_of(copies))] if len(copies) else copies
    numbers, label = np.concatenate([node, copies]), np.concatenate([label, theirs])
    home = layout.homes_of(numbers)
    for to in range(homes):
        if (home == to).any():
            yield to, (at, numbers[home == to], label[home == to])


def _labels(asked: list[Any]) -> tuple[Numbers, Numbers]:
    """Articles and their components, each once.

    A lot may be there for its component and for itself: what hangs together is named by its smallest.
    """
    import numpy as np

    numbers, label = (np.concatenate([np.zeros(0, np.int64), *(each[at] for each in asked)]) for at in (1, 2))
    order = np.lexsort((label, numbers))
    first = np.r_[True, numbers[order][1:] != numbers[order][:-1]] if len(numbers) else np.zeros(0, np.bool_)
    return numbers[order][first], label[order][first]


def _about(home: int, both: tuple[list[Any], Home], layout: Layout, parts: int) -> Iterator[Any]:
    """What a home knows of its articles, for the parts of their components."""
    import numpy as np

    asked, value = both
    if not asked:
        return
    numbers, label = _labels(asked)
    mine = value.numbers(layout, home)
    sorter = np.argsort(mine)
    rows = sorter[np.searchsorted(mine, numbers, sorter=sorter)]
    ids = value.ids(layout, home)
    part = np.frombuffer(_core.parts_of(label, parts), np.uint32)
    for to in range(parts):
        here = np.flatnonzero(part == to)
        if len(here):
            about = value.articles.select(ABOUT[1:]).take(rows[here]).add_column(0, "id", ids.take(rows[here]))
            yield to, ((0, home), numbers[here], about)


def _pairs(
    part: int, both: tuple[list[Any], Compared], detector: Detector, join_parts: bool, parts: int
) -> Iterator[Any]:
    """The pairs that may make groups, for the parts of their components."""
    import numpy as np

    asked, found = both
    node, label = (np.concatenate([np.zeros(0, np.int64), *(each[at] for each in asked)]) for at in (1, 2))
    order = np.argsort(node)
    node, label = node[order], label[order]

    def component(article: Numbers) -> Numbers:
        # an article without links is its own component
        at = np.minimum(np.searchsorted(node, article), max(len(node) - 1, 0))
        return np.where(node[at] == article, label[at], article) if len(node) else article

    joined = joining(found, detector, join_parts)
    # text in common joins no articles, but a star weighs it
    shared = ~joined & (at_best(found, detector) == _SHARES_TEXT)
    shared[shared] = component(found.left[shared]) == component(found.right[shared])
    held = np.flatnonzero(joined | shared)
    theirs = component(found.right[held])
    to_part = np.frombuffer(_core.parts_of(theirs, parts), np.uint32)
    for to in range(parts):
        here = held[to_part == to]
        if len(here):
            columns = (found.left, found.right, found.forward, found.backward, found.kinds, found.whys, found.scores)
            yield to, ((1, part), *(column[here] for column in columns))


def _formed(dealt: list[Any], census: Census, recipe: Recipe, wish: Wish) -> list[Formed]:
    """The groups of the components of a part."""
    import numpy as np
    import pyarrow as pa

    known = [each for each in dealt if each[0][0] == 0]
    if not known:
        return []
    numbers = np.concatenate([each[1] for each in known])
    order = np.argsort(numbers)
    numbers = numbers[order]
    about = pa.concat_tables([each[2] for each in known]).take(order).combine_chunks().cast(about_schema())
    pairs = [each[1:] for each in dealt if each[0][0] == 1]
    kinds: Any = (np.int64, np.int64, np.float64, np.float64, np.uint8, np.uint8, np.float64)
    columns = [np.concatenate([np.zeros(0, kind), *(p[at] for p in pairs)]) for at, kind in enumerate(kinds)]

    def row(some: Any) -> NDArray[np.uint32]:
        rows: NDArray[np.uint32] = np.searchsorted(numbers, some).astype(np.uint32)
        return rows

    left, right, *overlaps = columns
    rank = ranks(about, wish.choice)
    here = {int(number): at for at, number in enumerate(numbers)} if wish.same or wish.apart else {}
    decided = [[(here[a], here[b]) for a, b in some if a in here and b in here] for some in (wish.same, wish.apart)]
    if wish.apart:
        # where articles are kept apart, links are taken by rank everywhere: one of nobody stands for those elsewhere
        decided[1].append((len(numbers), len(numbers)))
    days = getattr(recipe.detector, "days", None)
    groups = _core.group_lots(
        (row(census.originals_of(numbers)), about["published"].to_numpy(), about["source"].to_numpy()),
        int((numbers < NEW).sum()),
        (row(left), row(right), *overlaps),
        np.argsort(places(rank)).astype(np.uint32),
        wish.choice.method,
        wish.choice.join_parts,
        decided[0],
        decided[1],
        days if isinstance(days, int) and Kind.SAME_EVENT in recipe.detector.reports else None,
        recipe.detector.native if isinstance(recipe.detector, Native) else None,
    )
    ids = about["id"].to_pylist()
    # a majority knows of relations only; of the others, whoever knows all pairs tells what stands nearest
    is_certified = wish.choice.method == "majority"
    out = []
    for best, members, weakest, nearest, forced in groups.rows(1):
        link = weakest and (ids[weakest[0]], ids[weakest[1]], *weakest[2:])
        outside = (ids[nearest[0]], *nearest[1:]) if nearest and is_certified else None
        some = [int(numbers[m]) for m in members]
        out.append(Formed(int(numbers[best]), rank[best], some, [ids[m] for m in members], link, outside, forced))
    return out
