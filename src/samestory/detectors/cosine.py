"""Cosine: two articles as vectors of their terms, and how nearly those point the same way.

    cos(x, y) = x·y / (|x| |y|)        x_t = how often t stands in the article × idf(t)

Both shares are the cosine. Terms that stand in every article weigh nothing; an article of nothing else has no
signature.

Keys: the rarest terms of an article (by idf, equal ones by hash), down to the one behind which the rest of the vector
is shorter than threshold · |x|. Nothing is lost: let t be the rarest term that two articles share. What they share
lies in x from t on, hence x·y ≤ |x from t on| |y|, and cos(x, y) ≤ |x from t on| / |x|. For a cosine of at least the
threshold that rest must be long enough, so t is a key of x, and by the same reason of y.
Salton, Wong and Yang (1975), A vector space model for automatic indexing [salton1975]; prefix filter: Bayardo, Ma and
Srikant (2007), Scaling up all pairs similarity search [bayardo2007].
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from samestory.detectors.weighted import Weighted
from samestory.model import Kind
from samestory.specs import parameter


@dataclass(frozen=True)
class Cosine(Weighted):
    """Finds articles with the same words in the same proportions.

    >>> str(Cosine(threshold=0.5))
    'cosine(threshold=0.5)'
    """

    name: ClassVar[str] = "cosine"
    sees: ClassVar[str] = "articles that use the same rare words about as often, in any order"
    reports: ClassVar[frozenset[Kind]] = frozenset({Kind.NEAR})
    paper: ClassVar[str] = "salton1975"

    threshold: float = parameter(0.6, "least cosine that is reported")
    stemming: str = parameter("none", "'F5' keeps the first five letters of a word, 'none' all of it")
    stop_words: bool = parameter(True, "leave the most common words of the language out")

    def __post_init__(self) -> None:
        super().__post_init__()
        self._check("threshold", 0, 1)
        self._check_preparation()
