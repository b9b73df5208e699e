"""SpotSigs: at every stop word, the chain of the next content words; compared as multisets.

    "at a rally to kick off a weeklong campaign"      the spots at "a":  a:rally:kick   a:weeklong:campaign
    r(left, right) = |S(left) ∩ S(right)| / |S(left) ∪ S(right)|          S: the multiset of spots

Running text is full of stop words, menus and lists have hardly any: boilerplate around an article leaves few spots. Two
articles with r of at least `threshold` are near; the shares are the common spots divided by those of each side. The
stop words are those of the article's language (Turkish, English, Russian); articles in other languages, and those
without a spot, have no signature.

Keys: all spots, the n-th occurrence of a spot being a key of its own; the most frequent ones need not be looked up
(prefix filter). Multisets of which one has less than `threshold` of the other's size are not compared. No related pair
is missed.
Theobald, Siddharth, Paepcke (2008), SpotSigs: robust and efficient near duplicate detection in large web collections,
sections 3 and 4. [theobald2008]
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from samestory.detectors.native import Native
from samestory.model import Kind
from samestory.specs import SHARE, Range, parameter


@dataclass(frozen=True)
class SpotSigs(Native):
    """Finds articles with the same running text, whatever boilerplate surrounds it.

    >>> str(SpotSigs(chain=3))
    'spotsigs(chain=3)'
    """

    name: ClassVar[str] = "spotsigs"
    summary: ClassVar[str] = "articles with the same running text, regardless of menus and lists around it"
    share_phrase: ClassVar[str] = "of the spots of {one} are in {other}"
    reports: ClassVar[frozenset[Kind]] = frozenset({Kind.NEAR})
    paper: ClassVar[str] = "theobald2008"

    distance: int = parameter(1, "steps of this many content words after a stop word", Range(1, 1000))
    chain: int = parameter(2, "content words in a spot", Range(1, 1000))
    threshold: float = parameter(0.44, "least resemblance (Jaccard) of the two multisets of spots", SHARE)
