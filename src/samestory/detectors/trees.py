"""Ensembles of small decision trees over the features of a pair, in a text file; the values of their leaves are added.

A line is a language and either `base` with a number or a tree: a condition (`cosine<=0.25`), then the tree for true,
then the tree for false; a number is a leaf. The trees of `event`, in the core, have the same format.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from samestory.errors import InputError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

#: Pairs evaluated at once.
CHUNK = 1 << 13


@dataclass(frozen=True, eq=False)
class Trees:
    """The trees of one language as arrays of nodes; the feature of a leaf is −1, its limit the value."""

    base: float
    roots: NDArray[np.int64]
    feature: NDArray[np.int64]
    limit: NDArray[np.float64]
    greater: NDArray[np.int64]

    def sums(self, features: NDArray[np.float64]) -> NDArray[np.float64]:
        """Returns the log odds of rows of features."""
        import numpy as np

        out = np.full(len(features), self.base)
        for start in range(0, len(features), CHUNK):
            here = features[start : start + CHUNK]
            for root in self.roots:
                at = np.full(len(here), root)
                active = np.arange(len(here)) if self.feature[root] >= 0 else np.zeros(0, np.int64)
                while len(active):
                    node = at[active]
                    is_greater = here[active, self.feature[node]] > self.limit[node]
                    at[active] = np.where(is_greater, self.greater[node], node + 1)
                    active = active[self.feature[at[active]] >= 0]
                out[start : start + CHUNK] += self.limit[at]
        return out


def read_trees(text: str, names: Sequence[str]) -> dict[str, Trees]:
    """Parses the trees of a file by language; `names` are the features, in the order of their columns.

    >>> import numpy as np
    >>> trees = read_trees("en base 0.5\\nen near<=0.2 -1 2\\n", ["days", "near"])["en"]
    >>> trees.sums(np.array([[3.0, 0.2], [3.0, 0.3]])).tolist()
    [-0.5, 2.5]
    """
    import numpy as np

    columns = {name: at for at, name in enumerate(names)}
    bases: dict[str, float] = {}
    parsed: dict[str, tuple[list[int], list[tuple[int, float, int]]]] = {}
    for line_number, line in enumerate(text.splitlines(), 1):
        if not line or line.startswith("#"):
            continue
        language, *words = line.split(" ")
        roots, nodes = parsed.setdefault(language, ([], []))
        try:
            if words[0] == "base":
                bases[language] = float(words[1])
                continue
            roots.append(len(nodes))
            if rest := _parse_tree(words, nodes, columns):
                raise ValueError(f"expected the end of the line after the tree, got {' '.join(rest)!r}")
        except (ValueError, IndexError, KeyError) as error:
            raise InputError(f"trees: line {line_number}: expected a tree of known features: {error}") from None
    out = {}
    for language, (roots, nodes) in parsed.items():
        feature, limit, greater = (np.array(column) for column in zip(*nodes, strict=True))
        out[language] = Trees(bases.get(language, 0.0), np.array(roots), feature, limit, greater)
    return out


def _parse_tree(words: Sequence[str], nodes: list[tuple[int, float, int]], columns: dict[str, int]) -> Sequence[str]:
    """Appends one tree to the nodes; returns the words after it."""
    name, condition, limit = words[0].partition("<=")
    if not condition:
        nodes.append((-1, float(name), 0))
        return words[1:]
    at = len(nodes)
    nodes.append((columns[name], float(limit), 0))
    rest = _parse_tree(words[1:], nodes, columns)
    nodes[at] = (columns[name], float(limit), len(nodes))
    return _parse_tree(rest, nodes, columns)
