"""Expected mutual information of two random groupings with given group sizes.

    E = Σ_ij (k / n) ln(n k / (a_i b_j)) · hypergeometric(k; n, a_i, b_j), summed over all k

E is a sum over pairs of groups, but a term depends only on their sizes: with c_a groups of size a and d_b of size b,

    E = Σ_ab c_a d_b g(a, b; n)

and g is computed once for every pair of sizes. The rounds of a bootstrap change c, d and n. g is smooth in n, so it is
computed at multiples of a step, and interpolated between them from the six nearest (Lagrange).
Vinh, Epps and Bailey (2010). [vinh2010]
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from samestory.lab.measures.data.base import Floats, Integers

#: Terms with a hypergeometric tail below exp(-TAIL_EXPONENT) are left out: under 1e-20, far below rounding.
TAIL_EXPONENT = 46.0

#: Terms computed at a time.
MAX_TERMS = 2**20

#: Interpolation steps up to the number of articles, and neighbours of each interpolation: accurate to 1e-10.
STEPS, NEIGHBOURS = 128, 6


@dataclass(frozen=True, eq=False)
class GroupSizes:
    """The distinct group sizes on either side, and the number of articles of the collection."""

    left: Integers
    right: Integers
    articles: int
    _cache: dict[int, Floats] = field(default_factory=dict, repr=False)

    def expected(self, articles: Floats, lefts: Floats, rights: Floats) -> Floats:
        """Return E for every round, from its articles and the number of groups of every size on either side."""
        out = np.full(len(articles), np.nan)
        step = max(1, self.articles // STEPS)
        for row, n in enumerate(articles.astype(np.int64).tolist()):
            if not n:
                continue
            nodes = (n // step + np.arange(NEIGHBOURS) - NEIGHBOURS // 2 + 1) * step if n % step else np.array([n])
            if len(out) > NEIGHBOURS and nodes[0] >= self.left.max() + self.right.max():
                at_nodes = [lefts[row] @ self._terms(node) @ rights[row] for node in nodes.tolist()]
                out[row] = _lagrange(nodes, n) @ at_nodes
            else:
                # computed directly: few rounds, or groups of about half the articles, where g is not smooth
                here, there = lefts[row] > 0, rights[row] > 0
                terms = information(n, self.left[here], self.right[there])
                out[row] = lefts[row][here] @ terms @ rights[row][there]
        return out

    def _terms(self, n: int) -> Floats:
        if n not in self._cache:
            self._cache[n] = information(n, self.left, self.right)
        return self._cache[n]


def _lagrange(nodes: Integers, n: int) -> Floats:
    """Return the weight of each node at n."""
    others = np.where(np.eye(len(nodes), dtype=np.bool_), 1.0, (n - nodes)[None, :].astype(np.float64))
    gaps = np.where(np.eye(len(nodes), dtype=np.bool_), 1.0, nodes[:, None] - nodes[None, :])
    weights: Floats = others.prod(axis=1) / gaps.prod(axis=1)
    return weights


def information(n: int, left: Integers, right: Integers) -> Floats:
    """Compute g(a, b; n) for every size a on the left and b on the right."""
    a, b = (axis.ravel() for axis in np.meshgrid(left, right, indexing="ij"))
    mean = a * (b / n)
    # Bernstein's bound on the tails
    reach = TAIL_EXPONENT / 3 + np.sqrt((TAIL_EXPONENT / 3) ** 2 + 2 * TAIL_EXPONENT * mean)
    first = np.maximum.reduce([np.ones(len(a)), a + b - n, np.floor(mean - reach)]).astype(np.int64)
    last = np.minimum.reduce([a, b, np.ceil(mean + reach)]).astype(np.int64)
    starts = np.concatenate([[0], np.cumsum(last - first + 1)])
    # ln m! for m up to n; in long double, since n rounding errors add up
    logs = np.cumsum(np.log(np.arange(1, n + 1, dtype=np.longdouble)))
    factorial = np.concatenate([[0], logs]).astype(np.float64)

    def choose(of: Integers, some: Integers) -> Floats:
        ways: Floats = factorial[of] - factorial[some] - factorial[of - some]
        return ways

    out = np.zeros(len(a))
    row = 0
    while row < len(a):
        stop = max(row + 1, int(np.searchsorted(starts, starts[row] + MAX_TERMS, "right")) - 1)
        rows = np.repeat(np.arange(row, stop), np.diff(starts[row : stop + 1]))
        x, y = a[rows], b[rows]
        k = first[rows] + np.arange(starts[row], starts[stop]) - starts[rows]
        chance = np.exp(choose(x, k) + choose(n - x, y - k) - choose(np.full_like(y, n), y))
        terms = k / n * (np.log(n * k) - np.log(x * y)) * chance
        out[row:stop] = np.bincount(rows - row, terms, stop - row)
        row = stop
    return out.reshape(len(left), len(right))
