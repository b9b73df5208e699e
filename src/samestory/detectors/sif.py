"""SIF: a sample of all runs of fifty bytes of an article, and the share of it that another article's sample holds.

    forward = |F(left) ∩ F(right)| / |F(left)|        F: the fingerprints of all runs that 256 divides

The bytes are those of the text as it stands: case, blanks and punctuation count. Fingerprints are Rabin's, of 40 bits.
Being chosen by value, one is kept wherever its run stands. An article none of whose fingerprints is kept has all of
them; a text of fewer bytes is one run. An article with at least `threshold` of its fingerprints in another is contained
in it; two that contain each other are near.

Keys: all fingerprints that are kept; two articles meet when they share `threshold` of those of the one with fewer.
Nothing is lost but what the sample itself does not see: news is short, and a few fingerprints stand for it.
Manber (1994), Finding similar files in a large file system, section 2. [manber1994]
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from samestory.detectors.native import CONTAINMENT, Native
from samestory.model import Kind
from samestory.specs import parameter


@dataclass(frozen=True)
class Sif(Native):
    """Finds articles that have runs of fifty bytes in common.

    >>> str(Sif(modulus=16))
    'sif(modulus=16)'
    """

    name: ClassVar[str] = "sif"
    sees: ClassVar[str] = "articles that hold another one's text to the letter, by a sample of its byte runs"
    shares: ClassVar[str] = "of the byte runs kept of {one} are in {other}"
    reports: ClassVar[frozenset[Kind]] = CONTAINMENT
    cuts_shares: ClassVar[bool] = True
    paper: ClassVar[str] = "manber1994"

    length: int = parameter(50, "bytes in a run")
    modulus: int = parameter(256, "fingerprints that this divides are kept: one in so many")
    threshold: float = parameter(0.5, "least share of an article's fingerprints that its container holds")

    def __post_init__(self) -> None:
        self._check("length", 1, 10_000)
        self._check("modulus", 1, 2**32)
        self._check("threshold", 0, 1)
