"""How many texts of a story owe nothing to an earlier one: ten reprints of one wire story confirm it once."""

from __future__ import annotations

from collections.abc import Iterable

from samestory.model import Kind

#: What one has to do with another whose text it took. Another text about the same event is one of its own.
TAKEN = frozenset(Kind) - {Kind.SAME_EVENT, Kind.SHARES_TEXT}

#: An article: its number, its time, and the number that articles with the same words share.
Known = tuple[int, int, int]


def independent(articles: Iterable[Known], pairs: Iterable[tuple[int, int]]) -> int:
    """Counts the texts of some articles that were taken from no earlier one; `pairs` have text in common.

    >>> independent([(1, 10, 7), (2, 20, 7), (3, 30, 8), (4, 40, 9)], [(3, 1)])
    2
    """
    first: dict[int, tuple[int, int]] = {}
    text = {}
    for number, time, likeness in articles:
        text[number] = likeness
        first[likeness] = min((time, number), first.get(likeness, (time, number)))
    taken = set()
    for one, other in pairs:
        if one in text and other in text and text[one] != text[other]:
            # the later of the two took it
            taken.add(max(text[one], text[other], key=first.__getitem__))
    return len(first) - len(taken)
