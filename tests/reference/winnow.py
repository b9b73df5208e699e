"""Winnowing: of every window of hashes of runs of characters, keep the least, the rightmost where there are several.

A run of at least window + gram − 1 characters that two texts share is always found.
"""

from __future__ import annotations

from collections.abc import Sequence

from samestory import Article
from tests.reference.shares import Result, contained_sets
from tests.reference.text import Hash64, Table, hash64_or_own, letters_and_digits, substrings


def select(hashes: Sequence[int], window: int) -> list[tuple[int, int]]:
    """(hash, place) of what is kept, each place once; fewer hashes than a window are one window."""
    window = min(window, len(hashes))
    out: list[tuple[int, int]] = []
    for start in range(len(hashes) - window + 1) if hashes else ():
        least = min(hashes[start : start + window])
        place = max(at for at in range(start, start + window) if hashes[at] == least)
        if (least, place) not in out:
            out.append((least, place))
    return out


def compare(
    left: Article,
    right: Article,
    *,
    table: Table | None = None,
    gram: int = 15,
    window: int = 20,
    threshold: float = 0.4,
    hash64: Hash64 | None = None,
) -> Result:
    """Decided by containment of the sets of hashes kept."""
    hashed = hash64_or_own(hash64)

    def kept(article: Article) -> set[int]:
        hashes = [hashed(0, run) for run in substrings(letters_and_digits(article), gram)]
        return {value for value, _ in select(hashes, window)}

    return contained_sets(kept(left), kept(right), threshold)
