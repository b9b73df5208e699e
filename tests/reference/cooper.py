"""Cooper's signature: the sum of the hash codes of the salient terms, modulo 2^32.

Salient are the hundred terms of the highest tf·idf; the hash code is that of Java, h = 31·h + c over UTF-16 units.
Equal sums make candidates, which are verified on the sets of terms.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from samestory import Article
from tests.reference.shares import Result, resembling_sets
from tests.reference.text import StopList, Table, terms, wanted


def java_hash(term: str) -> int:
    """h = 31·h + c, modulo 2^32."""
    data = term.encode("utf-16-be")
    h = 0
    for at in range(0, len(data), 2):
        h = (31 * h + int.from_bytes(data[at : at + 2], "big")) % 2**32
    return h


def salient_terms(
    words: Iterable[str], table: Table, salient: int = 100, log_base: float = 10.0, plus_one: bool = False
) -> set[str]:
    """The terms of the highest tf·idf; equal ones by the alphabet. None where no term weighs anything."""
    weights = {term: count * table.idf(term, log_base, plus_one) for term, count in Counter(words).items()}
    if not any(weights.values()):
        return set()
    return set(sorted(weights, key=lambda term: (-weights[term], term))[:salient])


def signature(salient: Iterable[str]) -> int:
    """The sum of the hash codes."""
    return sum(java_hash(term) for term in salient) % 2**32


def compare(
    left: Article,
    right: Article,
    *,
    table: Table | None = None,
    salient: int = 100,
    threshold: float = 1.0,
    stemming: str = "none",
    stop_words: bool = True,
    log_base: float = 10.0,
    plus_one: bool = False,
    stop_list: StopList | None = None,
) -> Result:
    """Near where the resemblance of the salient sets reaches the threshold; 1 wants equal sets, hence equal sums."""
    a, b = (
        salient_terms(
            terms(article, stemming, stop_words, stop_list=stop_list), wanted(table), salient, log_base, plus_one
        )
        for article in (left, right)
    )
    return resembling_sets(a, b, threshold)
