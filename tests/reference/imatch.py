"""I-Match: one hash of the terms that are neither frequent nor rare; equal hashes are duplicates.

Three forms: a band of normalised idf; ten terms by idf, the first two left aside (Varol 2012, section 4.2); a band with
random lexicons beside it, any of whose hashes may agree. [varol2012]
"""

from __future__ import annotations

import math
from collections.abc import Iterable

from samestory import Article
from tests.reference.exact_hash import sha1
from tests.reference.shares import APART, NEAR, Result, without_features
from tests.reference.text import Hash64, StopList, Table, hash64_or_own, terms, wanted


def digest(chosen: Iterable[str]) -> str | None:
    """SHA-1 of the different terms in ascending order, one a line; none where there is no term."""
    lines = "\n".join(sorted(set(chosen)))
    return sha1(lines) if lines else None


def in_band(
    words: Iterable[str], table: Table, low: float, high: float, log_base: float = 10.0, plus_one: bool = False
) -> set[str]:
    """The terms with low <= idf / log N <= high; none in a collection of one article, where log N = 0."""
    most = math.log(max(table.articles, 1), log_base)
    if not most:
        return set()
    return {term for term in set(words) if low <= table.idf(term, log_base, plus_one) / most <= high}


def middle(words: Iterable[str], table: Table, skip: int = 2, count: int = 10) -> set[str]:
    """So many terms by descending idf, behind the first two, which are likely misspelt."""
    return set(table.rarest_first(words)[skip : skip + count])


def lexicon(band: set[str], number: int, drop: float, hash64: Hash64) -> set[str]:
    """Lexicon k of a band: term t is dropped iff hash64(k, t) / 2^64 < drop; lexicon 0 is the band."""
    return {term for term in band if number == 0 or hash64(number, term) / 2**64 >= drop}


def equal(left: str | None, right: str | None) -> Result:
    """Related if both have a hash and it is the same."""
    return without_features(left is not None, right is not None) or (NEAR if left == right else APART)


def compare(
    left: Article,
    right: Article,
    *,
    table: Table | None = None,
    low: float = 0.2,
    high: float = 0.8,
    stemming: str = "none",
    stop_words: bool = False,
    log_base: float = 10.0,
    plus_one: bool = False,
    stop_list: StopList | None = None,
) -> Result:
    """imatch-idf."""

    def signature(article: Article) -> str | None:
        words = terms(article, stemming, stop_words, stop_list=stop_list)
        return digest(in_band(words, wanted(table), low, high, log_base, plus_one))

    return equal(signature(left), signature(right))


def compare_top(
    left: Article,
    right: Article,
    *,
    table: Table | None = None,
    skip: int = 2,
    count: int = 10,
    stemming: str = "F5",
    stop_words: bool = True,
    stop_list: StopList | None = None,
) -> Result:
    """imatch-top10. An article with no more terms than are left aside has no hash."""

    def signature(article: Article) -> str | None:
        return digest(middle(terms(article, stemming, stop_words, stop_list=stop_list), wanted(table), skip, count))

    return equal(signature(left), signature(right))


def signatures(
    words: Iterable[str],
    table: Table,
    low: float,
    high: float,
    lexicons: int,
    drop: float,
    least: float,
    hash64: Hash64,
    log_base: float = 10.0,
    plus_one: bool = False,
) -> list[str | None]:
    """The hash by each lexicon; none at all where too small a share of the different terms lies in the band."""
    different = set(words)
    band = in_band(different, table, low, high, log_base, plus_one)
    if not different or len(band) / len(different) < least:
        return [None] * (lexicons + 1)
    return [digest(lexicon(band, number, drop, hash64)) for number in range(lexicons + 1)]


def compare_random(
    left: Article,
    right: Article,
    *,
    table: Table | None = None,
    low: float = 0.2,
    high: float = 0.8,
    lexicons: int = 5,
    drop: float = 0.3,
    least: float = 0.1,
    stemming: str = "none",
    stop_words: bool = False,
    log_base: float = 10.0,
    plus_one: bool = False,
    stop_list: StopList | None = None,
    hash64: Hash64 | None = None,
) -> Result:
    """imatch-rand: related if any number agrees; share = those that agree / those that both have."""
    own = hash64_or_own(hash64)

    def signed(article: Article) -> list[str | None]:
        words = terms(article, stemming, stop_words, stop_list=stop_list)
        return signatures(words, wanted(table), low, high, lexicons, drop, least, own, log_base, plus_one)

    a, b = signed(left), signed(right)
    if found := without_features(any(a), any(b)):
        return found
    both = [(one, other) for one, other in zip(a, b, strict=True) if one and other]
    agreeing = sum(one == other for one, other in both)
    share = agreeing / len(both) if both else 0.0
    return share, share, "NEAR" if agreeing else None
