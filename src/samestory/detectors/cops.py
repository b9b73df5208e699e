"""COPS: an article as a set of chunks, such as its sentences; one that holds many of another one's is a copy.

    forward = |C(left) ∩ C(right)| / |C(left)|        C: the different chunks, each of one or several units

Units are sentences, paragraphs (lines), words or characters (letters and digits). Of units A B C D E F, a size of three
makes these chunks:

    single       A, B, C, D, E, F
    disjoint     ABC, DEF
    overlapping  ABC, BCD, CDE, DEF
    variable     AB, CDEF           cut behind every unit whose hash the size divides: one put in spoils one chunk only

An article with at least `threshold` of its chunks in another is contained in it; two that contain each other are near.
So are two with `count` chunks in common, whatever their share.

Keys: all chunks; two articles meet when they share `threshold` of the chunks of the one with fewer, or `count`. Nothing
is lost. Single words and characters are in every article: those forms are for small collections.
Brin, Davis, Garcia-Molina (1995), Copy detection mechanisms for digital documents, section 4. [brin1995]
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from samestory.detectors.native import CONTAINMENT, Native
from samestory.model import Kind
from samestory.specs import parameter


@dataclass(frozen=True)
class Cops(Native):
    """Finds articles that hold whole sentences of another one.

    >>> str(Cops(chunking="overlapping", size=2))
    "cops(chunking='overlapping', size=2)"
    """

    name: ClassVar[str] = "cops"
    sees: ClassVar[str] = "articles that hold whole sentences of another one"
    shares: ClassVar[str] = "of the chunks of {one} are in {other}"
    reports: ClassVar[frozenset[Kind]] = CONTAINMENT
    cuts_shares: ClassVar[bool] = True
    paper: ClassVar[str] = "brin1995"

    unit: str = parameter("sentence", "what articles are broken into: 'sentence', 'paragraph', 'word' or 'character'")
    chunking: str = parameter("single", "how units become chunks: 'single', 'disjoint', 'overlapping' or 'variable'")
    size: int = parameter(3, "units in a chunk that has several; in one of variable length, on average")
    threshold: float = parameter(0.4, "least share of an article's chunks that its container holds")
    count: int = parameter(10, "so many chunks in common are a copy, whatever their share")

    def __post_init__(self) -> None:
        self._check_choice("unit", "sentence", "paragraph", "word", "character")
        self._check_choice("chunking", "single", "disjoint", "overlapping", "variable")
        self._check("size", 1, 10_000)
        self._check("threshold", 0, 1)
        self._check("count", 1, 2**32)
