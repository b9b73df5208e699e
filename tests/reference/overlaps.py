"""Overlaps straight from the formulas, on lists of words."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

Words = Sequence[Hashable]


def shingles(words: Words, width: int) -> list[tuple[Hashable, ...]]:
    """All runs of so many words, place by place; a shorter text is one run."""
    width = min(width, len(words))
    return [tuple(words[at : at + width]) for at in range(len(words) - width + 1)] if words else []


def shares(left: Words, right: Words, width: int) -> tuple[float, float]:
    """The share of the places of either side whose shingle stands in the other."""
    a, b = shingles(left, width), shingles(right, width)
    return sum(s in set(b) for s in a) / len(a), sum(s in set(a) for s in b) / len(b)


def jaccard(left: Words, right: Words, width: int) -> float:
    """|A ∩ B| / |A ∪ B| of the shingle sets."""
    a, b = set(shingles(left, width)), set(shingles(right, width))
    return len(a & b) / len(a | b)
