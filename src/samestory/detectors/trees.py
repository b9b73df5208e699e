"""Small decision trees in a text file: what numbers about a pair say, added up.

A line is a language and either `base` with a number or a tree: a question (`cosine<=0.25`), then the tree for yes, then
the tree for no; a number is an answer. Those of `event`, in the core, are written the same way.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from samestory.errors import InputError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

#: Pairs asked about at a time.
CHUNK = 1 << 13


@dataclass(frozen=True, eq=False)
class Trees:
    """The trees of one language, their nodes one after the other; an answer has no number to ask about (−1)."""

    base: float
    roots: NDArray[np.int64]
    number: NDArray[np.int64]
    limit: NDArray[np.float64]
    greater: NDArray[np.int64]

    def sums(self, numbers: NDArray[np.float64]) -> NDArray[np.float64]:
        """What they say of rows of numbers: 0 is as likely as not."""
        import numpy as np

        out = np.full(len(numbers), self.base)
        for start in range(0, len(numbers), CHUNK):
            here = numbers[start : start + CHUNK]
            for root in self.roots:
                at = np.full(len(here), root)
                asked = np.arange(len(here)) if self.number[root] >= 0 else np.zeros(0, np.int64)
                while len(asked):
                    node = at[asked]
                    more = here[asked, self.number[node]] > self.limit[node]
                    at[asked] = np.where(more, self.greater[node], node + 1)
                    asked = asked[self.number[at[asked]] >= 0]
                out[start : start + CHUNK] += self.limit[at]
        return out


def read_trees(text: str, names: Sequence[str]) -> dict[str, Trees]:
    """The trees of every language of a file; `names` are those of the numbers, in their order.

    >>> import numpy as np
    >>> trees = read_trees("en base 0.5\\nen near<=0.2 -1 2\\n", ["days", "near"])["en"]
    >>> trees.sums(np.array([[3.0, 0.2], [3.0, 0.3]])).tolist()
    [-0.5, 2.5]
    """
    import numpy as np

    place = {name: at for at, name in enumerate(names)}
    bases: dict[str, float] = {}
    grown: dict[str, tuple[list[int], list[tuple[int, float, int]]]] = {}
    for line_number, line in enumerate(text.splitlines(), 1):
        if not line or line.startswith("#"):
            continue
        language, *words = line.split(" ")
        roots, nodes = grown.setdefault(language, ([], []))
        try:
            if words[0] == "base":
                bases[language] = float(words[1])
                continue
            roots.append(len(nodes))
            if rest := _grow(words, nodes, place):
                raise ValueError(f"nothing after the tree, got {' '.join(rest)!r}")
        except (ValueError, IndexError, KeyError) as error:
            raise InputError(f"trees: at line {line_number}, a tree of known numbers is wanted: {error}") from None
    out = {}
    for language, (roots, nodes) in grown.items():
        number, limit, greater = (np.array(column) for column in zip(*nodes, strict=True))
        out[language] = Trees(bases.get(language, 0.0), np.array(roots), number, limit, greater)
    return out


def _grow(words: Sequence[str], nodes: list[tuple[int, float, int]], place: dict[str, int]) -> Sequence[str]:
    """Reads one tree into the nodes; gives the words behind it."""
    name, question, limit = words[0].partition("<=")
    if not question:
        nodes.append((-1, float(name), 0))
        return words[1:]
    at = len(nodes)
    nodes.append((place[name], float(limit), 0))
    rest = _grow(words[1:], nodes, place)
    nodes[at] = (place[name], float(limit), len(nodes))
    return _grow(rest, nodes, place)
