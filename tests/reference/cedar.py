"""CEDAR: resemblance of word runs, the most frequent runs of the collection left out.

    r(A,B) = |S(A) ∩ S(B)| / |S(A) ∪ S(B)|

Gibson, Wellner and Lubar (2007), Identification of duplicate news stories in web pages. [gibson2007]
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence, Set
from typing import Any

from samestory import Article
from tests.reference.shares import Result, resembling_sets
from tests.reference.text import shingles, terms

Run = tuple[str, ...]


def runs(article: Article, shingle: int) -> set[Any]:
    """All runs of so many words."""
    return set(shingles(terms(article), shingle))


def frequent(
    articles: Sequence[Article], shingle: int, percent: float, by: str, rank: Callable[[Any], int]
) -> set[Any]:
    """The runs that are left out: by articles that have them, then by rank, the first that make up the percentage."""
    counts = Counter(run for article in articles for run in runs(article, shingle))
    order = sorted(counts, key=lambda run: (-counts[run], rank(run)))
    total = len(counts) if by == "shingles" else sum(counts.values())
    out: set[Any] = set()
    weight = 0
    for run in order:
        weight += 1 if by == "shingles" else counts[run]
        if weight > percent / 100 * total + 1e-9:
            break
        out.add(run)
    return out


def compare(
    left: Article, right: Article, *, shingle: int = 2, threshold: float = 0.4, left_out: Set[Any] = frozenset()
) -> Result:
    """Near where r reaches the threshold; the shares are the two containments."""
    a, b = (runs(article, shingle) - left_out for article in (left, right))
    return resembling_sets(a, b, threshold)
