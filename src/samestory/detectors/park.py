"""Lexical signatures: about five words that identify an article, as a search query could.

    forward = common words / words of left        near if the larger share reaches the threshold

The words by variant:

    tf  df  tfidf       the most frequent in the article; the rarest; those of the highest product
    pw                  as tfidf, with tf capped at five (Phelps and Wilensky)
    df2tf3  df1tf4      the two rarest (the rarest), then the most frequent
    df2tfidf3 df1tfidf4 the same, then those of the highest product

Ties are broken alphabetically. With a different number of `words` the rarest remain one or two, and the others fill up.
If words are chosen by weight alone and all weigh 0, there is no signature.

Keys: all words; two articles are candidates if they share `threshold` of the fewer. No related pair is missed.
Park, Pennock, Giles and Krovetz (2004), Analysis of lexical signatures for improving information persistence on the
World Wide Web [park2004]; pw: Phelps and Wilensky (2000), Robust hyperlinks cost just five words each [phelps2000].
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from samestory.detectors.native import stemming_parameter, stop_words_parameter
from samestory.detectors.weighted import Weighted
from samestory.model import Kind
from samestory.specs import SHARE, Range, parameter

#: Rules for choosing the words of a signature.
VARIANTS = ("tf", "df", "tfidf", "pw", "df2tf3", "df1tf4", "df2tfidf3", "df1tfidf4")


@dataclass(frozen=True)
class Park(Weighted):
    """Finds articles with the same few identifying words.

    >>> str(Park(variant="tfidf"))
    "park(variant='tfidf')"
    """

    name: ClassVar[str] = "park"
    summary: ClassVar[str] = "articles with the same five identifying words"
    share_phrase: ClassVar[str] = "of the identifying words of {one} are those of {other}"
    reports: ClassVar[frozenset[Kind]] = frozenset({Kind.NEAR})
    paper: ClassVar[str] = "park2004"

    variant: str = parameter("df2tf3", f"how words are chosen: {', '.join(VARIANTS)}", tuple(VARIANTS))
    words: int = parameter(5, "number of words in a signature", Range(1, 1000))
    threshold: float = parameter(0.8, "least share of the words in common", SHARE)
    stemming: str = stemming_parameter("none")
    stop_words: bool = stop_words_parameter(True)
