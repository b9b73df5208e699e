"""Cooper's signature: the sum of the hash codes of the most salient terms of an article.

    signature = Σ h(t) mod 2^32        over the `salient` terms of the highest tf(t) · idf(t)
    h(t)      = 31 · h + c             over the characters of t, as in Java

Articles with equal sums are candidates, those with equal sets of terms duplicates. With a lower threshold the sets need
only resemble each other: |A ∩ B| / |A ∪ B| ≥ threshold. The shares are the share of each set that is in the other. An
article all of whose terms weigh 0 has no signature.

Keys: the sum; below a threshold of 1, the rarest terms of the set, enough that two sets with that resemblance must
share one (prefix filter). No related pair is missed.
Cooper, Coden and Brown (2002), Detecting similar documents using salient terms. [cooper2002]
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from samestory.detectors.native import stemming_parameter, stop_words_parameter
from samestory.detectors.weighted import Weighted
from samestory.model import Kind
from samestory.specs import SHARE, Range, parameter


@dataclass(frozen=True)
class Cooper(Weighted):
    """Finds articles whose most salient terms are the same.

    >>> str(Cooper(threshold=0.8))
    'cooper(threshold=0.8)'
    """

    name: ClassVar[str] = "cooper"
    summary: ClassVar[str] = "articles with the same hundred salient words"
    share_phrase: ClassVar[str] = "of the salient words of {one} are those of {other}"
    reports: ClassVar[frozenset[Kind]] = frozenset({Kind.NEAR})
    paper: ClassVar[str] = "cooper2002"

    salient: int = parameter(100, "number of terms, those of the highest tf·idf", Range(1, 100_000))
    threshold: float = parameter(1.0, "least resemblance of the two sets (1: equal sets)", SHARE)
    stemming: str = stemming_parameter("none")
    stop_words: bool = stop_words_parameter(True)
