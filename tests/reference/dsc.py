"""Digital syntactic clustering (dsc) and its super-shingles (dsc-ss).

The sketch of an article: Rabin fingerprints of its runs of ten words, of which those divisible by 25 are kept. Sketches
are compared by their resemblance, or by sharing a run of neighbours in their sorted order.
Broder (1997), On the resemblance and containment of documents. [broder1997]
"""

from __future__ import annotations

from collections.abc import Sequence

from samestory import Article
from tests.reference.rabin import fingerprint
from tests.reference.shares import Result, resembling_sets, without_features
from tests.reference.text import Table, shingles, terms


def sketch(words: Sequence[str], shingle: int = 10, modulus: int = 25, smallest: int = 0) -> set[int]:
    """The fingerprints kept: by value, then the smallest (0: all of them); where none is left, all."""
    every = {fingerprint(" ".join(run).encode()) for run in shingles(words, shingle)}
    kept = sorted(value for value in every if value % modulus == 0)
    return set(kept[:smallest] if smallest else kept) or every


def supers(sketch: set[int], size: int) -> set[tuple[int, ...]]:
    """Every run of neighbours of the sorted sketch; a smaller sketch is one run."""
    ordered = sorted(sketch)
    size = min(size, len(ordered))
    return {tuple(ordered[at : at + size]) for at in range(len(ordered) - size + 1)} if ordered else set()


def compare(
    left: Article,
    right: Article,
    *,
    table: Table | None = None,
    shingle: int = 10,
    modulus: int = 25,
    smallest: int = 0,
    threshold: float = 0.5,
) -> Result:
    """dsc: resemblance of the sketches. A ceiling on frequent shingles is a matter of a collection, not of a pair."""
    a, b = (sketch(terms(article), shingle, modulus, smallest) for article in (left, right))
    return resembling_sets(a, b, threshold)


def compare_super(
    left: Article,
    right: Article,
    *,
    table: Table | None = None,
    shingle: int = 10,
    modulus: int = 25,
    super: int = 4,
) -> Result:
    """dsc-ss: near where one super-shingle is common; share = common / own."""
    a, b = (supers(sketch(terms(article), shingle, modulus), super) for article in (left, right))
    if found := without_features(bool(a), bool(b)):
        return found
    common = len(a & b)
    return common / len(a), common / len(b), "NEAR" if common else None
