"""SimHash: every bit is a vote of the terms, weighted by idf; near articles differ in few bits.

    bit i = 1  ⇔  Σ ± idf(t) > 0,  + if bit i of SHA-1(t) is 1, − if it is 0
    forward = backward = 1 − differing bits / bits

The sum is over the distinct terms of an article except the two of the highest idf, which are likely misspelt. Idf is
rounded to whole millionths, so that a tie is exact and gives 0. Two articles are near if fewer than `distance` bits
differ. An article all of whose terms weigh 0 has no signature.

Keys: the bits cut into `distance` blocks, of which at least one is equal if fewer than `distance` bits differ. No
related pair is missed.
Charikar (2002), Similarity estimation techniques from rounding algorithms [charikar2002], as run by Varol (2012),
section 4.3 [varol2012]; blocks: Manku, Jain and Das Sarma (2007), Detecting near-duplicates for web crawling
[manku2007].
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from samestory.detectors.native import stemming_parameter, stop_words_parameter
from samestory.detectors.weighted import Weighted
from samestory.model import Kind
from samestory.specs import Range, parameter


@dataclass(frozen=True)
class SimHash(Weighted):
    """Finds articles whose weighted votes differ in few bits.

    >>> str(SimHash(bits=160))
    'simhash(bits=160)'
    """

    name: ClassVar[str] = "simhash"
    summary: ClassVar[str] = "articles whose words, by weight, are nearly the same"
    share_phrase: ClassVar[str] = "of their bits agree"
    reports: ClassVar[frozenset[Kind]] = frozenset({Kind.NEAR})
    paper: ClassVar[str] = "charikar2002"

    bits: int = parameter(64, "bits of a signature: the first of the 160 bits of SHA-1", Range(8, 160))
    distance: int = parameter(3, "two signatures must differ in fewer bits than this", Range(1, 160))
    skip: int = parameter(2, "number of rarest terms to skip, which are likely misspelt", Range(0, 1000))
    stemming: str = stemming_parameter("F5")
    stop_words: bool = stop_words_parameter(True)
