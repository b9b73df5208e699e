"""Related pairs in columns."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from samestory import _core


class Columns(NamedTuple):
    """Related pairs in columns: article numbers (left is the later one of a batch), kinds, shares and scores."""

    left: NDArray[np.int64]
    right: NDArray[np.int64]
    kinds: NDArray[np.uint8]
    forward: NDArray[np.float64]
    backward: NDArray[np.float64]
    scores: NDArray[np.float64]

    @classmethod
    def from_core(cls, found: _core.engine.Relations) -> Columns:
        """The relations of the native core."""
        import numpy as np

        left, right, kinds = np.asarray(found.left), np.asarray(found.right), np.asarray(found.kinds)
        shares = (np.asarray(column) for column in (found.forward, found.backward, found.scores))
        return cls(left.astype(np.int64), right.astype(np.int64), kinds, *shares)

    def at(self, rows: NDArray[Any]) -> Columns:
        """Some of the pairs, by number or by mask."""
        left, right, kinds, forward, backward, scores = self
        return Columns(left[rows], right[rows], kinds[rows], forward[rows], backward[rows], scores[rows])
