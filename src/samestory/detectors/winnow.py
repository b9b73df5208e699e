"""Winnowing: the least hash of every window of hashes of character runs, so that no long common run is missed.

    forward = |W(left) ∩ W(right)| / |W(left)|        W: the least hash of every window of 20 hashes of 15 characters

The text is reduced to its letters and digits, in lower case. Of equal least hashes the rightmost is kept, each
position once. A common run of at least window + gram - 1 characters always leaves a common hash. A text of fewer
characters than a gram has one hash, a text of fewer hashes than a window keeps the least. An article with at least
`threshold` of its hashes in another is contained in it; two that contain each other are near.

Keys: all kept hashes; two articles are candidates if they share `threshold` of those of the one with fewer. No related
pair is missed.
Schleimer, Wilkerson, Aiken (2003), Winnowing: local algorithms for document fingerprinting, section 3. [schleimer2003]
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from samestory.detectors.native import CONTAINMENT, Native
from samestory.model import Kind
from samestory.specs import SHARE, Range, parameter


@dataclass(frozen=True)
class Winnow(Native):
    """Finds articles that share long runs of characters, regardless of what separates the words.

    >>> str(Winnow(window=10))
    'winnow(window=10)'
    """

    name: ClassVar[str] = "winnow"
    summary: ClassVar[str] = "articles that contain long runs of another one's letters and digits"
    share_phrase: ClassVar[str] = "of the runs of letters kept of {one} are in {other}"
    reports: ClassVar[frozenset[Kind]] = CONTAINMENT
    threshold_per_share: ClassVar[bool] = True
    paper: ClassVar[str] = "schleimer2003"

    gram: int = parameter(15, "characters in a hashed run", Range(1, 1000))
    window: int = parameter(20, "hashes in a window, of which the least is kept", Range(1, 1000))
    threshold: float = parameter(0.4, "least share of an article's hashes that its container has", SHARE)
