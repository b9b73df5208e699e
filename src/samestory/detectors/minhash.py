"""MinHash: resemblance of two shingle sets, estimated from small sketches, with candidates by banding.

    P[min h(A) = min h(B)] = |A ∩ B| / |A ∪ B|

forward and backward follow from the estimate and the two set sizes; with `verify` they are counted exactly, over the
sets themselves. Two articles are candidates if all rows of a band are equal; a pair is reported if its resemblance
reaches the threshold. Most tools work like this; it is here for comparison.
Broder (1997), On the resemblance and containment of documents. [broder1997]
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from samestory.detectors.native import Native
from samestory.model import Kind
from samestory.specs import SHARE, Range, parameter


@dataclass(frozen=True)
class MinHash(Native):
    """Finds near-duplicates by banded MinHash.

    >>> str(MinHash(bands=20, rows=5))
    'minhash(bands=20, rows=5)'
    """

    name: ClassVar[str] = "minhash"
    summary: ClassVar[str] = "articles that resemble each other as a whole"
    share_phrase: ClassVar[str] = "of the word runs of {one} are in {other}"
    reports: ClassVar[frozenset[Kind]] = frozenset({Kind.NEAR})
    paper: ClassVar[str] = "broder1997"

    bands: int = parameter(
        16, "groups of rows; two articles are candidates if all rows of one are equal", Range(1, 1000)
    )
    rows: int = parameter(8, "min-hashes in a band", Range(1, 1000))
    shingle: int = parameter(5, "words in a shingle", Range(1, 100))
    threshold: float = parameter(0.7, "least resemblance that is reported", SHARE)
    verify: bool = parameter(False, "count the resemblance exactly instead of estimating it")
