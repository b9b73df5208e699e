"""Reuse: near-duplicates and containment in one pass, with the facts of the two articles as a second witness.

Keys are a sample of the article's word shingles, those whose hash lies under a threshold (at least `least` of them),
so that a part samples as its whole does and the share of common keys estimates the share of common text. A key that
more than `ceiling` articles share is boilerplate and makes no candidates. Candidates are then measured exactly:

    forward  = |{places of left whose shingle stands in right}| / |places of left|       (backward: the other way round)
    share    = max(forward, backward)
    related <=> share >= minimum and share >= threshold - facts * (agreement - 1/2) - length * ln(longer / 300)

agreement is the share of figures, days and months of the article with fewer of them that stand in the other too, drawn
towards 0.4 as if by two more facts; longer is the number of words of the longer article, taken as 100 to 600. Recurring
reports reuse half of last month's text and none of its figures; an update rewrites most of a story and keeps them.

Of related pairs, those that share a form and differ in its blanks (see `form`) are not reported; equal words are
IDENTICAL; a much smaller article found to at least `part` is PART_OF the larger; the rest is NEAR.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from samestory.detectors.native import Native
from samestory.model import Kind
from samestory.specs import parameter


@dataclass(frozen=True)
class Reuse(Native):
    """Finds articles that reuse each other's text; the default.

    >>> str(Reuse(form=False))
    'reuse(form=False)'
    """

    name: ClassVar[str] = "reuse"
    sees: ClassVar[str] = "edited copies, parts and wholes; not one form with other facts"
    reports: ClassVar[frozenset[Kind]] = frozenset({Kind.IDENTICAL, Kind.NEAR, Kind.PART_OF, Kind.HAS_PART})

    shingle: int = parameter(3, "words in a shingle")
    sample: float = parameter(0.2, "share of the shingles that become keys")
    least: int = parameter(16, "fewest keys of an article that has as many shingles")
    ceiling: int = parameter(1000, "most articles that may share a key before it counts as boilerplate (0: no limit)")
    quorum_share: float = parameter(0.1, "share of the fewer keys that two articles must have in common to be compared")
    threshold: float = parameter(0.36, "least share of text in common, for usual facts and length")
    facts: float = parameter(0.68, "how much agreeing figures and dates lower the threshold")
    length: float = parameter(0.25, "how much more text in common a short article needs than a long one")
    minimum: float = parameter(0.1, "no pair under this share is reported, whatever its facts")
    part: float = parameter(0.6, "from this share on, the smaller of two unequal articles is part of the larger")
    form: bool = parameter(True, "refuse pairs that share a form and differ in its facts")

    def __post_init__(self) -> None:
        self._check("shingle", 1, 100)
        self._check("sample", 0, 1)
        self._check("least", 1, 1000)
        self._check("ceiling", 0, 2**32)
        for name in ("quorum_share", "threshold", "minimum", "part"):
            self._check(name, 0, 1)
        for name in ("facts", "length"):
            self._check(name, 0, 2)
        self._check_switch("form")
