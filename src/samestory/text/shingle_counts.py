"""Document frequencies of shingles (runs of words) in a collection, used to drop frequent ones.

Tables can be added, so that parts of a collection can be counted separately. A table is a text file: document
frequencies, and for each the hashes of the shingles with that frequency.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from samestory import _core
from samestory.errors import ParameterError
from samestory.model import Features
from samestory.text.count_table import CountTable
from samestory.text.frequencies import Counting


class ShingleCounts(CountTable):
    """A table of document frequencies of shingles.

    >>> from samestory import Article, prepare
    >>> table = ShingleCounts.of([prepare([Article("a", "The bank. The bank!"), Article("b", "The river.")])], 2)
    >>> table.articles, table.shingle, len(table)
    (2, 2, 3)
    """

    section: ClassVar[str] = "shingles"
    description: ClassVar[str] = "shingles"
    command: ClassVar[str] = "samestory fit NEWS.jsonl --shingles 2"

    @classmethod
    def of(cls, corpus: Iterable[Features], shingle: int) -> ShingleCounts:
        """Counts the shingles of articles, of so many words each."""
        counter = ShingleCounter(shingle)
        for features in corpus:
            counter.add(features)
        return counter.counts()

    def __len__(self) -> int:
        return sum(self.native.sizes)

    def __add__(self, other: ShingleCounts) -> ShingleCounts:
        if self.shingle != other.shingle:
            raise ParameterError(f"cannot add tables with shingles of {self.shingle} and {other.shingle} words")
        return ShingleCounts(self.native + other.native)

    @property
    def shingle(self) -> int:
        """The number of words in a shingle."""
        return self.native.shingle


class ShingleCounter(Counting):
    """Counts the document frequency of shingles."""

    def __init__(self, shingle: int) -> None:
        self._counter = _core.detectors.Counter(shingle=shingle)
        self.native = self._counter.detector

    def counts(self) -> ShingleCounts:
        return ShingleCounts(self._counter.statistics)
