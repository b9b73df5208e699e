"""SCAM: relative frequency of words, over those that both articles use about equally often.

    w is close   ⇔  ε − (F1/F2 + F2/F1) > 0
    subset(d1,d2) = Σ_{w close} F1·F2 / Σ_w F1²

The larger of subset(d1,d2) and subset(d2,d1), at most 1, is the similarity.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from samestory import Article
from tests.reference.shares import Result, contains, without_features
from tests.reference.text import StopList, Table, terms


def close(left: Mapping[str, int], right: Mapping[str, int], epsilon: float = 2.5) -> set[str]:
    """The words that stand in both about equally often."""
    return {w for w in left if right.get(w) and epsilon - (left[w] / right[w] + right[w] / left[w]) > 0}


def subset(left: Mapping[str, int], right: Mapping[str, int], epsilon: float = 2.5) -> float:
    """How far left is a subset of right, which may be more than 1."""
    common = sum(left[w] * right[w] for w in close(left, right, epsilon))
    return common / sum(count**2 for count in left.values())


def compare(
    left: Article,
    right: Article,
    *,
    table: Table | None = None,
    epsilon: float = 2.5,
    threshold: float = 0.6,
    stemming: str = "none",
    stop_words: bool = True,
    stop_list: StopList | None = None,
) -> Result:
    """Decided by containment."""
    a, b = (Counter(terms(article, stemming, stop_words, stop_list=stop_list)) for article in (left, right))
    return without_features(bool(a), bool(b)) or contains(
        min(1.0, subset(a, b, epsilon)), min(1.0, subset(b, a, epsilon)), threshold
    )
