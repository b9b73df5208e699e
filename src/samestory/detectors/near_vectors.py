"""Pairs of near vectors without a matrix of all pairs: blocks of products, and the minimum spanning forest.

The clusters of single linkage at a height are the components of the graph of all pairs up to that height, and those are
the components of its minimum spanning forest cut at the height. So the forest, with fewer links than vectors,
represents the clusters at every height, and its lengths are the merge heights.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from samestory.text import library

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

#: Products per block: 16 MB.
BLOCK = 2_000_000
#: Links that are buffered before they are reduced to a forest.
MAX_LINKS = 4_000_000


class Links(NamedTuple):
    """Pairs of vectors and the Euclidean distance of each; left is the later one."""

    left: NDArray[np.int64]
    right: NDArray[np.int64]
    length: NDArray[np.float64]


def near(vectors: NDArray[np.float64], reach: float, since: int = 0) -> Iterator[Links]:
    """Yields all pairs up to a distance, block by block; the later vector of a pair is not before row `since`.

    Lengths are computed from products, with a rounding error of about 1e-8 for unit vectors, so a few pairs slightly
    beyond the distance are included.
    """
    import numpy as np

    count = len(vectors)
    squares = (vectors**2).sum(axis=1)
    limit = reach * reach + 1e-12 * (1.0 + float(squares.max(initial=0.0)))
    rows = max(1, BLOCK // max(count, 1))
    for first in range(since, count, rows):
        last = min(first + rows, count)
        gaps = squares[first:last, None] + squares[None, :last] - 2.0 * (vectors[first:last] @ vectors[:last].T)
        left, right = np.nonzero(gaps <= limit)
        left = left + first
        earlier = right < left
        left, right = left[earlier], right[earlier]
        yield Links(left, right, np.sqrt(np.maximum(gaps[left - first, right], 0.0)))


def exact(vectors: NDArray[np.float64], links: Links, chunk: int = 1 << 16) -> Links:
    """Returns the links with lengths free of cancellation errors: equal vectors have distance 0."""
    import numpy as np

    out = np.empty(len(links.left))
    for at in range(0, len(out), chunk):
        here = slice(at, at + chunk)
        out[here] = np.sqrt(((vectors[links.left[here]] - vectors[links.right[here]]) ** 2).sum(axis=1))
    return links._replace(length=out)


def forest(vectors: NDArray[np.float64], reach: float = float("inf")) -> Links:
    """Returns the minimum spanning forest of all pairs up to a distance, shortest links first.

    Ties are broken by row numbers, so that the same vectors give the same forest.
    """
    import numpy as np

    distinct, first, copy_of = _distinct(vectors)
    found = _reduce(len(distinct), (exact(distinct, links) for links in near(distinct, reach)))
    copies = np.flatnonzero(first[copy_of] != np.arange(len(vectors)))
    # every copy is linked to its first occurrence only: a day of copies stays linear
    left = np.concatenate([copies, first[found.left]])
    right = np.concatenate([first[copy_of[copies]], first[found.right]])
    length = np.concatenate([np.zeros(len(copies)), found.length])
    left, right = np.maximum(left, right), np.minimum(left, right)
    order = np.lexsort((right, left, length))
    return Links(left[order], right[order], length[order])


def _distinct(
    vectors: NDArray[np.float64],
) -> tuple[NDArray[np.float64], NDArray[np.int64], NDArray[np.int64]]:
    """Returns the distinct vectors by first occurrence, the rows of these, and for every vector its distinct one."""
    import numpy as np

    if not len(vectors):
        return vectors, np.zeros(0, np.int64), np.zeros(0, np.int64)
    rows = np.ascontiguousarray(vectors)
    whole = rows.view(np.dtype((np.void, rows.dtype.itemsize * rows.shape[1]))).ravel()
    _, first, which = np.unique(whole, return_index=True, return_inverse=True)
    order = np.argsort(first)
    place = np.empty(len(order), np.int64)
    place[order] = np.arange(len(order))
    return rows[first[order]], first[order], place[which.ravel()]


def _reduce(count: int, blocks: Iterable[Links]) -> Links:
    """Returns the minimum spanning forest of all blocks, with at most MAX_LINKS and one block in memory."""
    import numpy as np

    none = np.zeros(0, np.int64)
    forest, pending, size = Links(none, none, np.zeros(0)), [], 0
    for block in blocks:
        pending.append(block)
        size += len(block.left)
        if size > MAX_LINKS:
            forest, pending, size = _spanning(count, [forest, *pending]), [], 0
    return _spanning(count, [forest, *pending])


def _spanning(count: int, parts: list[Links]) -> Links:
    """Returns the minimum spanning forest of the links."""
    import numpy as np

    links = Links(*(np.concatenate(column) for column in zip(*parts, strict=True)))
    if not len(links.left):
        return links
    order = np.lexsort((links.right, links.left, links.length))
    links = Links(links.left[order], links.right[order], links.length[order])
    # ranks instead of lengths: SciPy treats a length of 0 as no link, and breaks ties arbitrarily
    ranks = np.arange(1, len(order) + 1, dtype=np.float64)
    graph = library("scipy.sparse", "short", "semshort").csr_array((ranks, (links.left, links.right)), (count, count))
    tree = library("scipy.sparse.csgraph", "short", "semshort").minimum_spanning_tree(graph)
    kept = np.sort(tree.data).astype(np.int64) - 1
    return Links(links.left[kept], links.right[kept], links.length[kept])
