"""Feature sets: the date of an article, its length, and its sixty rarest words.

Two articles are near if all three conditions hold:

    their dates are at most `days` apart (an unknown date is compatible with every date)
    the shorter has at least `length` of the words of the longer
    overlap ≥ threshold        overlap = common / 60, of two full vectors of the rarest words

Both shares are the overlap. An article of fewer than `least` distinct words is unreliable and has no signature.
Vectors of fewer than sixty words are compared by one of several rules (`short`):

    a           common / size of the larger
    b           of the n rarest words of each, n the size of the smaller: common / n
    c-pad       (common + padding) / 60: both are padded to sixty, and share the padding of the one with less
    c-guarded   c-pad, but not more than common / size of the smaller: padding alone relates no articles
    c-oov       as a; words missing from the table are ranked last instead of first, alphabetically

Keys: the 60 − ⌈threshold · 60⌉ + 1 rarest words (13), or those of the smaller number in a, b and c-oov. No related pair
is missed: two vectors with such an overlap share one of those. In c-pad, where padding alone may be enough, all
articles that short share one key.
Conrad and Schriber (2006), Managing déjà vu. [conrad2006]
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from samestory.detectors.native import stemming_parameter, stop_words_parameter
from samestory.detectors.weighted import Weighted
from samestory.model import Kind
from samestory.specs import SHARE, Range, parameter

#: Rules for comparing short vectors.
SHORT = ("a", "b", "c-pad", "c-guarded", "c-oov")


@dataclass(frozen=True)
class Ddd(Weighted):
    """Finds articles of about one date and length that share most of their rarest words.

    >>> str(Ddd(days=7))
    'ddd(days=7)'
    """

    name: ClassVar[str] = "ddd"
    summary: ClassVar[str] = "articles of about one date and length that share most of their sixty rarest words"
    share_phrase: ClassVar[str] = "of the rarest words of both are the same"
    reports: ClassVar[frozenset[Kind]] = frozenset({Kind.NEAR})
    paper: ClassVar[str] = "conrad2006"

    days: int = parameter(42, "most days between the dates of two articles", Range(0, 1_000_000))
    length: float = parameter(0.8, "least ratio of the lengths of two articles, in words", SHARE)
    terms: int = parameter(60, "rarest words in a vector", Range(1, 100_000))
    threshold: float = parameter(0.8, "least overlap of the vectors", SHARE)
    short: str = parameter("c-guarded", f"how vectors with fewer words are compared: {', '.join(SHORT)}", tuple(SHORT))
    least: int = parameter(20, "fewest distinct words of an article that is compared at all", Range(1, 100_000))
    stemming: str = stemming_parameter("none")
    stop_words: bool = stop_words_parameter(False)

    @property
    def days_limit(self) -> int:
        return self.days
