"""Cosine: the cosine of the term vectors of two articles.

    cos(x, y) = x·y / (|x| |y|)        x_t = tf(t) · idf(t)

Both shares are the cosine. Terms that occur in every article have weight 0; an article without other terms has no
signature.

Keys: the rarest terms of an article (by idf, ties by hash), down to the one after which the rest of the vector is
shorter than 0.6 · threshold · |x|; and two articles must share enough of them. No related pair is missed: let x be the
article whose keys end first in that order. A common term that is not a key of both is in the rest of x, and all of them
add less than 0.6 · threshold to the cosine; n shared keys add at most the product of the norms of the n heaviest terms
of each article. If the two bounds together do not reach the threshold, the pair is not compared.
Salton, Wong and Yang (1975), A vector space model for automatic indexing [salton1975]; prefix filter: Bayardo, Ma and
Srikant (2007), Scaling up all pairs similarity search [bayardo2007].
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from samestory.detectors.native import stemming_parameter, stop_words_parameter
from samestory.detectors.weighted import Weighted
from samestory.model import Kind
from samestory.specs import SHARE, parameter


@dataclass(frozen=True)
class Cosine(Weighted):
    """Finds articles with the same words in the same proportions.

    >>> str(Cosine(threshold=0.5))
    'cosine(threshold=0.5)'
    """

    name: ClassVar[str] = "cosine"
    summary: ClassVar[str] = "articles that use the same rare words about as often, in any order"
    share_phrase: ClassVar[str] = "alike, by the cosine of the weights of their words"
    reports: ClassVar[frozenset[Kind]] = frozenset({Kind.NEAR})
    paper: ClassVar[str] = "salton1975"

    threshold: float = parameter(0.6, "least cosine that is reported", SHARE)
    stemming: str = stemming_parameter("none")
    stop_words: bool = stop_words_parameter(True)
