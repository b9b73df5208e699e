"""Extractors of the native core: a block is content if its probability is at least one half. [gibson2007]"""

from __future__ import annotations

import os
from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from samestory import _core
from samestory.errors import NotAPage
from samestory.html.blocks import INLINE_5, PageBlocks, blocks, served
from samestory.html.extractors.base import Extraction, Extractor
from samestory.html.head import Head
from samestory.readers.page import Page
from samestory.specs import COUNTABLE, Range, parameter


def processors() -> int:
    """Returns the number of processors available to this process."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@dataclass(frozen=True)
class BlockExtractor(Extractor):
    """An extractor that labels each block of a page."""

    least: int = parameter(0, "minimum tokens of a block (MinBlock of the study)", Range(0, COUNTABLE - 1))

    @property
    @abstractmethod
    def native(self) -> _core.html.Extractor:
        """The native extractor."""

    def prepare(self) -> None:
        assert self.native

    def extract(self, pages: Sequence[Page], threads: int = 0) -> list[Extraction | NotAPage]:
        found = self.native.extract([served(page) for page in pages], threads or processors())
        return [_extraction(page, each) for page, each in zip(pages, found, strict=True)]

    def label(self, page: Page) -> tuple[PageBlocks, list[float]]:
        """Returns the blocks of a page with their content probabilities."""
        return blocks(page, inline_extra=INLINE_5), self.native.label(served(page))


def _extraction(page: Page, found: _core.html.Extraction | NotAPage) -> Extraction | NotAPage:
    if isinstance(found, NotAPage):
        return NotAPage(found.detail, place=page.url or "page")
    return Extraction(found.text, found.title, found.encoding, frozenset(found.flags), Head.from_row(found.head))


@dataclass(frozen=True)
class Heuristic(BlockExtractor):
    """All text of a page except scripts and styles: the baseline of the study.

    Includes navigation, notices and related links, so use it only as a baseline.
    """

    name = "heuristic"

    @cached_property
    def native(self) -> _core.html.Extractor:
        return _core.html.Extractor("heuristic", self.least)


@dataclass(frozen=True)
class Rules(BlockExtractor):
    """Heuristic rules: running text in and near the element with most of it, and the blocks between.

    Needs no model and no language: for pages unlike the training pages of the models.
    """

    name = "rules"

    @cached_property
    def native(self) -> _core.html.Extractor:
        return _core.html.Extractor("rules", self.least)
