"""In how many articles of a collection every run of words stands: what is needed to leave frequent ones out.

Tables add up, so parts of a collection can be counted apart. A table is a text file: numbers of articles, and for each
the hashes of the runs that stand in so many.
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
    """A table of runs.

    >>> from samestory import Article, prepare
    >>> table = ShingleCounts.of([prepare([Article("a", "The bank. The bank!"), Article("b", "The river.")])], 2)
    >>> table.articles, table.shingle, len(table)
    (2, 2, 3)
    """

    def __init__(self, native: _core.ShingleCounts) -> None:
        self.native = native

    @classmethod
    def of(cls, corpus: Iterable[Features], shingle: int) -> ShingleCounts:
        """Counts the runs of so many words of articles."""
        counter = ShingleCounter(shingle)
        for features in corpus:
            counter.add(features)
        return counter.counts()

    @classmethod
    def load(cls, path: str | Path) -> ShingleCounts:
        """Reads a table from its file."""
        hint = f"make one with: samestory fit NEWS.jsonl --shingles 2 -o {path}"
        try:
            return cls.parse(Path(path).read_bytes())
        except OSError as error:
            raise InputError(f"{path}: {error.strerror or error}", hint) from None
        except ValueError as error:
            raise InputError(f"{path}: no table of runs of words: {error}", hint) from None

    @classmethod
    def parse(cls, table: bytes) -> ShingleCounts:
        """Reads a table from its bytes; a ValueError says what is wrong with them."""
        return cls(_core.ShingleCounts(table.decode()))

    def save(self, path: str | Path) -> None:
        """Writes the table, whole or not at all."""
        write_file(path, bytes(self))

    def __bytes__(self) -> bytes:
        return self.native.text().encode()

    def __len__(self) -> int:
        return len(self.native)

    def __eq__(self, other: object) -> bool:
        return bytes(self) == bytes(other) if isinstance(other, ShingleCounts) else NotImplemented

    def __add__(self, other: ShingleCounts) -> ShingleCounts:
        if self.shingle != other.shingle:
            raise ParameterError(
                f"tables of runs of as many words are wanted to be added, got {self.shingle} and {other.shingle}"
            )
        return ShingleCounts(self.native + other.native)

    def __deepcopy__(self, _: dict[int, Any]) -> ShingleCounts:
        return self  # never changes

    @property
    def articles(self) -> int:
        """How many articles were counted."""
        return self.native.articles

    @property
    def shingle(self) -> int:
        """Words in a run."""
        return self.native.shingle


class ShingleCounter(Counting):
    """Counts runs of words: of features, or of what a corpus reads through its native half."""

    def __init__(self, shingle: int) -> None:
        self._counter = _core.ShingleCounter(shingle)
        self.native = self._counter.detector()

    def counts(self) -> ShingleCounts:
        """See the base."""
        return ShingleCounts(self._counter.counts())
