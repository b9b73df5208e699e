"""SCAM: relative frequencies, over the words that both articles use about equally often.

    w is close     ⇔  ε − (F₁/F₂ + F₂/F₁) > 0             F: how often w stands in the article
    subset(d₁, d₂) =  Σ_{w close} F₁ F₂ / Σ_w F₁²
    forward        =  min(1, subset(left, right))

With ε = 2.5 a word is close that one article uses less than twice as often as the other; one that stands there once
must stand there once. At least `threshold` of one article in the other: contained; both: near.

Keys: all words. Nothing is lost: every article sets aside the commonest of its words, as far as what it must share
with its container does not hang on them, and seeks the others; it meets whoever has one that it seeks, or seeks one
that it has. A ceiling passes over words that more articles have: with 1,000 among 8,362 news of one agency, 5 % of the
pairs were lost, nearly all of them short articles that share a few common words with a long one.
Shivakumar and Garcia-Molina (1995), SCAM: a copy detection mechanism for digital documents. [shivakumar1995]
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from samestory.detectors.native import CONTAINMENT, Native
from samestory.model import Kind
from samestory.specs import parameter


@dataclass(frozen=True)
class Scam(Native):
    """Finds articles whose words another one uses about as often.

    >>> str(Scam(epsilon=2.6))
    'scam(epsilon=2.6)'
    """

    name: ClassVar[str] = "scam"
    sees: ClassVar[str] = "articles whose words another one uses about as often"
    shares: ClassVar[str] = "of the weight of the words of {one} is in {other}"
    reports: ClassVar[frozenset[Kind]] = CONTAINMENT
    cuts_shares: ClassVar[bool] = True
    paper: ClassVar[str] = "shivakumar1995"

    epsilon: float = parameter(2.5, "how unequal two frequencies may be: their two ratios together stay under this")
    threshold: float = parameter(0.6, "least share of an article's words that its container holds")
    ceiling: int = parameter(0, "most articles that may share a word before it makes no candidates (0: no limit)")
    stemming: str = parameter("none", "'F5' keeps the first five letters of a word, 'none' all of it")
    stop_words: bool = parameter(True, "leave the most common words of the language out")

    def __post_init__(self) -> None:
        self._check("epsilon", 2, 1000, above=True)
        self._check("threshold", 0, 1)
        self._check("ceiling", 0, 2**32)
        self._check_preparation()
