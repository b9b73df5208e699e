"""Document frequencies of shingles (runs of words) in a collection, used to drop frequent ones.

Tables can be added, so that parts of a collection can be counted separately. A table is a text file: document
frequencies, and for each the hashes of the shingles with that frequency.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from samestory import _core
from samestory.errors import InputError, ParameterError
from samestory.model import Features
from samestory.output import write_file
from samestory.text.frequencies import Counting


class ShingleCounts:
    """A table of document frequencies of shingles.

    >>> from samestory import Article, prepare
    >>> table = ShingleCounts.of([prepare([Article("a", "The bank. The bank!"), Article("b", "The river.")])], 2)
    >>> table.articles, table.shingle, len(table)
    (2, 2, 3)
    """

    def __init__(self, native: _core.detectors.Statistics) -> None:
        self.native = native

    @classmethod
    def of(cls, corpus: Iterable[Features], shingle: int) -> ShingleCounts:
        """Counts the shingles of articles, of so many words each."""
        counter = ShingleCounter(shingle)
        for features in corpus:
            counter.add(features)
        return counter.counts()

    @classmethod
    def load(cls, path: str | Path) -> ShingleCounts:
        """Reads a table from its file."""
        hint = f"create one with: samestory fit NEWS.jsonl --shingles 2 -o {path}"
        try:
            return cls.parse(Path(path).read_bytes())
        except OSError as error:
            raise InputError(str(error.strerror or error), hint, place=path) from None
        except InputError as error:
            raise InputError(f"not a table of shingles: {error.detail}", hint, place=path) from None

    @classmethod
    def parse(cls, table: bytes) -> ShingleCounts:
        """Parses a table from its bytes; raises InputError if they are invalid."""
        try:
            text = table.decode()
        except UnicodeDecodeError as error:
            raise InputError(str(error)) from None
        return cls(_core.detectors.Statistics("shingles", text))

    def save(self, path: str | Path) -> None:
        """Writes the table atomically."""
        write_file(path, bytes(self))

    def __bytes__(self) -> bytes:
        return str(self.native).encode()

    def __len__(self) -> int:
        return sum(self.native.sizes)

    def __eq__(self, other: object) -> bool:
        return bytes(self) == bytes(other) if isinstance(other, ShingleCounts) else NotImplemented

    def __add__(self, other: ShingleCounts) -> ShingleCounts:
        if self.shingle != other.shingle:
            raise ParameterError(f"cannot add tables with shingles of {self.shingle} and {other.shingle} words")
        return ShingleCounts(self.native + other.native)

    def __deepcopy__(self, _: dict[int, Any]) -> ShingleCounts:
        return self  # immutable

    @property
    def articles(self) -> int:
        """The number of articles counted."""
        return self.native.articles

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
