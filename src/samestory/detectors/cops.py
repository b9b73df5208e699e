"""COPS: an article as a set of chunks, such as its sentences; an article with many chunks of another is a copy.

    forward = |C(left) ∩ C(right)| / |C(left)|        C: the distinct chunks, each of one or several units

Units are sentences, paragraphs (lines), words or characters (letters and digits). Of units A B C D E F, a size of three
makes these chunks:

    single       A, B, C, D, E, F
    disjoint     ABC, DEF
    overlapping  ABC, BCD, CDE, DEF
    variable     AB, CDEF           cut after units whose hash is divisible by the size: an insertion changes one chunk

An article with at least `threshold` of its chunks in another is contained in it; two that contain each other are near.
So are two with `count` chunks in common, at any share.

Keys: all chunks; two articles are candidates if they share `threshold` of the chunks of the one with fewer, or `count`.
No related pair is missed. Single words and characters occur in every article: use them for small collections only.
Brin, Davis, Garcia-Molina (1995), Copy detection mechanisms for digital documents, section 4. [brin1995]
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from samestory.detectors.native import CONTAINMENT, Native
from samestory.model import Kind
from samestory.specs import SHARE, Range, parameter


@dataclass(frozen=True)
class Cops(Native):
    """Finds articles that contain whole sentences of another one.

    >>> str(Cops(chunking="overlapping", size=2))
    "cops(chunking='overlapping', size=2)"
    """

    name: ClassVar[str] = "cops"
    summary: ClassVar[str] = "articles that contain whole sentences of another one"
    share_phrase: ClassVar[str] = "of the chunks of {one} are in {other}"
    reports: ClassVar[frozenset[Kind]] = CONTAINMENT
    threshold_per_share: ClassVar[bool] = True
    paper: ClassVar[str] = "brin1995"

    unit: str = parameter(
        "sentence",
        "what articles are broken into: 'sentence', 'paragraph', 'word' or 'character'",
        ("sentence", "paragraph", "word", "character"),
    )
    chunking: str = parameter(
        "single",
        "how units become chunks: 'single', 'disjoint', 'overlapping' or 'variable'",
        ("single", "disjoint", "overlapping", "variable"),
    )
    size: int = parameter(3, "units in a chunk of several; for variable chunks, on average", Range(1, 10_000))
    threshold: float = parameter(0.4, "least share of an article's chunks that its container has", SHARE)
    count: int = parameter(10, "number of common chunks that makes a copy at any share", Range(1, 2**32))
