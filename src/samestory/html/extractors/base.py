"""The one interface of extractors: pages in, the text of their content out.

An extractor is its parameters, written and read back as a spec (`crf(least=5)`). What is no page comes back as an error
in its place: one bad page stops no other.
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
    """What an extractor takes for the content of a page.

    `flags` are those of `Blocks`; `head` is what the page says of itself, for `metadata` and `verdict`.
    """

    text: str
    title: str
    encoding: str
    flags: frozenset[str]
    head: Head = field(default_factory=Head)


@dataclass(frozen=True)
class Extractor(Spec, ABC):
    """Tells the content of a page from what stands around it."""

    def prepare(self) -> None:
        """Loads what it needs, or says why that cannot be; who works in threads asks for it before they start."""

    @abstractmethod
    def extract(self, pages: Sequence[Page], threads: int = 0) -> list[Extraction | NotAPage]:
        """The content of every page, in their order; on so many threads at most, where it uses several (0: on all
        processors)."""
