"""Cosine of two tf·idf vectors.

cos = d_i·d_j / (|d_i| |d_j|)
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping

from samestory import Article
from tests.reference.shares import Result, reaches, without_features
from tests.reference.text import StopList, Table, terms, wanted


def vector(words: Iterable[str], table: Table, log_base: float = 10.0, plus_one: bool = False) -> dict[str, float]:
    """tf·idf of the terms that weigh anything."""
    weights = {term: count * table.idf(term, log_base, plus_one) for term, count in Counter(words).items()}
    return {term: weight for term, weight in weights.items() if weight}


def cosine(left: Mapping[str, float], right: Mapping[str, float]) -> float:
    """The cosine of two vectors that are not zero."""
    dot = math.fsum(weight * right[term] for term, weight in left.items() if term in right)
    squares = [math.fsum(weight**2 for weight in side.values()) for side in (left, right)]
    return min(1.0, dot / math.sqrt(squares[0] * squares[1]))


def compare(
    left: Article,
    right: Article,
    *,
    table: Table | None = None,
    threshold: float = 0.6,
    stemming: str = "none",
    stop_words: bool = True,
    log_base: float = 10.0,
    plus_one: bool = False,
    stop_list: StopList | None = None,
) -> Result:
    """Near where the cosine, which is both shares, reaches the threshold."""
    a, b = (
        vector(terms(article, stemming, stop_words, stop_list=stop_list), wanted(table), log_base, plus_one)
        for article in (left, right)
    )
    if found := without_features(bool(a), bool(b)):
        return found
    share = cosine(a, b)
    return share, share, "NEAR" if reaches(share, threshold) else None
