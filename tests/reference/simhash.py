"""SimHash: every bit is the sign of a weighted vote of the terms.

Each term adds its idf where a bit of its hash is 1 and takes it away where it is 0; a sum above zero gives 1. The two
terms of the highest idf are left aside. Near where fewer than three bits differ. Varol (2012), section 4.2. [varol2012]
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

from samestory import Article
from tests.reference.shares import Result, without_features
from tests.reference.text import StopList, Table, terms, wanted

#: Weights are whole numbers of so small a part, so that a sum of zero is zero.
UNIT = 1_000_000


def term_hash(term: str, bits: int) -> int:
    """The first bits of SHA-1 of the term."""
    return int.from_bytes(hashlib.sha1(term.encode()).digest(), "big") >> (160 - bits)


def sums(votes: Iterable[tuple[int, int]], bits: int) -> list[int]:
    """For every bit, the most significant first, the sum of the weights under their signs."""
    out = [0] * bits
    for hashed, weight in votes:
        for place in range(bits):
            out[place] += weight if hashed >> (bits - 1 - place) & 1 else -weight
    return out


def fingerprint(votes: Iterable[tuple[int, int]], bits: int) -> int:
    """Bit 1 where the sum is above zero."""
    return int("".join("1" if total > 0 else "0" for total in sums(votes, bits)), 2)


def votes(
    words: Iterable[str],
    table: Table,
    bits: int = 64,
    skip: int = 2,
    log_base: float = 10.0,
    plus_one: bool = False,
) -> list[tuple[int, int]]:
    """Hash and whole weight of the terms that are not left aside; none where no term weighs anything."""
    kept = table.rarest_first(words)[skip:]
    found = [(term_hash(term, bits), round(table.idf(term, log_base, plus_one) * UNIT)) for term in kept]
    return found if any(weight for _, weight in found) else []


def compare(
    left: Article,
    right: Article,
    *,
    table: Table | None = None,
    bits: int = 64,
    distance: int = 3,
    skip: int = 2,
    stemming: str = "F5",
    stop_words: bool = True,
    log_base: float = 10.0,
    plus_one: bool = False,
    stop_list: StopList | None = None,
) -> Result:
    """Near where fewer than `distance` bits differ; share = the bits that agree."""
    a, b = (
        votes(terms(article, stemming, stop_words, stop_list=stop_list), wanted(table), bits, skip, log_base, plus_one)
        for article in (left, right)
    )
    if found := without_features(bool(a), bool(b)):
        return found
    different = (fingerprint(a, bits) ^ fingerprint(b, bits)).bit_count()
    share = 1 - different / bits
    return share, share, "NEAR" if different < distance else None
