"""Detectors that count the terms of a collection first, and those that weigh words by how rare they are in it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import ClassVar, Self

from samestory import _core
from samestory.detectors.native import Native
from samestory.errors import NotFittedError, ParameterError
from samestory.model import Features
from samestory.specs import COUNTABLE, parameter
from samestory.text import Counter, Frequencies
from samestory.text.frequencies import Section


@dataclass(frozen=True)
class Counted(Native):
    """A native detector with statistics: in how many articles of a collection every term stands.

    Whose statistics: `idf="self"`, those of the collection that is searched, counted first; or those of a reference
    collection, in a file made by `samestory fit`.
    """

    section: ClassVar[Section] = "words"

    idf: str = parameter("self", "'self' (counted on the collection itself), or a file made by `samestory fit`")
    frequencies: Frequencies | None = field(default=None, repr=False, compare=False)

    def __post_init__(self) -> None:
        if not isinstance(self.idf, str) or not self.idf:
            raise ParameterError(f"{self.name}: idf must be 'self' or the name of a file, got {self.idf!r}")

    @property
    def counted(self) -> Section:
        """The terms whose frequencies it needs."""
        return "stems" if getattr(self, "stemming", "none") == "F5" else self.section

    @property
    def fitted(self) -> bool:
        """See the base."""
        return self.frequencies is not None or self.idf != "self"

    @cached_property
    def native(self) -> _core.Detector:
        """See the base."""
        return _core.Detector(self.name, self.arguments(), self.table().native)

    def table(self) -> Frequencies:
        """The statistics."""
        if self.frequencies is not None:
            return self.frequencies
        if self.idf == "self":
            raise NotFittedError(
                f"{self.name}: word frequencies are wanted",
                f"fit it: detector.fit(corpus); or make a table once, with `samestory fit NEWS.jsonl -o news.idf`, "
                f"and use {self.name}(idf='news.idf')",
            )
        return Frequencies.load(self.idf)

    def counter(self) -> Counter:
        """See the base."""
        return Counter(self.counted)

    def weighed(self, frequencies: Frequencies) -> Self:
        """See the base."""
        return replace(self, frequencies=frequencies)

    def fit(self, corpus: Iterable[Features]) -> Self:
        """See the base."""
        return self.weighed(Frequencies.of(corpus, self.counted))

    def state(self) -> bytes:
        """See the base."""
        return bytes(self.table()) if self.fitted else b""

    def restore(self, state: bytes) -> Self:
        """See the base."""
        return self.weighed(Frequencies.parse(state)) if state else self


@dataclass(frozen=True)
class Weighted(Counted):
    """One that makes weights of them: idf = log(articles / articles with the word)."""

    log_base: float = parameter(10.0, "base of the logarithm in idf = log(articles / articles with the word)")
    plus_one: bool = parameter(False, "add one to every idf")

    def __post_init__(self) -> None:
        super().__post_init__()
        self._check("log_base", 1.000001, COUNTABLE)
        self._check_switch("plus_one")
