"""Sanderson's tests: articles published within 48 hours that retrieve each other.

    score(d,q) / score(q,q) with score = q·d / |d|,  which is the cosine

Nearly the same and of about one length: identical. Similar, but one clearly longer: the shorter is part of it. Similar
and of about one length: near.
"""

from __future__ import annotations

from samestory import Article, _core
from tests.reference.cosine import cosine, vector
from tests.reference.shares import Result, reaches, without_features
from tests.reference.text import StopList, Table, length, terms, wanted

HOUR = 3600 * 10**6


def within(left: Article, right: Article, hours: float) -> bool:
    """Whether they were published so near to each other; an unknown date is compatible with every date."""
    times = [_core.engine.microseconds(article.published) if article.published else None for article in (left, right)]
    return times[0] is None or times[1] is None or abs(times[0] - times[1]) <= hours * HOUR


def kind(
    share: float, words: tuple[int, int], similar: float = 0.8, exact: float = 0.95, longer: float = 0.8
) -> str | None:
    """What a cosine means between articles of so many words."""
    ratio = min(words) / max(words)
    if reaches(share, exact) and ratio > longer:
        return "IDENTICAL"
    if not reaches(share, similar):
        return None
    if ratio > longer or words[0] == words[1]:
        return "NEAR"
    return "PART_OF" if words[0] < words[1] else "HAS_PART"


def compare(
    left: Article,
    right: Article,
    *,
    table: Table | None = None,
    hours: float = 48,
    similar: float = 0.8,
    exact: float = 0.95,
    longer: float = 0.8,
    stemming: str = "none",
    stop_words: bool = False,
    log_base: float = 10.0,
    plus_one: bool = False,
    stop_list: StopList | None = None,
) -> Result:
    """Both shares are the cosine."""
    a, b = (
        vector(terms(article, stemming, stop_words, stop_list=stop_list), wanted(table), log_base, plus_one)
        for article in (left, right)
    )
    if found := without_features(bool(a), bool(b)):
        return found
    share = cosine(a, b)
    near_in_time = within(left, right, hours)
    return share, share, kind(share, (length(left), length(right)), similar, exact, longer) if near_in_time else None
