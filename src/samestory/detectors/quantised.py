"""Unit vectors quantised to bytes, and their cosines, which are exact.

A vector is stored as integers from −127 to 127, a quarter of the space; a cosine does not depend on its length. Sums of
products of such integers stay below 2²⁴, so that single precision is exact: the same signatures give the same cosines
on every machine, in any order and in blocks of any size.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from samestory.model import Pairs

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

#: The largest component, and the largest Euclidean length of a vector, for which products are exact: 2²⁴ = 4096².
MAX_COMPONENT, MAX_LENGTH = 127, 4000.0
#: Products per block: 8 MB.
BLOCK = 2_000_000
#: Bound of the error of a cosine in single precision.
ROUNDING = 1e-5
#: Pairs compared at once, and pairs yielded at once.
CHUNK, PAIRS_PER_BATCH = 1 << 14, 1 << 17


class QuantisedVectors(NamedTuple):
    """Quantised vectors, and the squares of their lengths."""

    rows: NDArray[np.float32]
    squares: NDArray[np.float64]

    @classmethod
    def from_int8(cls, rows: NDArray[np.int8]) -> QuantisedVectors:
        """Converts rows of integers."""
        import numpy as np

        wide = rows.astype(np.float32)
        return cls(wide, np.einsum("ij,ij->i", wide, wide).astype(np.float64))

    def cosines(
        self, other: QuantisedVectors, left: NDArray[np.int64], right: NDArray[np.int64]
    ) -> NDArray[np.float64]:
        """Returns the cosines of pairs of rows; 0 for a zero vector."""
        import numpy as np

        out = np.zeros(len(left))
        for start in range(0, len(left), CHUNK):
            at, to = left[start : start + CHUNK], right[start : start + CHUNK]
            products = np.einsum("ij,ij->i", self.rows[at], other.rows[to])
            out[start : start + CHUNK] = _normalise(products, self.squares[at], other.squares[to])
        return out

    def all_cosines(self, other: QuantisedVectors) -> NDArray[np.float64]:
        """Returns the cosines of all rows with all rows of `other`."""
        import numpy as np

        products = (self.rows @ other.rows.T).astype(np.float64)
        lengths = np.sqrt(np.outer(self.squares, other.squares))
        return np.divide(products, lengths, out=np.zeros_like(products), where=lengths > 0)

    def blocks(self, least: float, since: int = 0) -> Iterator[tuple[int, NDArray[np.bool_]]]:
        """Yields blocks of rows: the first row, and a matrix of which earlier rows have at least a cosine with each.

        The later row of a pair is in the block; entries for the row itself and for later ones are undefined.
        """
        import numpy as np

        count, lengths = len(self.rows), np.sqrt(self.squares).astype(np.float32)
        step = max(1, BLOCK // max(count, 1))
        for first in range(since, count, step):
            last = min(first + step, count)
            products = self.rows[first:last] @ self.rows[:last].T
            near = products >= np.float32(least - ROUNDING) * lengths[first:last, None] * lengths[None, :last]
            # exactly, for the few that remain
            at, to = np.nonzero(near)
            near[at, to] = _normalise(products[at, to], self.squares[first + at], self.squares[to]) >= least
            yield first, near


def rebatch(blocks: Iterable[Pairs], most: int = PAIRS_PER_BATCH) -> Iterator[Pairs]:
    """Yields the same pairs in the same order, in batches of `most`, so that signatures are parsed less often."""
    import numpy as np

    pending, count = [Pairs(np.zeros(0, np.int64), np.zeros(0, np.int64))], 0
    for block in blocks:
        pending.append(block)
        count += len(block.left)
        if count < most:
            continue
        left, right = (np.concatenate(side) for side in zip(*pending, strict=True))
        whole = count - count % most
        for start in range(0, whole, most):
            yield Pairs(left[start : start + most], right[start : start + most])
        pending, count = [Pairs(left[whole:], right[whole:])], count - whole
    if count:
        yield Pairs(*(np.concatenate(side) for side in zip(*pending, strict=True)))


def _normalise(
    products: NDArray[np.float32], squares: NDArray[np.float64], others: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Divides products by the lengths of both vectors; with a single root, so that equal vectors give exactly 1."""
    import numpy as np

    lengths = np.sqrt(squares * others)
    return np.divide(products.astype(np.float64), lengths, out=np.zeros(len(products)), where=lengths > 0)


def quantise(units: NDArray[np.float32]) -> NDArray[np.int8]:
    """Quantises vectors: the largest component of each becomes 127, unless the vector would become too long.

    >>> import numpy as np
    >>> quantise(np.array([[0.6, -0.8], [0.0, 0.0]], np.float32)).tolist()
    [[95, -127], [0, 0]]
    """
    import numpy as np

    exact = units.astype(np.float64)
    largest = np.abs(exact).max(axis=1, initial=0.0)
    lengths = np.sqrt((exact * exact).sum(axis=1))
    scale = np.zeros(len(exact))
    nonzero = largest > 0
    scale[nonzero] = np.minimum(MAX_COMPONENT / largest[nonzero], MAX_LENGTH / lengths[nonzero])
    return np.round(exact * scale[:, None]).astype(np.int8)
