"""SimHash: every bit is a vote of the terms, weighed by how rare they are; near articles differ in few bits.

    bit i = 1  ⇔  Σ ± idf(t) > 0,  + where bit i of SHA-1(t) is 1, − where it is 0
    forward = backward = 1 − differing bits / bits

The sum goes over the different terms of an article but for the two of the highest idf, which are likely misspelt. Idf
is rounded to whole millionths, so that a tie is a tie and gives 0. Two articles are near where fewer than `distance`
bits differ. Without a term that weighs anything there is no signature: nobody has voted.

Keys: the bits cut into `distance` blocks, which fewer than `distance` differing bits cannot all touch. Nothing is
lost.
Charikar (2002), Similarity estimation techniques from rounding algorithms [charikar2002], as run by Varol (2012),
section 4.3 [varol2012]; blocks: Manku, Jain and Das Sarma (2007), Detecting near-duplicates for web crawling
[manku2007].
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from samestory.detectors.weighted import Weighted
from samestory.model import Kind
from samestory.specs import parameter


@dataclass(frozen=True)
class SimHash(Weighted):
    """Finds articles whose weighed votes differ in few bits.

    >>> str(SimHash(bits=160))
    'simhash(bits=160)'
    """

    name: ClassVar[str] = "simhash"
    sees: ClassVar[str] = "articles nearly all of whose weight in words is the same"
    shares: ClassVar[str] = "of their bits agree"
    reports: ClassVar[frozenset[Kind]] = frozenset({Kind.NEAR})
    paper: ClassVar[str] = "charikar2002"

    bits: int = parameter(64, "bits of a signature: the first of the 160 that SHA-1 gives a term")
    distance: int = parameter(3, "fewer bits than this may differ")
    skip: int = parameter(2, "rarest terms that are passed over, being likely misspelt")
    stemming: str = parameter("F5", "'F5' keeps the first five letters of a word, 'none' all of it")
    stop_words: bool = parameter(True, "leave the most common words of the language out")

    def __post_init__(self) -> None:
        super().__post_init__()
        self._check("bits", 8, 160)
        self._check("distance", 1, 160)
        self._check("skip", 0, 1000)
        self._check_preparation()
