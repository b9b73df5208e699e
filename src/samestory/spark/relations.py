"""Compared pairs of originals to the relations of all articles, told as on one machine."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from samestory import _core
from samestory.detectors import Detector, Native
from samestory.model import KINDS, Overlaps
from samestory.spark.census import Census
from samestory.spark.comparing import Compared
from samestory.spark.layout import NEW

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa
    from numpy.typing import NDArray

    Numbers = NDArray[np.int64]

#: Pairs that are spread at a time.
BATCH = 1 << 18


class Lots(NamedTuple):
    """The articles of a part by their originals: those of original `at` are `articles[starts[at]:][:sizes[at]]`."""

    articles: NDArray[np.int64]
    starts: NDArray[np.int64]
    sizes: NDArray[np.int64]

    @classmethod
    def of(cls, found: Compared, census: Census) -> Lots:
        """Rows of the articles of a part."""
        import numpy as np

        original = found.rows(census.originals_of(found.numbers))
        order = np.argsort(original, kind="stable")
        sizes = np.bincount(original, minlength=len(original))
        return cls(order, np.cumsum(sizes) - sizes, sizes)

    def spread(self, rows: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """For originals, one a place, the articles of each; and the place of every one."""
        import numpy as np

        counts = self.sizes[rows]
        place = np.repeat(np.arange(len(rows)), counts)
        within = np.arange(len(place)) - np.repeat(np.cumsum(counts) - counts, counts)
        return self.articles[self.starts[rows][place] + within], place


def dated(
    found: Compared, detector: Detector, left: Any, right: Any, overlaps: Overlaps
) -> tuple[NDArray[np.uint8], NDArray[np.float64], NDArray[np.uint8], NDArray[np.bool_]]:
    """Kinds, scores and reasons of comparisons between articles, given by their rows, and whether each is reversed."""
    import numpy as np

    published, source = (found.about[name].to_numpy() for name in ("published", "source"))
    native = detector.native if isinstance(detector, Native) else None
    sides = ((np.ascontiguousarray(source[rows]), np.ascontiguousarray(published[rows])) for rows in (left, right))
    kinds, scores, whys, is_reversed = _core.dated(native, overlaps.columns, *sides)
    scored = np.frombuffer(scores, np.float64)
    return np.frombuffer(kinds, np.uint8), scored, np.frombuffer(whys, np.uint8), np.frombuffer(is_reversed, np.bool_)


def at_best(found: Compared, detector: Detector) -> NDArray[np.uint8]:
    """The kinds of the compared pairs if both articles were of one source and one hour: no date makes more of them."""
    import numpy as np

    native = detector.native if isinstance(detector, Native) else None
    count = len(found.left)
    overlaps = Overlaps(found.forward, found.backward, found.kinds, found.whys, found.scores)
    one, other = ((np.ones(count, np.uint64), np.full(count, time, np.int64)) for time in (0, 1))
    return np.frombuffer(_core.dated(native, overlaps.columns, one, other)[0], np.uint8)


def relation_schema() -> pa.Schema:
    """The columns of relations; `later` and `earlier` are the numbers of the two articles."""
    import pyarrow as pa

    shares = [(name, pa.float64()) for name in ("forward", "backward")]
    names = [(name, pa.string()) for name in ("left", "right", "kind")]
    numbers = [(name, pa.int64()) for name in ("later", "earlier")]
    return pa.schema([*names, *shares, ("detector", pa.string()), ("score", pa.float64()), *numbers])


def spread(found: Compared, census: Census, detector: Detector) -> Iterator[pa.RecordBatch]:
    """The relations of a part."""
    import numpy as np

    lots = Lots.of(found, census)
    related = np.flatnonzero(at_best(found, detector))
    for begin in range(0, len(related), BATCH):
        yield _spread(found, lots, related[begin : begin + BATCH], detector)


def _spread(found: Compared, lots: Lots, pairs: NDArray[np.int64], detector: Detector) -> pa.RecordBatch:
    import pyarrow as pa

    lefts, place = lots.spread(found.rows(found.left[pairs]))
    rights, at = lots.spread(found.rows(found.right[pairs][place]))
    left, pair = lefts[at], pairs[place[at]]
    right = rights
    forward, backward, kinds = found.forward[pair], found.backward[pair], found.kinds[pair]
    # in a lot every pair comes twice, and everybody with himself; the later of two is asked about
    itself = found.left[pair] == found.right[pair]
    kept = (~itself | (left > right)) & ~((found.numbers[left] < NEW) & (found.numbers[right] < NEW))
    left, right, pair = left[kept], right[kept], pair[kept]
    forward, backward, kinds = forward[kept], backward[kept], kinds[kept]
    swap = left < right
    left, right, forward, backward, kinds = _turned(swap, left, right, forward, backward, kinds)
    overlaps = Overlaps(forward, backward, kinds, found.whys[pair], found.scores[pair])
    kinds, scores, _, is_reversed = dated(found, detector, left, right, overlaps)
    kept = kinds > 0
    left, right, forward, backward = left[kept], right[kept], forward[kept], backward[kept]
    kinds, scores, is_reversed = kinds[kept], scores[kept], is_reversed[kept]
    later, earlier = found.numbers[left], found.numbers[right]
    left, right, forward, backward, kinds = _turned(is_reversed, left, right, forward, backward, kinds)
    ids, names = found.about["id"].combine_chunks(), pa.array([str(kind) for kind in KINDS])
    columns = [ids.take(left), ids.take(right), names.take(kinds), forward, backward]
    columns += [pa.repeat(str(detector), len(left)), scores, later, earlier]
    return pa.record_batch([c if isinstance(c, pa.Array) else pa.array(c) for c in columns], schema=relation_schema())


def _turned(turn: Any, left: Any, right: Any, forward: Any, backward: Any, kinds: Any) -> tuple[Any, ...]:
    """The same pairs, some of them told from the other side."""
    import numpy as np

    flipped = np.array([KINDS.index(kind.flipped) for kind in KINDS], np.uint8)
    return (
        np.where(turn, right, left),
        np.where(turn, left, right),
        np.where(turn, backward, forward),
        np.where(turn, forward, backward),
        np.where(turn, flipped[kinds], kinds),
    )
