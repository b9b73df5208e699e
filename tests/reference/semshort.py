"""The pipeline of the fifth study as it is printed: every pair in a matrix, merges one by one."""

from __future__ import annotations

from collections.abc import Sequence
from math import log

import numpy as np
from numpy.typing import NDArray

Matrix = NDArray[np.float64]


def weights(items: Sequence[Sequence[str]], max_df: float = 0.9, min_df: int = 2) -> tuple[list[str], Matrix]:
    """Formulas 2 and 3: the words that are kept, and tf · idf of every item, a row each."""
    names = sorted({word for item in items for word in item})
    having = {word: sum(word in item for item in items) for word in names}
    names = [word for word in names if having[word] >= min_df and having[word] <= max_df * len(items)]
    rows = [
        [list(item).count(word) / len(item) * log(len(items) / having[word]) if item else 0.0 for word in names]
        for item in items
    ]
    return names, np.array(rows, np.float64).reshape(len(items), len(names))


def reduced(rows: Matrix, components: int) -> Matrix:
    """Formulas 4 and 5: centred, and the leading principal components."""
    centred = rows - rows.mean(axis=0)
    directions = np.linalg.svd(centred, full_matrices=False)[2][:components]
    return centred @ directions.T


def distances(rows: Matrix) -> Matrix:
    """Formula 6: 1 − cos of every two rows."""
    unit = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    return 1.0 - unit @ unit.T


def between_rows(matrix: Matrix) -> Matrix:
    """The Euclidean distance of every two rows of a matrix of distances."""
    return np.array([[float(np.linalg.norm(one - other)) for other in matrix] for one in matrix])


def nearest_neighbour(of_u: float, of_v: float) -> float:
    """Formulas 7 and 8: how far the union of U and V is from S."""
    alpha, gamma = 0.5, -0.5
    return alpha * of_u + alpha * of_v + gamma * abs(of_u - of_v)


def merges(matrix: Matrix) -> list[float]:
    """The heights of all merges by the Lance-Williams update."""
    far = {(i, j): float(matrix[i, j]) for i in range(len(matrix)) for j in range(i)}
    alive, out = set(range(len(matrix))), []
    while len(alive) > 1:
        (u, v), height = min(far.items(), key=lambda pair: (pair[1], pair[0]))
        out.append(height)
        alive.remove(v)
        for s in alive - {u}:
            key, gone = (max(u, s), min(u, s)), (max(v, s), min(v, s))
            far[key] = nearest_neighbour(far[key], far.pop(gone))
        del far[u, v]
    return out


def groups(matrix: Matrix, r: float) -> set[frozenset[int]]:
    """Single linkage stopped at r: whatever is reached in steps of at most r."""
    left, out = set(range(len(matrix))), set()
    while left:
        front = {left.pop()}
        group = set(front)
        while front:
            front = {j for i in front for j in left if matrix[i, j] <= r}
            left -= front
            group |= front
        out.add(frozenset(group))
    return out
