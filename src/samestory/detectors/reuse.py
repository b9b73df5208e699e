"""Reuse: copies, parts, new versions and shared passages, by how likely one article reuses the text of the other.

Keys are a sample of the article's word shingles, those whose hash lies under a threshold (at least `least` of them), so
that a part samples as its container does and the share of common keys estimates the share of common text. A key that
more than `ceiling` articles share is boilerplate and makes no candidates. Candidates are then aligned word by word:

    forward     = |{places of left whose shingle stands in right}| / |places of left|    (backward: the other way round)
    probability = 1 / (1 + exp(-(intercept + sum of weight * evidence)))

The evidence, seen from the shorter article: the share of it that the longer one has; the longest run of words in common
and the words in runs of ten and more; its length; figures, days and months that agree; days of the week that agree or
contradict; months that only it names; of its words outside common runs, those that the longer one has; its lead; and
slots, places where other facts or names stand between the same words, as in two reports from one template. All weights
are at least 0. They are learned on judged pairs and on pairs that share text by chance (`benchmarks/reuse_model.py`).
Where both dates are known, the days between two articles are evidence too. The base rate is that of a collection of
`population` articles: among ten times as many, a pair with the same evidence is less likely one of reuse. Two articles
that a person picked out have a population of two.

From the probability `copy` on, a pair is a copy: equal words are IDENTICAL, a much smaller article found to at least
`part` is PART_OF the larger, the rest is NEAR (or UPDATE, for one source). Between `threshold` and `copy` the two share
text and neither is certainly a copy: SHARES_TEXT, which makes no group by itself. So do two that have less than half of
the text in common, or `passage` words in a row and a quarter of the shorter text. Two reports from one template are not
related, and texts of one or two words are compared with nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from samestory.detectors.calibrated import Calibrated
from samestory.model import Kind
from samestory.specs import parameter


@dataclass(frozen=True)
class Reuse(Calibrated):
    """Finds articles that reuse each other's text; the default.

    >>> str(Reuse(threshold=0.8))
    'reuse(threshold=0.8)'
    """

    name: ClassVar[str] = "reuse"
    sees: ClassVar[str] = "edited copies, parts and containers, shared passages; not one template with other facts"
    reports: ClassVar[frozenset[Kind]] = frozenset(
        {Kind.IDENTICAL, Kind.NEAR, Kind.PART_OF, Kind.HAS_PART, Kind.SHARES_TEXT}
    )

    shingle: int = parameter(3, "words in a shingle")
    sample: float = parameter(0.2, "share of the shingles that become keys")
    least: int = parameter(16, "fewest keys of an article that has as many shingles")
    ceiling: int = parameter(1000, "most articles that may share a key before it counts as boilerplate (0: no limit)")
    quorum_share: float = parameter(0.1, "share of the fewer keys that two articles must have in common to be compared")
    minimum: float = parameter(0.1, "no pair under this share of text is reported, whatever its facts")
    threshold: float = parameter(0.5, "least probability at which a pair is reported")
    copy: float = parameter(0.95, "least probability of a copy, a part or a new version; pairs below it share text")
    passage: int = parameter(24, "words in a row that make a passage in common (0: passages are not looked for)")
    part: float = parameter(0.6, "from this share on, the smaller of two unequal articles is part of the larger")
    population: int = parameter(20_000, "articles that could have met: the more, the more share text by chance")

    def __post_init__(self) -> None:
        self._check("shingle", 1, 100)
        self._check("sample", 0, 1)
        self._check("least", 1, 1000)
        self._check("ceiling", 0, 2**32)
        self._check("passage", 0, 2**31)
        self._check("population", 2, 2**32)
        for name in ("quorum_share", "minimum", "threshold", "copy", "part"):
            self._check(name, 0, 1)
