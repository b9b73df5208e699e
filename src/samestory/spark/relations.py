"""Compared pairs of originals to the relations of all articles, told as on one machine."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from samestory.model import KINDS, NO_TIME, Kind
from samestory.spark.census import Census
from samestory.spark.comparing import Compared
from samestory.spark.layout import NEW

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa
    from numpy.typing import NDArray

    Numbers = NDArray[np.int64]

#: From this share on, a later article of the same source is a new version of the earlier one.
UPDATE_SHARE = 0.5
_NEAR, _PART, _WHOLE, _UPDATE = (KINDS.index(k) for k in (Kind.NEAR, Kind.PART_OF, Kind.HAS_PART, Kind.UPDATE))
#: Kinds that become an update when both articles are of one source and of different times.
DATED = (_NEAR, _PART, _WHOLE)
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


def dated(found: Compared, left: Any, right: Any, kinds: Any, shares: Any) -> NDArray[np.uint8]:
    """The kinds of pairs of rows: a later version of a source's own article is an update."""
    import numpy as np

    published, source = (found.about[name].to_numpy() for name in ("published", "source"))
    update = np.isin(kinds, DATED) & (shares >= UPDATE_SHARE) & (source[left] != 0) & (source[left] == source[right])
    update &= (published[left] != NO_TIME) & (published[right] != NO_TIME) & (published[left] != published[right])
    return np.where(update, np.uint8(_UPDATE), kinds).astype(np.uint8)


def relation_schema() -> pa.Schema:
    """The columns of relations; `later` and `earlier` are the numbers of the two articles."""
    import pyarrow as pa

    shares = [(name, pa.float64()) for name in ("forward", "backward")]
    names = [(name, pa.string()) for name in ("left", "right", "kind")]
    numbers = [(name, pa.int64()) for name in ("later", "earlier")]
    return pa.schema([*names, *shares, ("detector", pa.string()), ("score", pa.float64()), *numbers])


def spread(found: Compared, census: Census, detector: str) -> Iterator[pa.RecordBatch]:
    """The relations of a part."""
    import numpy as np

    lots = Lots.of(found, census)
    related = np.flatnonzero(found.kinds)
    for begin in range(0, len(related), BATCH):
        yield _spread(found, lots, related[begin : begin + BATCH], detector)


def _spread(found: Compared, lots: Lots, pairs: NDArray[np.int64], detector: str) -> pa.RecordBatch:
    import numpy as np
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
    later, earlier = found.numbers[left], found.numbers[right]
    kinds = dated(found, left, right, kinds, np.maximum(forward, backward))
    published = found.about["published"].to_numpy()
    turn = (kinds == _WHOLE) | ((kinds == _UPDATE) & (published[left] < published[right]))
    left, right, forward, backward, kinds = _turned(turn, left, right, forward, backward, kinds)
    ids, names = found.about["id"].combine_chunks(), pa.array([str(kind) for kind in KINDS])
    columns = [ids.take(left), ids.take(right), names.take(kinds), forward, backward]
    columns += [pa.repeat(detector, len(left)), found.scores[pair], later, earlier]
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
