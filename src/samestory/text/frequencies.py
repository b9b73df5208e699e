"""Document frequencies of terms in a collection, and their idf weights.

    idf(w) = log(|D| / df(w))                                            Eq. 2.1 of Varol (2012) [varol2012]

Words, five-letter stems (F5) and runs of five letters are counted side by side, so that one table serves every
detector. Tables can be added, so that parts of a collection can be counted separately. A table is a readable text file.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Iterable
from pathlib import Path
from typing import Any, ClassVar, Literal

from samestory import _core
from samestory.errors import InputError, ParameterError
from samestory.model import NO_TIME, Features
from samestory.output import write_file

Section = Literal["words", "stems", "letters"]


class Frequencies:
    """A table of document frequencies.

    >>> from samestory import Article, prepare
    >>> table = Frequencies.of([prepare([Article("a", "The bank. A bank!"), Article("b", "The river.")])])
    >>> table.articles, table.count("bank"), table.count("the"), table.count("unseen")
    (2, 1, 2, 0)
    """

    def __init__(self, native: _core.detectors.Statistics) -> None:
        self.native = native

    @classmethod
    def of(cls, corpus: Iterable[Features], *sections: Section) -> Frequencies:
        """Counts the terms of articles: words and stems by default."""
        counter = Counter(*(sections or ("words", "stems")))
        for features in corpus:
            counter.add(features)
        return counter.frequencies()

    @classmethod
    def load(cls, path: str | Path) -> Frequencies:
        """Reads a table from its file."""
        hint = f"create a new one with: samestory fit NEWS.jsonl -o {path}"
        try:
            return cls.parse(Path(path).read_bytes())
        except OSError as error:
            missing = f"create one with: samestory fit NEWS.jsonl -o {path}"
            raise InputError(str(error.strerror or error), missing, place=path) from None
        except InputError as error:
            raise InputError(f"not a table of frequencies: {error.detail}", hint, place=path) from None

    @classmethod
    def parse(cls, table: bytes) -> Frequencies:
        """Parses a table from its bytes; raises InputError if they are invalid."""
        try:
            text = table.decode()
        except UnicodeDecodeError as error:
            raise InputError(str(error)) from None
        return cls(_core.detectors.Statistics("terms", text))

    def save(self, path: str | Path) -> None:
        """Writes the table atomically."""
        write_file(path, bytes(self))

    def __bytes__(self) -> bytes:
        return str(self.native).encode()

    def __eq__(self, other: object) -> bool:
        return self.native == other.native if isinstance(other, Frequencies) else NotImplemented

    def __add__(self, other: Frequencies) -> Frequencies:
        counted = [{name for name, size in table.sizes.items() if size} for table in (self, other)]
        if all(counted) and counted[0] != counted[1]:
            sections = " and ".join(", ".join(sorted(names)) for names in counted)
            raise ParameterError(f"cannot add tables with different sections: {sections}")
        return Frequencies(self.native + other.native)

    def __deepcopy__(self, _: dict[int, Any]) -> Frequencies:
        return self  # immutable

    @property
    def articles(self) -> int:
        """The number of articles counted."""
        return self.native.articles

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
