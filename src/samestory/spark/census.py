"""Who is whose copy: ids that come twice, and articles with the same signature.

Of the new articles with one id the first stays, as on one machine; a new article takes the place of an old one.
Articles with the same signature are a lot: the first of them is compared for all.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from samestory.model import Signatures
from samestory.spark.blobs import deal, indexed, side_by_side
from samestory.spark.layout import NEW, Layout
from samestory.spark.recipe import Recipe
from samestory.spark.sharing import Shared, prints
from samestory.spark.signing import Home

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from pyspark import RDD
    from pyspark.core.broadcast import Broadcast

    Numbers = NDArray[np.int64]


@dataclass
class Census:
    """What the tasks must know of all articles: eight bytes for each that has a copy or is set aside."""

    gone: Numbers
    """Articles whose id another one has, sorted."""
    copies: Numbers
    """Articles that have an original, sorted; and the original of each."""
    originals: Numbers
    duplicates: list[tuple[int, str]]
    """New articles that were refused since their id was read before, and the old ones so refused."""
    replaced: int

    def __post_init__(self) -> None:
        import numpy as np

        order = np.lexsort((self.copies, self.originals))
        self._by_original, self._lots = self.originals[order], self.copies[order]
        self._renewed = np.unique(self.originals[self.copies >= NEW])

    def is_gone(self, numbers: Numbers) -> NDArray[np.bool_]:
        """Which of these are set aside?"""
        return _among(numbers, self.gone)

    def is_copy(self, numbers: Numbers) -> NDArray[np.bool_]:
        """Which of these are copies?"""
        return _among(numbers, self.copies)

    def has_new(self, originals: Numbers) -> NDArray[np.bool_]:
        """Which of these are new, or have a copy that is?"""
        return (originals >= NEW) | _among(originals, self._renewed)

    def originals_of(self, numbers: Numbers) -> Numbers:
        """The original of each: itself, for most."""
        import numpy as np

        if not len(self.copies):
            return numbers
        at = np.minimum(np.searchsorted(self.copies, numbers), len(self.copies) - 1)
        return np.where(self.copies[at] == numbers, self.originals[at], numbers)

    def copies_of(self, originals: Numbers) -> Numbers:
        """All copies of some originals."""
        import numpy as np

        first = np.searchsorted(self._by_original, originals, "left")
        counts = np.searchsorted(self._by_original, originals, "right") - first
        at = np.repeat(first - (np.cumsum(counts) - counts), counts) + np.arange(counts.sum())
        found: Numbers = self._lots[at]
        return found

    def lots(self) -> Numbers:
        """The originals that have copies."""
        import numpy as np

        return np.unique(self.originals)


def _among(numbers: Numbers, some: Numbers) -> NDArray[np.bool_]:
    import numpy as np

    if not len(some):
        return np.zeros(len(numbers), np.bool_)
    at = np.minimum(np.searchsorted(some, numbers), len(some) - 1)
    found: NDArray[np.bool_] = some[at] == numbers
    return found


def take_census(
    homes: RDD[Home], known: RDD[Shared], layout: Broadcast[Layout], recipe: Broadcast[Recipe], parts: int
) -> Census:
    """Looks at all ids and signatures that may come twice."""
    import numpy as np
    import pyarrow as pa

    def marks(home: int, both: tuple[Home, Shared]) -> Iterator[Any]:
        value, known = both
        numbers, ids = value.numbers(layout.value, home), value.ids(layout.value, home)
        named, alike = np.flatnonzero(known.ids), np.flatnonzero(known.signatures)
        ids, signatures = ids.take(named), value.articles["signature"].combine_chunks().take(alike)
        signed = recipe.value.detector.keys(Signatures(signatures)).lengths() > 0
        alike, marks = numbers[alike], prints(signatures)
        of_ids = prints(ids.cast(pa.binary()))[:, 0] % np.uint64(parts)
        of_marks = marks[:, 0] % np.uint64(parts)
        for to in range(parts):
            here, there = np.flatnonzero(of_ids == to), np.flatnonzero(signed & (of_marks == to))
            yield to, (home, numbers[named[here]], ids.take(here), alike[there], marks[there])

    def compared(dealt: list[Any]) -> Any:
        none = np.zeros(0, np.int64)
        numbers = np.concatenate([none, *(each[1] for each in dealt)])
        ids = pa.concat_arrays([pa.array([], pa.string()), *(each[2] for each in dealt)])
        alike = np.concatenate([none, *(each[3] for each in dealt)])
        marks = np.concatenate([np.zeros((0, 2), np.uint64), *(each[4] for each in dealt)])
        codes = ids.dictionary_encode().indices.to_numpy().astype(np.int64)
        same, sizes = _repeated(numbers, (codes,))
        at = {int(number): row for row, number in enumerate(numbers)} if len(same) else {}
        names = [ids[at[int(number)]].as_py() for number in same]
        return (same, sizes, names), _repeated(alike, (marks[:, 1], marks[:, 0]))

    found = deal(indexed(side_by_side(homes, known), marks), parts).map(compared).collect()
    gone, duplicates, replaced = [], [], 0
    for (numbers, sizes, names), _ in found:
        begin = 0
        for size in sizes.tolist():
            some, called = numbers[begin : begin + size].tolist(), names[begin : begin + size]
            begin += size
            old, new = [n for n in some if n < NEW], [n for n in some if n >= NEW]
            # of those that earlier runs have kept the last is the one that counts
            kept = [n for n in old if layout.value.is_kept(n)]
            gone += kept[:-1]
            old = [*kept[-1:], *(n for n in old if n not in kept)]
            duplicates += [(number, called[0]) for number in (*old[1:], *new[1:])]
            gone += [*old[1:], *new[1:]]
            if old and new:
                gone.append(old[0])
                replaced += 1
    set_aside = np.sort(np.array(gone, np.int64))
    copies, originals = [], []
    for _, (numbers, sizes) in found:
        lot = np.repeat(np.arange(len(sizes)), sizes)
        here = ~_among(numbers, set_aside)
        numbers, lot = numbers[here], lot[here]
        first = np.r_[True, lot[1:] != lot[:-1]] if len(lot) else np.zeros(0, np.bool_)
        leader = numbers[first][np.cumsum(first) - 1] if len(lot) else numbers
        copies.append(numbers[~first])
        originals.append(leader[~first])
    none = np.zeros(0, np.int64)
    all_copies, all_originals = np.concatenate([none, *copies]), np.concatenate([none, *originals])
    order = np.argsort(all_copies)
    return Census(set_aside, all_copies[order], all_originals[order], sorted(duplicates), replaced)


def _repeated(numbers: Numbers, marks: tuple[Any, ...]) -> tuple[Numbers, NDArray[np.int64]]:
    """The numbers that share their marks with others, mark by mark, each in order; and how many share each."""
    import numpy as np

    order = np.lexsort((numbers, *marks))
    differs = np.zeros(len(order), np.bool_)
    differs[:1] = True
    for mark in marks:
        sorted_mark = mark[order]
        differs[1:] |= sorted_mark[1:] != sorted_mark[:-1]
    starts = np.flatnonzero(differs)
    sizes = np.diff(np.append(starts, len(order)))
    several = np.repeat(sizes > 1, sizes)
    return numbers[order][several], sizes[sizes > 1]
