"""Super-shingles of digital syntactic clustering: a common run of neighbours in the sorted sketch.

    supers = {h(f₁ f₂ f₃ f₄) : four neighbours of the sorted sketch}        sketch: as for `dsc`

forward is the share of left's super-shingles found in right, backward the reverse. One in common makes a pair near:
four fingerprints are common, and neither article has another one between them. A sketch of fewer than four is one
super-shingle, so that short articles are near only if their whole sketches are equal: the known weakness.

Keys: the super-shingles. No related pair is missed.
Broder et al. (1997), Syntactic clustering of the Web. [broderweb1997]
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from samestory.detectors.native import Native
from samestory.model import Kind
from samestory.specs import Range, parameter


@dataclass(frozen=True)
class SuperShingles(Native):
    """Finds articles that share a super-shingle.

    >>> str(SuperShingles(super=3))
    'dsc-ss(super=3)'
    """

    name: ClassVar[str] = "dsc-ss"
    summary: ClassVar[str] = "long articles that are nearly the same"
    share_phrase: ClassVar[str] = "of the super-shingles of {one} are those of {other}"
    reports: ClassVar[frozenset[Kind]] = frozenset({Kind.NEAR})
    paper: ClassVar[str] = "broderweb1997"

    shingle: int = parameter(10, "words in a run", Range(1, 100))
    modulus: int = parameter(25, "a run is kept when this divides its fingerprint", Range(1, 2**32))
    super: int = parameter(4, "fingerprints in a super-shingle", Range(1, 1000))
