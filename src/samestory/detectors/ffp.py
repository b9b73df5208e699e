"""Full fingerprinting: all 4-word runs of an article, and the share of them that another article contains.

    forward = |H(left) ∩ H(right)| / |H(left)|        H: the distinct hashes of all 4-word runs

An article with at least `threshold` of its runs in another is contained in it; two that contain each other are near.
Articles of fewer words have a single run of all their words. The study's hash is SHA-1; any good hash gives the same
result.

Keys: all runs; two articles are candidates if they share `threshold` of the runs of the one with fewer. No related pair
is missed.
Varol (2012), CoDet, section 4.3, baseline FFP. [varol2012]
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from samestory.detectors.native import CONTAINMENT, Native, stemming_parameter, stop_words_parameter
from samestory.model import Kind
from samestory.specs import SHARE, Range, parameter


@dataclass(frozen=True)
class FullFingerprint(Native):
    """Finds articles that contain most of another one's 4-word runs.

    >>> str(FullFingerprint(threshold=0.5))
    'ffp(threshold=0.5)'
    """

    name: ClassVar[str] = "ffp"
    summary: ClassVar[str] = "articles that contain most of another one's word runs"
    share_phrase: ClassVar[str] = "of the word runs of {one} are in {other}"
    reports: ClassVar[frozenset[Kind]] = CONTAINMENT
    threshold_per_share: ClassVar[bool] = True
    paper: ClassVar[str] = "varol2012"

    shingle: int = parameter(4, "words in a run", Range(1, 100))
    threshold: float = parameter(0.6, "least share of an article's runs that its container has", SHARE)
    stemming: str = stemming_parameter("F5")
    stop_words: bool = stop_words_parameter(True)
