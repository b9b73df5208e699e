"""The vector space of a day: words weighted by tf · idf, and its leading principal components.

    tf(t, d)  = n_t / Σ n_k              over all words of the item
    idf(t, c) = ln(|c| / |{d : t ∈ d}|)  over all items of the day
    x         = tf · idf, less the mean of every column; reduced by the first k components

`weighting="sklearn"` uses counts instead of tf, idf = ln((1 + |c|) / (1 + df)) + 1 and rows of unit length, the
defaults of that library. Items without a remaining word are excluded: centred, they would all be equal.

k = max(least, round(m · columns)), at most the number of items and of columns. The centred matrix is dense, and is not
materialised for a large day: subspace iteration multiplies by the sparse matrix and subtracts the mean afterwards
(Halko, Martinsson and Tropp 2011 [halko2011]). Seed and signs are fixed: the same day gives the same bytes.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from samestory.errors import ParameterError
from samestory.text import library

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Matrix = NDArray[np.float64]

#: Largest centred matrix that is materialised and decomposed exactly, in cells: 8 MB.
MAX_DENSE_CELLS = 1_000_000
#: Parameters of the subspace iteration. More rounds change the components little, and groups not at all.
SEED, OVERSAMPLING, ROUNDS = 20170601, 16, 6
#: A component, or a reduced item, shorter than this share of the longest is rounding error.
NEGLIGIBLE = 1e-9
#: Vectors are rounded to a grid of this step, since rounding errors near zero differ between machines.
GRID = 2.0**-26
FORMAT = "semshort-2"


def on_grid(numbers: Matrix) -> NDArray[np.float32]:
    """Rounds numbers to the grid, with zeros made positive."""
    import numpy as np

    return (np.round(numbers / GRID) * GRID + 0.0).astype(np.float32)


def sparse() -> Any:
    """Imports the sparse matrices of SciPy."""
    return library("scipy.sparse", "short", "semshort")


@dataclass(frozen=True, eq=False)
class DaySpace:
    """A fitted space of a day, into which any item can be projected."""

    weighting: str
    words: tuple[str, ...]
    """The columns."""
    idf: Matrix
    components: NDArray[np.float32]
    """Columns × components."""
    shift: Matrix
    """The mean of the day, reduced."""
    gram: Matrix
    """Σ u uᵀ over the unit vectors of all items, from which distances between rows of their distance matrix follow."""
    items: int
    """Number of items with a remaining word."""
    longest: float
    """The length of the longest reduced item."""
    features: tuple[float, ...] = ()
    """The inputs of a model of r (`r_model.DayFeatures`); empty for a day without items."""

    @classmethod
    def fit(
        cls, rows: Sequence[Sequence[str]], weighting: str, m: float, least: int, max_df: float, min_df: int
    ) -> DaySpace:
        """Fits the space of items that are given as lists of words."""
        import numpy as np

        from samestory.detectors.r_model import day_features

        names, counts = _count(rows)
        frequency = np.asarray((counts > 0).sum(axis=0), np.int64).ravel()
        kept = np.flatnonzero((frequency >= min_df) & (frequency <= max_df * len(rows)))
        words = tuple(names[at] for at in kept)
        if weighting == "paper":
            idf = np.log(len(rows) / frequency[kept])
        else:
            idf = np.log((1 + len(rows)) / (1 + frequency[kept])) + 1
        features = tuple(map(float, day_features(rows, len(words)))) if len(rows) else ()
        empty = cls(weighting, words, idf, np.zeros((len(words), 0), np.float32), *_zeros(0), 0, 0.0, features)
        weighed = empty._weigh(rows)
        weighed = weighed[np.diff(weighed.indptr) > 0]
        items = weighed.shape[0]
        if not items:
            return empty
        mean = np.asarray(weighed.mean(axis=0), np.float64).ravel()
        wanted = min(max(least, round(m * len(words))), items, len(words))
        components = on_grid(_principal(weighed, mean, wanted))
        raw = cls(weighting, words, idf, components, mean @ components, _zeros(components.shape[1])[1], items, 0.0)
        reduced = raw._reduce(weighed)
        longest = float(np.sqrt((reduced**2).sum(axis=1)).max(initial=0.0))
        found, units = _unit(reduced, longest)
        gram = units.T @ units
        return cls(weighting, words, idf, components, raw.shift, gram, int(found.sum()), longest, features)

    @cached_property
    def _column(self) -> dict[str, int]:
        return {word: at for at, word in enumerate(self.words)}

    def _weigh(self, rows: Sequence[Sequence[str]]) -> Any:
        """Returns the weights of items as sparse rows; words without a column are ignored."""
        import numpy as np

        column, flat, ends, lengths = self._column, [], [0], []
        for row in rows:
            flat += [at for word in row if (at := column.get(word)) is not None]
            ends.append(len(flat))
            lengths.append(len(row))
        out = sparse().csr_array(
            (np.ones(len(flat)), np.array(flat, np.int64), np.array(ends, np.int64)), (len(rows), len(self.words))
        )
        out.sum_duplicates()
        each = np.diff(out.indptr)
        out.data *= self.idf[out.indices]
        if self.weighting == "paper":
            out.data /= np.repeat(np.array(lengths, np.float64), each)
        else:
            norms = np.sqrt(np.asarray(out.multiply(out).sum(axis=1), np.float64).ravel())
            out.data /= np.repeat(norms, each)
        return out

    def _reduce(self, weighed: Any) -> Matrix:
        import numpy as np

        # a sparse product sums row by row, so the result for an item does not depend on its batch
        reduced: Matrix = np.asarray(weighed @ self.components.astype(np.float64), np.float64)
        return reduced - self.shift

    def units(self, rows: Sequence[Sequence[str]]) -> tuple[NDArray[np.bool_], Matrix]:
        """Returns which items have a vector in the space, and their unit vectors."""
        import numpy as np

        weighed = self._weigh(rows)
        has_vector = np.diff(weighed.indptr) > 0
        found, units = _unit(self._reduce(weighed[has_vector]), self.longest)
        has_vector[np.flatnonzero(has_vector)[~found]] = False
        return has_vector, units

    @cached_property
    def root(self) -> Matrix:
        """The matrix R with ‖R(u − v)‖ = ‖row of u − row of v‖ / √items, for rows of the matrix of all 1 − cos."""
        import numpy as np

        values, vectors = np.linalg.eigh(self.gram / max(self.items, 1))
        out: Matrix = (vectors * np.sqrt(np.maximum(values, 0.0))) @ vectors.T
        return out

    def __bytes__(self) -> bytes:
        import numpy as np

        words = "\n".join(self.words).encode()
        head = {
            "format": FORMAT,
            "weighting": self.weighting,
            "items": self.items,
            "longest": self.longest.hex(),
            "columns": len(self.words),
            "components": int(self.components.shape[1]),
            "words": len(words),
            "features": [value.hex() for value in self.features],
        }
        columns = (self.idf, self.shift, self.gram)
        body = b"".join(np.ascontiguousarray(column, "<f8").tobytes() for column in columns)
        return json.dumps(head).encode() + b"\n" + words + body + np.ascontiguousarray(self.components, "<f4").tobytes()

    @classmethod
    def parse(cls, state: bytes) -> DaySpace:
        """Parses the bytes of a space; raises ParameterError for any others."""
        import numpy as np

        first, _, rest = state.partition(b"\n")
        try:
            head = json.loads(first)
            if head["format"] != FORMAT:
                raise ValueError(head["format"])
            columns, k, length = int(head["columns"]), int(head["components"]), int(head["words"])
            words = tuple(rest[:length].decode().split("\n")) if columns else ()
            numbers = np.frombuffer(rest, "<f8", columns + k + k * k, length)
            idf, shift, gram = np.split(numbers, [columns, columns + k])
            components = np.frombuffer(rest, "<f4", columns * k, length + numbers.nbytes).reshape(columns, k)
            longest = float.fromhex(head["longest"])
            features = tuple(float.fromhex(value) for value in head["features"])
            gram = gram.reshape(k, k)
            if len(words) != columns:
                raise ValueError(f"{len(words)} words for {columns} columns")
            if not (np.isfinite(numbers).all() and np.isfinite(components).all()):
                raise ValueError("a number that is not finite")
            return cls(head["weighting"], words, idf, components, shift, gram, head["items"], longest, features)
        except (ValueError, KeyError, TypeError) as error:
            raise ParameterError(f"semshort: expected a state of the format {FORMAT}: {error}") from None


def _zeros(k: int) -> tuple[Matrix, Matrix]:
    import numpy as np

    return np.zeros(k), np.zeros((k, k))


def _count(rows: Sequence[Sequence[str]]) -> tuple[list[str], Any]:
    """Returns all words, sorted, and the sparse matrix of their counts by item."""
    import numpy as np

    names = sorted({word for row in rows for word in row})
    column = {word: at for at, word in enumerate(names)}
    flat = np.array([column[word] for row in rows for word in row], np.int64)
    ends = np.cumsum([0, *map(len, rows)])
    out = sparse().csr_array((np.ones(len(flat)), flat, ends), (len(rows), len(names)))
    out.sum_duplicates()
    return names, out


def _unit(reduced: Matrix, longest: float) -> tuple[NDArray[np.bool_], Matrix]:
    """Returns which reduced items are not zero, and their unit vectors."""
    import numpy as np

    lengths = np.sqrt((reduced**2).sum(axis=1))
    found = lengths > NEGLIGIBLE * longest
    return found, reduced[found] / lengths[found][:, None]


def _principal(weighed: Any, mean: Matrix, wanted: int) -> Matrix:
    """Returns the leading components of nonzero variance as columns, the largest entry of each positive."""
    import numpy as np

    items, columns = weighed.shape
    if items * columns <= MAX_DENSE_CELLS:
        _, lengths, rows = np.linalg.svd(weighed.toarray() - mean, full_matrices=False)
        components, lengths = rows[:wanted].T, lengths[:wanted]
    else:
        components, lengths = _iterated(weighed, mean, wanted)
    components = components[:, lengths > NEGLIGIBLE * lengths.max(initial=0.0)]
    # rounded, so that of two entries that differ by rounding error only the first is chosen
    heaviest = np.abs(components.astype(np.float32)).argmax(axis=0)
    signs = np.sign(components[heaviest, np.arange(components.shape[1])])
    out: Matrix = components * signs
    return out


def _iterated(weighed: Any, mean: Matrix, wanted: int) -> tuple[Matrix, Matrix]:
    """Returns the leading components and their lengths by subspace iteration, without the centred matrix."""
    import numpy as np

    items, columns = weighed.shape
    transposed = weighed.T.tocsr()

    def forth(block: Matrix) -> Matrix:
        return np.asarray(weighed @ block - mean @ block, np.float64)

    def back(block: Matrix) -> Matrix:
        return np.asarray(transposed @ block - np.outer(mean, block.sum(axis=0)), np.float64)

    width = min(wanted + OVERSAMPLING, items, columns)
    block = np.random.default_rng(SEED).standard_normal((columns, width))
    for _ in range(ROUNDS):
        block = np.linalg.qr(back(np.linalg.qr(forth(block))[0]))[0]
    basis = np.linalg.qr(forth(block))[0]
    inside = back(basis)
    values, vectors = np.linalg.eigh(inside.T @ inside)
    lengths = np.sqrt(np.maximum(values[::-1][:wanted], 0.0))
    directions = inside @ vectors[:, ::-1][:, :wanted]
    return directions / np.where(lengths > 0, lengths, 1.0), lengths
