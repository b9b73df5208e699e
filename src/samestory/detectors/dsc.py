"""Digital syntactic clustering: the resemblance of two sketches, each a sample of an article's 10-word runs.

    sketch = {f(s) : s a run of ten words, f(s) mod 25 = 0}        f: Rabin's fingerprint of 40 bits
    r(A, B) = |sketch(A) ∩ sketch(B)| / |sketch(A) ∪ sketch(B)|

Runs are selected by value, not by position, so that two articles keep the same ones of their common runs. The shares
are the two containments of the sketches; the threshold applies to r. A short article none of whose runs is selected
keeps all of them; `smallest` keeps only that many fingerprints, the smallest.

Keys: the prefix of the sketch, as for `resemblance`; no pair of resembling sketches is missed. With a `ceiling`, the
whole sketch: fingerprints that more articles have make no candidates, pairs that share no other are missed, and the
skipped fingerprints are counted.
Broder et al. (1997), Syntactic clustering of the Web. [broderweb1997]
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from samestory.detectors.native import Native
from samestory.model import Kind
from samestory.specs import SHARE, Range, parameter


@dataclass(frozen=True)
class SyntacticClustering(Native):
    """Finds articles whose sketches resemble each other.

    >>> str(SyntacticClustering(smallest=400))
    'dsc(smallest=400)'
    """

    name: ClassVar[str] = "dsc"
    summary: ClassVar[str] = "long articles that resemble each other, from a sample of their word runs"
    share_phrase: ClassVar[str] = "of the word runs kept of {one} are in {other}"
    reports: ClassVar[frozenset[Kind]] = frozenset({Kind.NEAR})
    paper: ClassVar[str] = "broderweb1997"

    shingle: int = parameter(10, "words in a run", Range(1, 100))
    modulus: int = parameter(25, "a run is kept when this divides its fingerprint", Range(1, 2**32))
    smallest: int = parameter(
        0, "most fingerprints of a sketch, the smallest are kept (0: all; the study: 400)", Range(0, 2**32)
    )
    threshold: float = parameter(0.5, "least resemblance of two sketches that is reported", SHARE)
    ceiling: int = parameter(0, "skip fingerprints that more articles than this have (0: no limit)", Range(0, 2**32))
