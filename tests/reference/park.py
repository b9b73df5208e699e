"""Lexical signatures of about five words: by frequency in the article, by rarity, by tf·idf, or some by either.

A hybrid takes its rarest words first and fills up by tf or tf·idf: df2tf3 is the two rarest and three by tf. PW is
tf·idf where no word counts more than five times. Where the weights of all words are zero there is no signature.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from samestory import Article
from tests.reference.shares import Result, reaches, without_features
from tests.reference.text import StopList, Table, terms, wanted

#: PW: more than so often does not count.
CAP = 5
#: How many of the rarest words come first (none: all of them), and what fills up.
VARIANTS: dict[str, tuple[int | None, str]] = {
    "tf": (0, "tf"),
    "df": (None, ""),
    "tfidf": (0, "tfidf"),
    "pw": (0, "pw"),
    "df1tf4": (1, "tf"),
    "df2tf3": (2, "tf"),
    "df1tfidf4": (1, "tfidf"),
    "df2tfidf3": (2, "tfidf"),
}


def signature(
    found: Sequence[str],
    table: Table,
    variant: str = "df2tf3",
    words: int = 5,
    log_base: float = 10.0,
    plus_one: bool = False,
) -> set[str]:
    """The words that stand for an article; equal ones come by the alphabet."""
    counts = Counter(found)
    rare, filling = VARIANTS[variant]
    first = table.rarest_first(counts)[: words if rare is None else min(rare, words)]

    def weight(term: str) -> float:
        count = min(counts[term], CAP) if filling == "pw" else counts[term]
        return count if filling == "tf" else count * table.idf(term, log_base, plus_one)

    if not any(weight(term) for term in counts):
        return set()

    others = sorted(set(counts) - set(first), key=lambda term: (-weight(term), term))
    return {*first, *others[: words - len(first)]}


def compare(
    left: Article,
    right: Article,
    *,
    table: Table | None = None,
    variant: str = "df2tf3",
    words: int = 5,
    threshold: float = 0.8,
    stemming: str = "none",
    stop_words: bool = True,
    log_base: float = 10.0,
    plus_one: bool = False,
    stop_list: StopList | None = None,
) -> Result:
    """Near where the larger share of the signature reaches the threshold; share = common / own."""
    a, b = (
        signature(
            terms(article, stemming, stop_words, stop_list=stop_list),
            wanted(table),
            variant,
            words,
            log_base,
            plus_one,
        )
        for article in (left, right)
    )
    if found := without_features(bool(a), bool(b)):
        return found
    common = len(a & b)
    forward, backward = common / len(a), common / len(b)
    return forward, backward, "NEAR" if reaches(max(forward, backward), threshold) else None
