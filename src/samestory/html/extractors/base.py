"""The interface of extractors: pages in, the text of their content out.

An extractor is written as a spec (`crf(least=5)`). For an input that is not a page, an error is returned in its place,
so that one bad page does not stop the others.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field

from samestory.errors import NotAPage
from samestory.html.head import Head
from samestory.readers.page import Page
from samestory.specs import Spec


@dataclass(frozen=True, slots=True)
class Extraction:
    """The content of a page as found by an extractor.

    `flags` are those of `PageBlocks`; `head` is the metadata declared by the page, for `metadata` and `verdict`.
    """

    text: str
    title: str
    encoding: str
    flags: frozenset[str]
    head: Head = field(default_factory=Head)


@dataclass(frozen=True)
class Extractor(Spec, ABC):
    """Separates the content of a page from the rest."""

    def prepare(self) -> None:
        """Loads the model or raises an error; call it before starting threads."""

    @abstractmethod
    def extract(self, pages: Sequence[Page], threads: int = 0) -> list[Extraction | NotAPage]:
        """Returns the content of each page, in order, using at most `threads` threads if it is parallel (0: all
        processors)."""
