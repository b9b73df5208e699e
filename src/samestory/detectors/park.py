"""Lexical signatures: about five words that stand for an article, and by which it could be searched for.

    forward = common words / words of left        near where the larger share reaches the threshold

Which words, by variant:

    tf  df  tfidf       those that stand there most often; the rarest; those of the highest product
    pw                  as tfidf, but no word counts more than five times (Phelps and Wilensky)
    df2tf3  df1tf4      the two rarest (the rarest one), and then the most frequent
    df2tfidf3 df1tfidf4 the same, and then those of the highest product

Equal ones come by the alphabet. With other than five `words` the rarest stay one or two, and the others fill up. Where
words are chosen by weight alone and none weighs anything, there is no signature.

Keys: all words; two articles meet when they share `threshold` of the fewer. Nothing is lost.
Park, Pennock, Giles and Krovetz (2004), Analysis of lexical signatures for improving information persistence on the
World Wide Web [park2004]; pw: Phelps and Wilensky (2000), Robust hyperlinks cost just five words each [phelps2000].
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from samestory.detectors.weighted import Weighted
from samestory.model import Kind
from samestory.specs import parameter

#: Which words stand for an article.
VARIANTS = ("tf", "df", "tfidf", "pw", "df2tf3", "df1tf4", "df2tfidf3", "df1tfidf4")


@dataclass(frozen=True)
class Park(Weighted):
    """Finds articles that the same few words stand for.

    >>> str(Park(variant="tfidf"))
    "park(variant='tfidf')"
    """

    name: ClassVar[str] = "park"
    sees: ClassVar[str] = "articles that the same five words stand for"
    shares: ClassVar[str] = "of the words that stand for {one} are those of {other}"
    reports: ClassVar[frozenset[Kind]] = frozenset({Kind.NEAR})
    paper: ClassVar[str] = "park2004"

    variant: str = parameter("df2tf3", f"which words are chosen: {', '.join(VARIANTS)}")
    words: int = parameter(5, "words that stand for an article")
    threshold: float = parameter(0.8, "least share of the words in common")
    stemming: str = parameter("none", "'F5' keeps the first five letters of a word, 'none' all of it")
    stop_words: bool = parameter(True, "leave the most common words of the language out")

    def __post_init__(self) -> None:
        super().__post_init__()
        self._check_choice("variant", *VARIANTS)
        self._check("words", 1, 1000)
        self._check("threshold", 0, 1)
        self._check_preparation()
