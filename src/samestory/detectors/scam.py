"""SCAM: relative frequencies, over the words that both articles use about equally often.

    w is close     ⇔  ε − (F₁/F₂ + F₂/F₁) > 0             F: the frequency of w in the article
    subset(d₁, d₂) =  Σ_{w close} F₁ F₂ / Σ_w F₁²
    forward        =  min(1, subset(left, right))

With ε = 2.5 a word is close if one article uses it less than twice as often as the other; a word used once must be used
once by both. At least `threshold` of one article in the other: contained; both: near.

Keys: all words, of which an article looks up a prefix: all but its most frequent ones, as many as cannot reach the
required overlap by themselves. Two articles are candidates if one has a word that the other looks up. No related pair
is missed. A ceiling skips words that more articles have: with 1,000 among 8,362 articles of one agency, 5 % of the
pairs were missed, nearly all of them short articles that share a few common words with a long one.
Shivakumar and Garcia-Molina (1995), SCAM: a copy detection mechanism for digital documents. [shivakumar1995]
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from samestory.detectors.native import CONTAINMENT, Native, stemming_parameter, stop_words_parameter
from samestory.model import Kind
from samestory.specs import SHARE, Range, parameter


@dataclass(frozen=True)
class Scam(Native):
    """Finds articles whose words another one uses about as often.

    >>> str(Scam(epsilon=2.6))
    'scam(epsilon=2.6)'
    """

    name: ClassVar[str] = "scam"
    summary: ClassVar[str] = "articles whose words another one uses about as often"
    share_phrase: ClassVar[str] = "of the weight of the words of {one} is in {other}"
    reports: ClassVar[frozenset[Kind]] = CONTAINMENT
    threshold_per_share: ClassVar[bool] = True
    paper: ClassVar[str] = "shivakumar1995"

    epsilon: float = parameter(
        2.5, "how unequal two frequencies may be: the sum of their two ratios is below this", Range(2, 1000, above=True)
    )
    threshold: float = parameter(0.6, "least share of an article's words that its container has", SHARE)
    ceiling: int = parameter(0, "skip words that more articles than this have (0: no limit)", Range(0, 2**32))
    stemming: str = stemming_parameter("none")
    stop_words: bool = stop_words_parameter(True)
