"""COPS: break articles into units, form chunks of units, count the chunks that two articles share.

Units A B C D E F: one a chunk; three apart (ABC, DEF); three overlapping (ABC, BCD, CDE, DEF); of variable length, cut
behind a unit whose hash is divisible by the size. Related by a share of chunks, or by a number of them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from samestory import Article
from tests.reference.shares import Result, contains, without_features
from tests.reference.text import (
    Hash64,
    Table,
    fold,
    hash64_or_own,
    language,
    letters_and_digits,
    runs,
    sentences,
    terms,
)
from tests.reference.tokens import tokens

LINE_END = re.compile("[\n\r\u2028\u2029]")


def units(article: Article, unit: str) -> list[str]:
    """A sentence or a paragraph (a line) is its terms with one blank between them; one without terms is left out."""
    if unit == "sentence":
        return [" ".join(sentence) for sentence in sentences(article)]
    if unit == "paragraph":
        code = language(article)
        lines = [
            " ".join(fold(line[token.start : token.base], code) for token in tokens(line))
            for line in LINE_END.split(article.text)
        ]
        return [line for line in lines if line]
    if unit == "word":
        return terms(article)
    if unit == "character":
        return list(letters_and_digits(article))
    raise ValueError(f"no such unit: {unit}")


def chunks(units: Sequence[str], chunking: str, size: int = 3, hash64: Hash64 | None = None) -> list[tuple[str, ...]]:
    """The chunks in order; a last one that is not full counts too."""
    if chunking == "single":
        return [(unit,) for unit in units]
    if chunking == "disjoint":
        return [tuple(units[at : at + size]) for at in range(0, len(units), size)]
    if chunking == "overlapping":
        return runs(units, size)
    if chunking == "variable":
        hashed = hash64_or_own(hash64)
        out: list[tuple[str, ...]] = []
        open_chunk: list[str] = []
        for unit in units:
            open_chunk.append(unit)
            if hashed(0, unit) % size == 0:
                out.append(tuple(open_chunk))
                open_chunk = []
        return [*out, tuple(open_chunk)] if open_chunk else out
    raise ValueError(f"no such chunking: {chunking}")


def compare(
    left: Article,
    right: Article,
    *,
    table: Table | None = None,
    unit: str = "sentence",
    chunking: str = "single",
    size: int = 3,
    threshold: float = 0.4,
    count: int = 10,
    hash64: Hash64 | None = None,
) -> Result:
    """Decided by containment; where only the number of common chunks decides, near."""
    a, b = (set(chunks(units(article, unit), chunking, size, hash64)) for article in (left, right))
    if found := without_features(bool(a), bool(b)):
        return found
    common = len(a & b)
    forward, backward, kind = contains(common / len(a), common / len(b), threshold)
    return forward, backward, kind or ("NEAR" if common >= count else None)
