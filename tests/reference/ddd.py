"""The feature sets of Conrad (2006): date, length, and the sixty rarest words. [conrad2006]

Duplicates are published within six weeks of each other, the shorter has at least 80 % of the words of the longer, and
their vectors of the rarest words overlap by at least 80 %. Short vectors are compared in several ways.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from samestory import Article, _core
from tests.reference.shares import Result, reaches, without_features
from tests.reference.text import StopList, Table, wanted
from tests.reference.text import length as words_of
from tests.reference.text import terms as terms_of

DAY = 86400 * 10**6


def vector(words: Iterable[str], table: Table, terms: int = 60, short: str = "c-guarded", least: int = 20) -> list[str]:
    """The rarest different words, the rarest first; none where there are too few to tell anything.

    c-oov: the words of the table first; those missing in it fill up, by the alphabet.
    """
    different = set(words)
    if len(different) < least:
        return []
    if short == "c-oov":
        known = table.rarest_first(word for word in different if word in table.counts)
        return [*known, *sorted(different - set(known))][:terms]
    return table.rarest_first(different)[:terms]


def overlap(left: Sequence[str], right: Sequence[str], terms: int = 60, short: str = "c-guarded") -> float:
    """How much two vectors that are not empty have in common.

    Full vectors: common / 60. Short ones:
    a and c-oov: common / the size of the larger; b: the rarest n of either, n the size of the smaller;
    c-pad: (common + shared padding) / 60; c-guarded: that, but not more than common / the size of the smaller.
    """
    fewer = min(len(left), len(right))
    if short == "b":
        return len(set(left[:fewer]) & set(right[:fewer])) / fewer
    common = len(set(left) & set(right))
    if short in ("a", "c-oov"):
        return common / max(len(left), len(right))
    if short not in ("c-pad", "c-guarded"):
        raise ValueError(f"no such option: {short}")
    padding = min(terms - len(left), terms - len(right))
    padded = (common + padding) / terms
    return padded if short == "c-pad" else min(padded, common / fewer)


def day(article: Article) -> int | None:
    """The day of publication as a number, where it is known."""
    at = _core.engine.microseconds(article.published) if article.published else None
    return None if at is None else at // DAY


def candidates(
    days: tuple[int | None, int | None], words: tuple[int, int], window: int = 42, length: float = 0.8
) -> bool:
    """Near enough in time, as far as that is known, and in length?"""
    if days[0] is not None and days[1] is not None and abs(days[0] - days[1]) > window:
        return False
    return min(words) / max(words) >= length


def compare(
    left: Article,
    right: Article,
    *,
    table: Table | None = None,
    days: int = 42,
    length: float = 0.8,
    terms: int = 60,
    threshold: float = 0.8,
    short: str = "c-guarded",
    least: int = 20,
    stemming: str = "none",
    stop_words: bool = False,
    stop_list: StopList | None = None,
) -> Result:
    """Near where the pair is a candidate and its overlap, which is both shares, reaches the threshold."""
    a, b = (
        vector(terms_of(article, stemming, stop_words, stop_list=stop_list), wanted(table), terms, short, least)
        for article in (left, right)
    )
    if found := without_features(bool(a), bool(b)):
        return found
    share = overlap(a, b, terms, short)
    likely = candidates((day(left), day(right)), (words_of(left), words_of(right)), days, length)
    return share, share, "NEAR" if likely and reaches(share, threshold) else None
