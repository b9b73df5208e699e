"""Reuse: copies, parts, new versions and shared passages, by how likely one article reuses the text of the other.

Keys are a sample of the article's word shingles, those whose hash is below a threshold (at least `least` of them), so
that a part samples the same shingles as its container and the share of common keys estimates the share of common text.
Of the articles that share a key, if they are more than `ceiling`, a tenth of the ceiling makes candidates, taken evenly
from all sources; and only for articles at least half of whose keys are that common, since others are found without
them. Candidates are aligned word by word:

    forward     = |{positions of left whose shingle is in right}| / |positions of left|        (backward: the reverse)
    probability = 1 / (1 + exp(-(intercept + sum of weight * evidence)))

The evidence, from the side of the shorter article: the share of it that is in the longer one; the longest common run of
words and the words in runs of ten and more; its length; equal figures, days and months; equal or contradictory days of
the week; months that only it names; the words outside common runs that are in the longer one; its lead; and slots,
positions with different facts or names between the same words, as in two reports from one template. All weights are at
least 0. They are learned on judged pairs and on pairs that share text by chance (`benchmarks/reuse_model.py`). If both
dates are known, the days between two articles are evidence too. The base rate is that of a collection of `population`
articles: among ten times as many, a pair with the same evidence is less likely to be reuse. Two articles that a person
selected have a population of two.

From the probability `copy` on, a pair is a copy: equal words are IDENTICAL, a much smaller article of which at least
`part` is in the larger is PART_OF it, the rest is NEAR (or UPDATE, within one source). Between `threshold` and `copy`
the two share text and neither is certainly a copy: SHARES_TEXT, which makes no group by itself. The same holds for
pairs with less than half of the text in common, or with `passage` words in a row and a quarter of the shorter text. Two
reports from one template are not related, and texts of one or two words are not compared.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from samestory.detectors.calibrated import Calibrated
from samestory.model import Kind
from samestory.specs import SHARE, Range, parameter


@dataclass(frozen=True)
class Reuse(Calibrated):
    """Finds articles that reuse each other's text; the default.

    >>> str(Reuse(threshold=0.8))
    'reuse(threshold=0.8)'
    """

    name: ClassVar[str] = "reuse"
    samples_long_lists: ClassVar[bool] = True
    summary: ClassVar[str] = "edited copies, parts and containers, shared passages; not one template with other facts"
    reports: ClassVar[frozenset[Kind]] = frozenset(
        {Kind.IDENTICAL, Kind.NEAR, Kind.PART_OF, Kind.HAS_PART, Kind.SHARES_TEXT}
    )

    shingle: int = parameter(3, "words in a shingle", Range(1, 100))
    sample: float = parameter(0.2, "share of the shingles that become keys", SHARE)
    least: int = parameter(16, "fewest keys of an article, if it has that many shingles", Range(1, 1000))
    ceiling: int = parameter(
        1000, "most articles of a key that are all candidates; of more, a sample is (0: no limit)", Range(0, 2**32)
    )
    quorum_share: float = parameter(
        0.1, "least share of the keys of the article with fewer that a candidate shares", SHARE
    )
    minimum: float = parameter(0.1, "minimum share of common text of a reported pair", SHARE)
    threshold: float = parameter(0.5, "least probability at which a pair is reported", SHARE)
    copy: float = parameter(
        0.95, "least probability of a copy, a part or a new version; pairs below it share text", SHARE
    )
    passage: int = parameter(
        24, "words in a row that make a common passage (0: passages are not searched)", Range(0, 2**31)
    )
    part: float = parameter(0.6, "from this share on, the smaller of two unequal articles is part of the larger", SHARE)
    population: int = parameter(
        20_000, "size of the collection: the larger, the more pairs share text by chance", Range(2, 2**32)
    )
