"""I-Match: one SHA-1 over the terms of an article that are neither common nor very rare; equal digests are near.

    signature = SHA-1(the selected terms, sorted and unique, one per line)

`imatch-idf` selects terms whose idf, as a share of its maximum (log N), is in a band. `imatch-top10` orders terms by
falling idf, skips the first two, which are likely misspelt, and selects the next ten. An article without selected terms
has no signature.

`imatch-rand` uses several lexicons beside the band, each without a random part of its terms: lexicon k lacks term t if
hash64(k, t) / 2^64 < drop. One equal digest is enough, so that a changed word does no harm in a lexicon that lacks it.
An article with few terms in the band has no signature: its few words would match by chance.

    forward = backward = digests that agree / lexicons that have a term of either article

For the others both shares are 1 or 0.

Keys: the digests. No related pair is missed.
Chowdhury et al. (2002), Collection statistics for fast duplicate document detection [chowdhury2002], as run by Uyar
(2009) [uyar2009] and by Varol (2012), section 4.3 [varol2012]; random lexicons: Kołcz, Chowdhury and Alspector (2004),
Improved robustness of signature-based near-replica detection via lexicon randomization [kolcz2004].
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from samestory.detectors.native import stemming_parameter, stop_words_parameter
from samestory.detectors.weighted import Weighted
from samestory.errors import ParameterError
from samestory.model import Kind
from samestory.specs import SHARE, Range, parameter


@dataclass(frozen=True)
class Band(Weighted):
    """A detector that selects terms of medium idf."""

    low: float = parameter(0.2, "least idf of a selected term, as a share of log(articles)", SHARE)
    high: float = parameter(0.8, "highest idf of a selected term, likewise", SHARE)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.low > self.high:
            raise ParameterError(f"{self.name}: low must not be above high, got {self.low!r} and {self.high!r}")


@dataclass(frozen=True)
class IMatch(Band):
    """Finds articles with the same words of medium idf.

    >>> str(IMatch(low=0.3))
    'imatch-idf(low=0.3)'
    """

    name: ClassVar[str] = "imatch-idf"
    summary: ClassVar[str] = "articles with the same words of medium rarity, in any order"
    share_phrase: ClassVar[str] = "of their signatures are equal"
    reports: ClassVar[frozenset[Kind]] = frozenset({Kind.NEAR})
    paper: ClassVar[str] = "chowdhury2002"

    stemming: str = stemming_parameter("none")
    stop_words: bool = stop_words_parameter(False)


@dataclass(frozen=True)
class IMatchTop(Weighted):
    """Finds articles whose rarest words are the same.

    >>> str(IMatchTop(count=8))
    'imatch-top10(count=8)'
    """

    name: ClassVar[str] = "imatch-top10"
    summary: ClassVar[str] = "articles with the same ten rarest words, after the first two"
    share_phrase: ClassVar[str] = "of their signatures are equal"
    reports: ClassVar[frozenset[Kind]] = frozenset({Kind.NEAR})
    paper: ClassVar[str] = "varol2012"

    skip: int = parameter(2, "number of rarest terms to skip, which are likely misspelt", Range(0, 1000))
    count: int = parameter(10, "number of terms to select after them", Range(1, 1000))
    stemming: str = stemming_parameter("F5")
    stop_words: bool = stop_words_parameter(True)


@dataclass(frozen=True)
class IMatchRandom(Band):
    """Finds articles with nearly the same words of medium idf.

    >>> str(IMatchRandom(lexicons=10))
    'imatch-rand(lexicons=10)'
    """

    name: ClassVar[str] = "imatch-rand"
    summary: ClassVar[str] = "articles with the same words of medium rarity but for a few"
    share_phrase: ClassVar[str] = "of their signatures are equal"
    reports: ClassVar[frozenset[Kind]] = frozenset({Kind.NEAR})
    paper: ClassVar[str] = "kolcz2004"

    lexicons: int = parameter(5, "number of lexicons beside the whole band", Range(0, 100))
    drop: float = parameter(0.3, "share of the terms that each of them lacks", SHARE)
    least: float = parameter(0.1, "least share of an article's distinct terms that must be in the band", SHARE)
    stemming: str = stemming_parameter("none")
    stop_words: bool = stop_words_parameter(False)
