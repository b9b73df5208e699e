"""Days: articles put apart by the UTC date of their publication, each day a corpus of its own."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import NamedTuple

from samestory import _core
from samestory.index.index import EPOCH
from samestory.model import Article


class Day(NamedTuple):
    """The articles of a day, new ones and old ones; `date` is None for articles without a date."""

    date: str | None
    new: list[Article]
    old: list[Article]


def date_of(article: Article) -> str | None:
    """The UTC date of publication.

    >>> date_of(Article("a", "", published="2026-03-02T01:30:00+03:00"))
    '2026-03-01'
    """
    at = _core.engine.microseconds(article.published) if article.published else None
    return None if at is None else (EPOCH + timedelta(microseconds=at)).date().isoformat()


def days(new: Sequence[Article], old: Sequence[Article] = ()) -> list[Day]:
    """The days on which there are new articles, the earliest first; articles without a date are one corpus, the last.

    >>> [day.date for day in days([Article("a", "", published="2026-03-02"), Article("b", "")])]
    ['2026-03-02', None]
    """
    found: dict[str | None, Day] = {}
    for article in new:
        date = date_of(article)
        found.setdefault(date, Day(date, [], [])).new.append(article)
    for article in old:
        if (day := found.get(date_of(article))) is not None:
            day.old.append(article)
    return sorted(found.values(), key=lambda day: (day.date is None, day.date or ""))
