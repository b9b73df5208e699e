"""Document frequencies of terms in a collection, and their idf weights.

    idf(w) = log(|D| / df(w))                                            Eq. 2.1 of Varol (2012) [varol2012]

Words, five-letter stems (F5) and runs of five letters are counted side by side, so that one table serves every
detector. Tables can be added, so that parts of a collection can be counted separately. A table is a readable text file.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import Any, ClassVar, Literal

from samestory import _core
from samestory.errors import ParameterError
from samestory.model import NO_TIME, Features
from samestory.text.count_table import CountTable

Section = Literal["words", "stems", "letters"]


class Frequencies(CountTable):
    """A table of document frequencies.

    >>> from samestory import Article, prepare
    >>> table = Frequencies.of([prepare([Article("a", "The bank. A bank!"), Article("b", "The river.")])])
    >>> table.articles, table.count("bank"), table.count("the"), table.count("unseen")
    (2, 1, 2, 0)
    """

    section: ClassVar[str] = "terms"
    description: ClassVar[str] = "frequencies"
    command: ClassVar[str] = "samestory fit NEWS.jsonl"

    @classmethod
    def of(cls, corpus: Iterable[Features], *sections: Section) -> Frequencies:
        """Counts the terms of articles: words and stems by default."""
        counter = Counter(*(sections or ("words", "stems")))
        for features in corpus:
            counter.add(features)
        return counter.frequencies()

    def __add__(self, other: Frequencies) -> Frequencies:
        counted = [{name for name, size in table.sizes.items() if size} for table in (self, other)]
        if all(counted) and counted[0] != counted[1]:
            sections = " and ".join(", ".join(sorted(names)) for names in counted)
            raise ParameterError(f"cannot add tables with different sections: {sections}")
        return Frequencies(self.native + other.native)

    @property
    def sizes(self) -> dict[str, int]:
        """The number of distinct terms by section."""
        return dict(zip(("words", "stems", "letters"), self.native.sizes, strict=True))

    def count(self, term: str, section: Section = "words") -> int:
        """Returns how many articles contain a term (in lower case)."""
        return self.native[section, term]

    def idf(self, term: str, section: Section = "words", log_base: float = 10.0, plus_one: bool = False) -> float:
        """Returns the idf weight of a term; an unseen term counts as seen once."""
        return math.log(max(self.articles, 1) / max(self.count(term, section), 1), log_base) + plus_one


class Counting(ABC):
    """A counter over articles, fed with features or, through its native half, by a corpus reader."""

    native: _core.detectors.Detector
    #: Whether the counts of a collection are the sum of those of its parts.
    is_sum: ClassVar[bool] = True

    def add(self, features: Features) -> None:
        """Counts the articles of a batch."""
        self.native.sign(
            [NO_TIME] * len(features),
            texts=features.compared,
            titles=features.compared_titles,
            languages=features.languages,
        )

    @abstractmethod
    def counts(self) -> Any:
        """Returns the counts so far."""


class Counter(Counting):
    """Counts the document frequency of terms."""

    def __init__(self, *sections: Section) -> None:
        self._counter = _core.detectors.Counter(list(sections))
        self.native = self._counter.detector

    def frequencies(self) -> Frequencies:
        """Returns the counts so far."""
        return Frequencies(self._counter.statistics)

    def counts(self) -> Frequencies:
        return self.frequencies()
