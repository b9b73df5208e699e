"""Resemblance: the share of the word runs of two articles that they have in common, counted exactly.

    r(A, B) = |S(A) ∩ S(B)| / |S(A) ∪ S(B)|        S: the set of all runs of `shingle` words

The shares are the two containments |S(A) ∩ S(B)| / |S(A)| and |S(A) ∩ S(B)| / |S(B)|; the threshold applies to r.
Articles of fewer words have a single run of all their words.

Keys: all runs. Articles with r ≥ `threshold` share at least that share of the runs of each of them, so the most
frequent runs of an article need not be looked up (prefix filter, rarest first). No related pair is missed.
Broder (1997), On the resemblance and containment of documents [broder1997]; Chaudhuri, Ganti and Kaushik (2006), A
primitive operator for similarity joins in data cleaning [chaudhuri2006].
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from samestory.detectors.native import Native, stemming_parameter, stop_words_parameter
from samestory.model import Kind
from samestory.specs import SHARE, Range, parameter


@dataclass(frozen=True)
class Resemblance(Native):
    """Finds articles that have a share of their word runs in common.

    >>> str(Resemblance(shingle=3))
    'resemblance(shingle=3)'
    """

    name: ClassVar[str] = "resemblance"
    summary: ClassVar[str] = "articles that resemble each other as a whole, counted exactly"
    share_phrase: ClassVar[str] = "of the word runs of {one} are in {other}"
    reports: ClassVar[frozenset[Kind]] = frozenset({Kind.NEAR})
    paper: ClassVar[str] = "broder1997"

    shingle: int = parameter(2, "words in a run", Range(1, 100))
    threshold: float = parameter(0.4, "least resemblance that is reported", SHARE)
    stemming: str = stemming_parameter("none")
    stop_words: bool = stop_words_parameter(False)
