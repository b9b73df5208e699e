"""Extractors of the native core: every block gets a probability, and is content from one half on. [gibson2007]"""

from __future__ import annotations

import os
from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from samestory import _core
from samestory.errors import NotAPage
from samestory.html.blocks import INLINE_5, Blocks, blocks, served
from samestory.html.extractors.base import Extraction, Extractor
from samestory.html.head import Head
from samestory.readers.page import Page
from samestory.specs import COUNTABLE, parameter


def processors() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@dataclass(frozen=True)
class BlockExtractor(Extractor):
    """Judges a page block by block."""

    least: int = parameter(0, "tokens a block must have to count (MinBlock of the study)")

    def __post_init__(self) -> None:
        self._check("least", 0, COUNTABLE - 1)

    @property
    @abstractmethod
    def native(self) -> _core.Extractor:
        """The same in the core."""

    def prepare(self) -> None:
        """Loads the model, if there is one."""
        assert self.native

    def extract(self, pages: Sequence[Page], threads: int = 0) -> list[Extraction | NotAPage]:
        """The content of every page, in their order; on so many threads (0: on all processors)."""
        found = self.native.extract([served(page) for page in pages], threads or processors())
        return [_extraction(page, *each) for page, each in zip(pages, found, strict=True)]

    def label(self, page: Page) -> tuple[Blocks, list[float]]:
        """The blocks of a page, and how probable it is of each that it is content."""
        return blocks(page, inline_extra=INLINE_5), self.native.label(*served(page))


def _extraction(
    page: Page, found: tuple[str, str, list[str], str, _core.Head] | None, why: str | None
) -> Extraction | NotAPage:
    if found is None:
        return NotAPage(f"{page.url or 'page'}: {why}")
    encoding, title, flags, text, head = found
    return Extraction(text, title, encoding, frozenset(flags), Head.of(head))


@dataclass(frozen=True)
class Heuristic(BlockExtractor):
    """All text of a page that is no script and no style: the study's yard-stick.

    Navigation, notices and related links are taken with the news, so use it to see what extraction is worth.
    """

    name = "heuristic"

    @cached_property
    def native(self) -> _core.Extractor:
        """The same in the core."""
        return _core.Extractor("heuristic", self.least)


@dataclass(frozen=True)
class Rules(BlockExtractor):
    """Rules of our own: running text in and near the element that holds most of it, and what stands between.

    No model and no language: for pages unlike all that models were trained on.
    """

    name = "rules"

    @cached_property
    def native(self) -> _core.Extractor:
        """The same in the core."""
        return _core.Extractor("rules", self.least)
