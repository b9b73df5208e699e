"""Lots: articles with the same signature are one to a detector, so that a day of copies stays linear.

Of the new articles of a lot the first stands for all. Only those that stand are compared; what is found of them is
found of their copies.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from samestory.model import KINDS, Features, Signatures

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Columns(NamedTuple):
    """Related pairs in columns: numbers of articles, left the later one of a batch, with kinds, shares and scores."""

    left: NDArray[np.int64]
    right: NDArray[np.int64]
    kinds: NDArray[np.uint8]
    forward: NDArray[np.float64]
    backward: NDArray[np.float64]
    scores: NDArray[np.float64]

    def at(self, rows: NDArray[Any]) -> Columns:
        """Some of them, by their numbers or by which are wanted."""
        left, right, kinds, forward, backward, scores = self
        return Columns(left[rows], right[rows], kinds[rows], forward[rows], backward[rows], scores[rows])


class Lots(NamedTuple):
    """Which articles stand for others."""

    stands: NDArray[np.int64]
    """For every row of a batch the row that stands for it; for most that is itself."""
    kept: NDArray[np.int64]
    """The rows that stand."""
    ids: Sequence[str]
    """Of all rows."""

    @classmethod
    def of(cls, signatures: Signatures, features: Features, since: int, alone: Collection[str] = ()) -> Lots:
        """Those of a batch of which the rows before `since` are old; who is `alone`, by id, stands for itself."""
        import numpy as np

        own, ids = set(alone), features.ids
        first: dict[bytes, int] = {}
        stands = np.arange(len(signatures))
        for row, signature in enumerate(signatures):
            if row >= since and signature and not (own and ids[row] in own):
                stands[row] = first.setdefault(signature, row)
        return cls(stands, np.flatnonzero(stands == np.arange(len(stands))), ids)

    @property
    def copies(self) -> NDArray[np.int64]:
        """The rows that others stand for."""
        import numpy as np

        return np.flatnonzero(self.stands != np.arange(len(self.stands)))

    def copied(self) -> dict[str, str]:
        """The ids of copies, and of what stands for each."""
        copies = self.copies
        return {
            self.ids[row]: self.ids[to] for row, to in zip(copies.tolist(), self.stands[copies].tolist(), strict=True)
        }

    def thinned(self, signatures: Signatures) -> Signatures:
        """The signatures of those that stand."""
        return signatures if len(self.kept) == len(signatures) else Signatures(signatures.array.take(self.kept))

    def spread(self, found: Columns) -> Columns:
        """What was found of those that stand, a relation of each to itself among it, for all articles."""
        import numpy as np

        if not len(self.copies):
            return found
        order = np.argsort(self.stands, kind="stable")
        sizes = np.bincount(self.stands, minlength=len(self.stands))
        starts = np.cumsum(sizes) - sizes
        # every article of the one lot with every article of the other
        counts = sizes[found.left] * sizes[found.right]
        at = np.repeat(np.arange(len(counts)), counts)
        place = np.arange(len(at)) - np.repeat(np.cumsum(counts) - counts, counts)
        width = sizes[found.right][at]
        left = order[starts[found.left][at] + place // np.maximum(width, 1)]
        right = order[starts[found.right][at] + place % np.maximum(width, 1)]
        # in a lot every pair comes twice, and everybody with himself
        twice = found.left[at] == found.right[at]
        kept = ~twice | (left > right)
        at, left, right = at[kept], left[kept], right[kept]
        turned = left < right
        flipped = np.array([KINDS.index(kind.flipped) for kind in KINDS], np.uint8)
        spread = Columns(
            np.where(turned, right, left),
            np.where(turned, left, right),
            np.where(turned, flipped[found.kinds[at]], found.kinds[at]),
            np.where(turned, found.backward[at], found.forward[at]),
            np.where(turned, found.forward[at], found.backward[at]),
            found.scores[at],
        )
        return spread.at(np.lexsort((spread.right, spread.left)))
