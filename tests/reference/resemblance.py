"""Resemblance of two shingle sets, counted.

    r(A,B) = |S(A) ∩ S(B)| / |S(A) ∪ S(B)|

Broder (1997), On the resemblance and containment of documents. [broder1997]
"""

from __future__ import annotations

from samestory import Article
from tests.reference.shares import Result, resembling_sets
from tests.reference.text import StopList, Table, shingles, terms


def compare(
    left: Article,
    right: Article,
    *,
    table: Table | None = None,
    shingle: int = 2,
    threshold: float = 0.4,
    stemming: str = "none",
    stop_words: bool = False,
    stop_list: StopList | None = None,
) -> Result:
    """Near where r reaches the threshold; the shares are the two containments."""
    a, b = (shingles(terms(article, stemming, stop_words, stop_list=stop_list), shingle) for article in (left, right))
    return resembling_sets(a, b, threshold)
