"""Henzinger's combination, second stage: random projection of the term frequencies to 384 bits, 355 of which agree.

The first stage is that of mega-shingles, whose hashes are random, so there is no oracle for it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from samestory import Article
from tests.reference.shares import Result, without_features
from tests.reference.text import Hash64, Table, hash64_or_own, terms

WORD = 64


def projection(frequencies: Mapping[str, int], bits: int = 384, hash64: Hash64 | None = None) -> list[int]:
    """Bit i is 1 iff the sum of ±tf over the terms is above zero, + where bit i of the term's hash is 1.

    The hash of a term: hash64(0, term), hash64(1, term), …, each with its most significant bit first.
    """
    hashed = hash64_or_own(hash64)
    sums = [0] * bits
    for term, count in frequencies.items():
        for bit in range(bits):
            word = hashed(bit // WORD, term)
            sums[bit] += count if word >> (WORD - 1 - bit % WORD) & 1 else -count
    return [int(total > 0) for total in sums]


def second_stage(
    left: Article,
    right: Article,
    *,
    table: Table | None = None,
    bits: int = 384,
    agreeing: int = 355,
    hash64: Hash64 | None = None,
) -> Result:
    """What is said of a pair that the first stage lets through."""
    a, b = Counter(terms(left)), Counter(terms(right))
    if found := without_features(bool(a), bool(b)):
        return found
    ones, others = projection(a, bits, hash64), projection(b, bits, hash64)
    same = sum(one == other for one, other in zip(ones, others, strict=True))
    return same / bits, same / bits, "NEAR" if same >= agreeing else None
