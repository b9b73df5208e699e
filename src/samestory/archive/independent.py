"""Counts the independent texts of a story: ten reprints of one wire story confirm it once."""

from __future__ import annotations

from collections.abc import Iterable

from samestory.model import Kind

#: Kinds by which an article derives its text from another. A different text about the same event is independent.
DERIVED = frozenset(Kind) - {Kind.SAME_EVENT, Kind.SHARES_TEXT}

#: An article as (number, time, likeness); articles with the same words have the same likeness.
DatedText = tuple[int, int, int]


def count_independent(articles: Iterable[DatedText], pairs: Iterable[tuple[int, int]]) -> int:
    """Count the texts of some articles that derive from no earlier one; `pairs` are articles with text in common.

    >>> count_independent([(1, 10, 7), (2, 20, 7), (3, 30, 8), (4, 40, 9)], [(3, 1)])
    2
    """
    first: dict[int, tuple[int, int]] = {}
    text = {}
    for number, time, likeness in articles:
        text[number] = likeness
        first[likeness] = min((time, number), first.get(likeness, (time, number)))
    derived = set()
    for one, other in pairs:
        if one in text and other in text and text[one] != text[other]:
            # the later of the two derives from the earlier
            derived.add(max(text[one], text[other], key=first.__getitem__))
    return len(first) - len(derived)
