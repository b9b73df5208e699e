"""The sampled fingerprint: as `ffp`, but only some of an article's 4-word runs are kept and compared.

    forward = |K(left) ∩ K(right)| / |K(left)|        K: the runs that are kept

The study keeps "each three overlapping" runs and says no more. Four readings, by `sampling`: `every_third` keeps the
runs that begin at the places 0, 3, 6, …; `first_three` those of the lead; `min_three` the three with the least SHA-1
(first 64 bits, of the words with one blank between them); `all` keeps every run and is `ffp`. An article with at least
`threshold` of its kept runs among those of another is contained in it; two that contain each other are near.

One word put in before a common passage shifts the places that `every_third` looks at: copies are then missed.
Keys: all runs that are kept; two articles meet when they share `threshold` of the runs of the one with fewer. Of what
the rule finds nothing is lost.
Varol (2012), CoDet, section 4.3, baseline DSC. [varol2012]
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from samestory.detectors.native import CONTAINMENT, Native
from samestory.model import Kind
from samestory.specs import parameter


@dataclass(frozen=True)
class SampledFingerprint(Native):
    """Finds articles that hold most of a sample of another one's 4-word runs.

    >>> str(SampledFingerprint(sampling="first_three"))
    "dsc-varol(sampling='first_three')"
    """

    name: ClassVar[str] = "dsc-varol"
    sees: ClassVar[str] = "articles that hold most of a sample of another one's word runs"
    shares: ClassVar[str] = "of the word runs kept of {one} are in {other}"
    reports: ClassVar[frozenset[Kind]] = CONTAINMENT
    cuts_shares: ClassVar[bool] = True
    paper: ClassVar[str] = "varol2012"

    shingle: int = parameter(4, "words in a run")
    threshold: float = parameter(0.6, "least share of an article's kept runs that its container keeps too")
    sampling: str = parameter("every_third", "runs that are kept: 'every_third', 'first_three', 'min_three' or 'all'")
    stemming: str = parameter("F5", "'F5' keeps the first five letters of a word, 'none' all of it")
    stop_words: bool = parameter(True, "leave the most common words of the language out")

    def __post_init__(self) -> None:
        self._check("shingle", 1, 100)
        self._check("threshold", 0, 1)
        self._check_choice("sampling", "every_third", "first_three", "min_three", "all")
        self._check_preparation()
