"""The sampled fingerprint: as `ffp`, but only some of an article's 4-word runs are kept and compared.

    forward = |K(left) ∩ K(right)| / |K(left)|        K: the selected runs

The study keeps "each three overlapping" runs and does not define it. Four readings, by `sampling`: `every_third` keeps
the runs that begin at the positions 0, 3, 6, …; `first_three` the first three; `min_three` the three with the least
SHA-1 (first 64 bits, of the words with one blank between them); `all` keeps every run and is `ffp`. An article with at
least `threshold` of its kept runs among those of another is contained in it; two that contain each other are near.

A word inserted before a common passage shifts the positions that `every_third` selects: copies are then missed.
Keys: all selected runs; two articles are candidates if they share `threshold` of the runs of the one with fewer. No
pair that the rule relates is missed.
Varol (2012), CoDet, section 4.3, baseline DSC. [varol2012]
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from samestory.detectors.native import CONTAINMENT, Native, stemming_parameter, stop_words_parameter
from samestory.model import Kind
from samestory.specs import SHARE, Range, parameter


@dataclass(frozen=True)
class SampledFingerprint(Native):
    """Finds articles that contain most of a sample of another one's 4-word runs.

    >>> str(SampledFingerprint(sampling="first_three"))
    "dsc-varol(sampling='first_three')"
    """

    name: ClassVar[str] = "dsc-varol"
    summary: ClassVar[str] = "articles that contain most of a sample of another one's word runs"
    share_phrase: ClassVar[str] = "of the word runs kept of {one} are in {other}"
    reports: ClassVar[frozenset[Kind]] = CONTAINMENT
    threshold_per_share: ClassVar[bool] = True
    paper: ClassVar[str] = "varol2012"

    shingle: int = parameter(4, "words in a run", Range(1, 100))
    threshold: float = parameter(0.6, "least share of an article's kept runs that its container also keeps", SHARE)
    sampling: str = parameter(
        "every_third",
        "runs that are kept: 'every_third', 'first_three', 'min_three' or 'all'",
        ("every_third", "first_three", "min_three", "all"),
    )
    stemming: str = stemming_parameter("F5")
    stop_words: bool = stop_words_parameter(True)
