"""Overlaps straight from the formulas, on lists of words."""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence

Words = Sequence[Hashable]

#: What the rule of reuse holds beside its parameters (docs/concepts/reuse.md): the length that is usual, the range in
#: which length counts, the pull on the agreement of few facts (so many facts more, agreeing to this share), and how
#: much smaller a part is than its whole.
USUAL_LENGTH = 300
LENGTHS = (100, 600)
FACTS_PRIOR = (2, 0.4)
PART_SKEW = 0.75


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


def agreement(left: set[Hashable], right: set[Hashable]) -> float:
    """The share of the facts of the side with fewer found in the other, drawn to the prior."""
    more, aim = FACTS_PRIOR
    return (len(left & right) + more * aim) / (min(len(left), len(right)) + more)


def reuse_kind(
    left: Words,
    right: Words,
    facts: tuple[set[Hashable], set[Hashable]],
    *,
    width: int,
    threshold: float,
    weight: float,
    length: float,
    minimum: float,
    part: float,
) -> str:
    """The kind that reuse(form=False) must give to two articles with words."""
    if list(left) == list(right):
        return "IDENTICAL"
    forward, backward = shares(left, right, width)
    longer = min(max(len(left), len(right), LENGTHS[0]), LENGTHS[1])
    needed = threshold - weight * (agreement(*facts) - 0.5) - length * math.log(longer / USUAL_LENGTH)
    if max(forward, backward) < max(needed, minimum) or forward == backward == 0:
        return "NONE"
    if forward >= part and backward < PART_SKEW * forward**2:
        return "PART_OF"
    if backward >= part and forward < PART_SKEW * backward**2:
        return "HAS_PART"
    return "NEAR"
