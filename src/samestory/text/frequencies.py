"""In how many articles of a collection every term stands, and the weights that follow.

    idf(w) = log(|D| / df(w))                                            Eq. 2.1 of Varol (2012) [varol2012]

Words, five-letter stems (F5) and runs of five letters are counted side by side: one table serves every detector. Tables
add up, so parts of a collection can be counted apart. A table is a text file that people can read.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Literal

from samestory import _core
from samestory.errors import InputError, ParameterError
from samestory.model import NO_TIME, Features
from samestory.output import write_file

Section = Literal["words", "stems", "letters"]


class Frequencies:
    """A table of frequencies.

    >>> from samestory import Article, prepare
    >>> table = Frequencies.of([prepare([Article("a", "The bank. A bank!"), Article("b", "The river.")])])
    >>> table.articles, table.count("bank"), table.count("the"), table.count("unseen")
    (2, 1, 2, 0)
    """

    def __init__(self, native: _core.Frequencies) -> None:
        self.native = native

    @classmethod
    def of(cls, corpus: Iterable[Features], *sections: Section) -> Frequencies:
        """Counts the terms of articles: words and stems, unless other sections are asked for."""
        counter = Counter(*(sections or ("words", "stems")))
        for features in corpus:
            counter.add(features)
        return counter.frequencies()

    @classmethod
    def load(cls, path: str | Path) -> Frequencies:
        """Reads a table from its file."""
        try:
            return cls.parse(Path(path).read_bytes())
        except OSError as error:
            hint = f"make one with: samestory fit NEWS.jsonl -o {path}"
            raise InputError(f"{path}: {error.strerror or error}", hint) from None
        except ValueError as error:
            hint = f"make a new one with: samestory fit NEWS.jsonl -o {path}"
            raise InputError(f"{path}: no table of frequencies: {error}", hint) from None

    @classmethod
    def parse(cls, table: bytes) -> Frequencies:
        """Reads a table from its bytes; a ValueError says what is wrong with them."""
        return cls(_core.Frequencies(table.decode()))

    def save(self, path: str | Path) -> None:
        """Writes the table, whole or not at all."""
        write_file(path, bytes(self))

    def __bytes__(self) -> bytes:
        return self.native.text().encode()

    def __eq__(self, other: object) -> bool:
        return self.native == other.native if isinstance(other, Frequencies) else NotImplemented

    def __add__(self, other: Frequencies) -> Frequencies:
        counted = [{name for name, size in table.sizes.items() if size} for table in (self, other)]
        if all(counted) and counted[0] != counted[1]:
            told = " and ".join(", ".join(sorted(names)) for names in counted)
            raise ParameterError(f"tables of the same sections are wanted to be added, got {told}")
        return Frequencies(self.native + other.native)

    def __deepcopy__(self, _: dict[int, Any]) -> Frequencies:
        return self  # never changes

    @property
    def articles(self) -> int:
        """How many articles were counted."""
        return self.native.articles

    @property
    def sizes(self) -> dict[str, int]:
        """How many different terms there are, by section."""
        return dict(zip(("words", "stems", "letters"), self.native.sizes, strict=True))

    def count(self, term: str, section: Section = "words") -> int:
        """How many articles have a term (in lower case); 0 where nobody has seen it."""
        return self.native.count(term, section)

    def idf(self, term: str, section: Section = "words", log_base: float = 10.0, plus_one: bool = False) -> float:
        """The weight of a term; one that nobody has seen counts as seen once."""
        return math.log(max(self.articles, 1) / max(self.count(term, section), 1), log_base) + plus_one


class Counting(ABC):
    """What counts something of articles: of features, or of what a corpus reads through its native half."""

    native: _core.Detector

    def add(self, features: Features) -> None:
        """Counts the articles of a batch."""
        rows = (features.compared, features.compared_titles, features.languages)
        self.native.sign_texts(*rows, [NO_TIME] * len(features))

    @abstractmethod
    def counts(self) -> Any:
        """What was counted so far."""


class Counter(Counting):
    """Counts terms."""

    def __init__(self, *sections: Section) -> None:
        self._counter = _core.Counter("words" in sections, "stems" in sections, "letters" in sections)
        self.native = self._counter.detector()

    def frequencies(self) -> Frequencies:
        """What was counted so far."""
        return Frequencies(self._counter.frequencies())

    def counts(self) -> Frequencies:
        """See the base."""
        return self.frequencies()
