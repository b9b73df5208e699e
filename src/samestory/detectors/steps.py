"""Unit vectors in steps of a byte, and their cosines, which are exact.

A vector is kept as whole numbers from −127 to 127, a quarter of the room, and its length does not matter to a cosine.
Products of such numbers stay below 2²⁴, so that even single precision adds them up without rounding: the same
signatures give the same cosines on every machine, in any order and in blocks of any size.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from samestory.model import Pairs

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

#: The largest number; and the greatest length of a vector of such numbers whose products are exact: 2²⁴ = 4096².
LARGEST, LONGEST = 127, 4000.0
#: Numbers of a block of products: 8 MB.
BLOCK = 2_000_000
#: More than single precision can be wrong about a cosine.
ROUNDING = 1e-5
#: Pairs compared at a time, and pairs handed on at a time.
CHUNK, GATHERED = 1 << 14, 1 << 17


class Steps(NamedTuple):
    """Vectors in steps, and the square of the length of each."""

    rows: NDArray[np.float32]
    squares: NDArray[np.float64]

    @classmethod
    def of(cls, rows: NDArray[np.int8]) -> Steps:
        """Of whole numbers."""
        import numpy as np

        wide = rows.astype(np.float32)
        return cls(wide, np.einsum("ij,ij->i", wide, wide).astype(np.float64))

    def cosines(self, other: Steps, left: NDArray[np.int64], right: NDArray[np.int64]) -> NDArray[np.float64]:
        """Of pairs of rows; 0 where one is nothing."""
        import numpy as np

        out = np.zeros(len(left))
        for start in range(0, len(left), CHUNK):
            at, to = left[start : start + CHUNK], right[start : start + CHUNK]
            products = np.einsum("ij,ij->i", self.rows[at], other.rows[to])
            out[start : start + CHUNK] = _divided(products, self.squares[at], other.squares[to])
        return out

    def all_cosines(self, other: Steps) -> NDArray[np.float64]:
        """Of every row with every row of others."""
        import numpy as np

        products = (self.rows @ other.rows.T).astype(np.float64)
        lengths = np.sqrt(np.outer(self.squares, other.squares))
        return np.divide(products, lengths, out=np.zeros_like(products), where=lengths > 0)

    def blocks(self, least: float, since: int = 0) -> Iterator[tuple[int, NDArray[np.bool_]]]:
        """Which rows have at least a cosine, a block after the other: its first row, and a row of answers for each.

        The later of two rows is in the block; answers about itself and later ones say nothing.
        """
        import numpy as np

        count, lengths = len(self.rows), np.sqrt(self.squares).astype(np.float32)
        step = max(1, BLOCK // max(count, 1))
        for first in range(since, count, step):
            last = min(first + step, count)
            products = self.rows[first:last] @ self.rows[:last].T
            near = products >= np.float32(least - ROUNDING) * lengths[first:last, None] * lengths[None, :last]
            # exactly, for the few that are left
            at, to = np.nonzero(near)
            near[at, to] = _divided(products[at, to], self.squares[first + at], self.squares[to]) >= least
            yield first, near


def gathered(blocks: Iterable[Pairs], most: int = GATHERED) -> Iterator[Pairs]:
    """The same pairs in the same order, as many at a time as are worth taking signatures apart for, and no more."""
    import numpy as np

    waiting, count = [Pairs(np.zeros(0, np.int64), np.zeros(0, np.int64))], 0
    for block in blocks:
        waiting.append(block)
        count += len(block.left)
        if count < most:
            continue
        left, right = (np.concatenate(side) for side in zip(*waiting, strict=True))
        whole = count - count % most
        for start in range(0, whole, most):
            yield Pairs(left[start : start + most], right[start : start + most])
        waiting, count = [Pairs(left[whole:], right[whole:])], count - whole
    if count:
        yield Pairs(*(np.concatenate(side) for side in zip(*waiting, strict=True)))


def _divided(
    products: NDArray[np.float32], squares: NDArray[np.float64], others: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Products by the lengths of both sides; the root of the whole, so that equal vectors give exactly 1."""
    import numpy as np

    lengths = np.sqrt(squares * others)
    return np.divide(products.astype(np.float64), lengths, out=np.zeros(len(products)), where=lengths > 0)


def steps(units: NDArray[np.float32]) -> NDArray[np.int8]:
    """Vectors in steps: the largest number of each becomes 127, unless the whole would become too long.

    >>> import numpy as np
    >>> steps(np.array([[0.6, -0.8], [0.0, 0.0]], np.float32)).tolist()
    [[95, -127], [0, 0]]
    """
    import numpy as np

    exact = units.astype(np.float64)
    most = np.abs(exact).max(axis=1, initial=0.0)
    lengths = np.sqrt((exact * exact).sum(axis=1))
    scale = np.zeros(len(exact))
    some = most > 0
    scale[some] = np.minimum(LARGEST / most[some], LONGEST / lengths[some])
    return np.round(exact * scale[:, None]).astype(np.int8)
