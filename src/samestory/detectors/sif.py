"""SIF: a sample of all runs of fifty bytes of an article, and the share of it that is in another article's sample.

    forward = |F(left) ∩ F(right)| / |F(left)|        F: the fingerprints of all runs that are divisible by 256

The bytes are those of the unchanged text: case, blanks and punctuation count. Fingerprints are Rabin's, of 40 bits.
They are selected by value, so independently of their position. An article none of whose fingerprints is selected keeps
all of them; a text of fewer bytes is one run. An article with at least `threshold` of its fingerprints in another is
contained in it; two that contain each other are near.

Keys: all selected fingerprints; two articles are candidates if they share `threshold` of those of the one with fewer.
No pair is missed except by the sample itself: news is short, and its samples have few fingerprints.
Manber (1994), Finding similar files in a large file system, section 2. [manber1994]
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from samestory.detectors.native import CONTAINMENT, Native
from samestory.model import Kind
from samestory.specs import SHARE, Range, parameter


@dataclass(frozen=True)
class Sif(Native):
    """Finds articles that have runs of fifty bytes in common.

    >>> str(Sif(modulus=16))
    'sif(modulus=16)'
    """

    name: ClassVar[str] = "sif"
    summary: ClassVar[str] = "articles that contain another one's text literally, by a sample of its byte runs"
    share_phrase: ClassVar[str] = "of the byte runs kept of {one} are in {other}"
    reports: ClassVar[frozenset[Kind]] = CONTAINMENT
    threshold_per_share: ClassVar[bool] = True
    paper: ClassVar[str] = "manber1994"

    length: int = parameter(50, "bytes in a run", Range(1, 10_000))
    modulus: int = parameter(256, "fingerprints divisible by this are kept", Range(1, 2**32))
    threshold: float = parameter(0.5, "least share of an article's fingerprints that its container has", SHARE)
