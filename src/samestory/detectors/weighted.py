"""Detectors that need the document frequencies of terms, and those that weight words by idf."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import ClassVar, Self

from samestory import _core
from samestory.detectors.native import Native
from samestory.errors import NotFittedError, ParameterError
from samestory.model import Features
from samestory.specs import COUNTABLE, Range, parameter
from samestory.text import Counter, Frequencies
from samestory.text.frequencies import Section


@dataclass(frozen=True)
class Counted(Native):
    """A native detector with statistics: the document frequency of every term.

    With `idf="self"` they are counted on the collection that is searched, in a first pass; otherwise they are those of
    a reference collection, in a file made by `samestory fit`.
    """

    section: ClassVar[Section] = "words"

    idf: str = parameter("self", "'self' (counted on the collection itself), or a file made by `samestory fit`")
    frequencies: Frequencies | None = field(default=None, repr=False, compare=False)

    def __post_init__(self) -> None:
        super().__post_init__()
        if not isinstance(self.idf, str) or not self.idf:
            raise ParameterError(f"{self.name}: idf must be 'self' or the name of a file, got {self.idf!r}")

    @property
    def counted(self) -> Section:
        """The section of the statistics that it needs."""
        return "stems" if getattr(self, "stemming", "none") == "F5" else self.section

    @property
    def fitted(self) -> bool:
        return self.frequencies is not None or self.idf != "self"

    @cached_property
    def native(self) -> _core.detectors.Detector:
        return _core.detectors.Detector(self.name, self.arguments(), self.table().native)

    def table(self) -> Frequencies:
        """Returns the statistics; raises NotFittedError if there are none."""
        if self.frequencies is not None:
            return self.frequencies
        if self.idf == "self":
            raise NotFittedError(
                f"{self.name}: needs word frequencies",
                f"fit it with detector.fit(corpus), or make a table once with `samestory fit NEWS.jsonl -o news.idf` "
                f"and use {self.name}(idf='news.idf')",
            )
        return Frequencies.load(self.idf)

    def counter(self) -> Counter:
        return Counter(self.counted)

    def weighed(self, frequencies: Frequencies) -> Self:
        return replace(self, frequencies=frequencies)

    def fit(self, corpus: Iterable[Features]) -> Self:
        return self.weighed(Frequencies.of(corpus, self.counted))

    def state(self) -> bytes:
        return bytes(self.table()) if self.fitted else b""

    def restore(self, state: bytes) -> Self:
        return self.weighed(Frequencies.parse(state)) if state else self


@dataclass(frozen=True)
class Weighted(Counted):
    """A detector that weights words: idf = log(articles / articles with the word)."""

    log_base: float = parameter(
        10.0, "base of the logarithm in idf = log(articles / articles with the word)", Range(1.000001, COUNTABLE)
    )
    plus_one: bool = parameter(False, "add one to every idf")
