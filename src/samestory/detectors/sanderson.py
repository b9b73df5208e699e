"""Sanderson's tests: articles of the same two days with similar words, classified by cosine and length.

    cos(x, y) = score(y, x) / score(x, x)        score(y, x) = x·y / |y|,  x_t = tf(t) · idf(t)
    ratio     = words of the shorter / words of the longer

    cos ≥ exact    and ratio > longer      identical (test 3, but for the rank)
    cos ≥ similar  and ratio ≤ longer      a part and its longer version (test 2, but for the rank)
    cos ≥ similar                          near: what test 1 would begin with

Both shares are the cosine. Articles more than `hours` apart are not related; an unknown date is compatible with every
date. The study gives no thresholds; those here are ours.

Not implemented: the study uses every article as a search query, and keeps only pairs that rank each other first. A rank
depends on all other articles, and a detector compares two: here an article may be related to several. Test 1 checks
whether two similar articles report different events, which needs a human judgement.

Keys: as those of `cosine`, at the lower of the two thresholds. No related pair is missed.
Sanderson (1997), Duplicate detection in the Reuters collection. [sanderson1997]
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from samestory.detectors.native import stemming_parameter, stop_words_parameter
from samestory.detectors.weighted import Weighted
from samestory.model import Kind
from samestory.specs import SHARE, Range, parameter


@dataclass(frozen=True)
class Sanderson(Weighted):
    """Finds exact duplicates and longer versions among the news of two days.

    >>> str(Sanderson(hours=24))
    'sanderson(hours=24)'
    """

    name: ClassVar[str] = "sanderson"
    summary: ClassVar[str] = "articles of the same two days with the same words; longer versions"
    share_phrase: ClassVar[str] = "alike, by the cosine of the weights of their words"
    reports: ClassVar[frozenset[Kind]] = frozenset({Kind.IDENTICAL, Kind.NEAR, Kind.PART_OF, Kind.HAS_PART})
    paper: ClassVar[str] = "sanderson1997"

    hours: int = parameter(48, "most hours between the dates of two articles", Range(0, 1_000_000))
    similar: float = parameter(0.8, "least cosine that is reported", SHARE)
    exact: float = parameter(0.95, "least cosine of identical articles", SHARE)
    longer: float = parameter(0.8, "up to this ratio of the lengths, the shorter is part of the longer", SHARE)
    stemming: str = stemming_parameter("none")
    stop_words: bool = stop_words_parameter(False)
