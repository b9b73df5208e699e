"""SIF: Rabin fingerprints of all substrings of fifty bytes, of which those divisible by 256 are kept."""

from __future__ import annotations

from samestory import Article
from tests.reference.rabin import fingerprint
from tests.reference.shares import Result, contained_sets
from tests.reference.text import Table
from tests.reference.tokens import tokens


def fingerprints(data: bytes, length: int = 50, modulus: int = 256) -> set[int]:
    """The fingerprints kept; where none is, all. A shorter text is one substring, an empty one has none."""
    length = min(length, len(data))
    every = {fingerprint(data[at : at + length]) for at in range(len(data) - length + 1)} if data else set()
    return {value for value in every if value % modulus == 0} or every


def compare(
    left: Article,
    right: Article,
    *,
    table: Table | None = None,
    length: int = 50,
    modulus: int = 256,
    threshold: float = 0.5,
) -> Result:
    """Decided by containment. The bytes are those of the text as it stands; one without a word has no features."""
    a, b = (
        fingerprints(article.text.encode() if tokens(article.text) else b"", length, modulus)
        for article in (left, right)
    )
    return contained_sets(a, b, threshold)
