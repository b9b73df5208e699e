"""Mega-shingles: 84 min-hashes make six super-shingles of 14 values each; two equal ones make a pair near.

    P = 1 − (1 − p)⁶ − 6 p (1 − p)⁵,   p = s¹⁴        s: the resemblance of the two sets of 5-word runs

Of pairs with s = 0.95, 88 % are found, of those with s = 0.80 2.6 %: a steep step, which `supers` and `values` move.
Both shares are the share of super-shingles that are equal, index by index.

Keys: the pairs of super-shingles, 15 of six (mega-shingles); articles with two equal super-shingles share one. No
related pair is missed.
Fetterly, Manasse and Najork (2003), On the evolution of clusters of near-duplicate web pages. [fetterly2003]
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from samestory.detectors.native import Native
from samestory.model import Kind
from samestory.specs import Range, parameter


@dataclass(frozen=True)
class MegaShingles(Native):
    """Finds articles two of whose super-shingles agree.

    >>> str(MegaShingles(values=10))
    'mega(values=10)'
    """

    name: ClassVar[str] = "mega"
    summary: ClassVar[str] = "articles that are nearly the same, from 84 numbers each"
    share_phrase: ClassVar[str] = "of their super-shingles agree"
    reports: ClassVar[frozenset[Kind]] = frozenset({Kind.NEAR})
    paper: ClassVar[str] = "fetterly2003"

    shingle: int = parameter(5, "words in a run", Range(1, 100))
    supers: int = parameter(6, "super-shingles of an article; two must agree", Range(2, 64))
    values: int = parameter(14, "min-hashes in a super-shingle", Range(1, 1000))
