"""Adapters for third-party extractors, to compare and to use them.

Each is an optional library, imported on first use. Pages are decoded here as browsers do, so that all extractors get
the same characters.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from samestory.errors import MissingExtraError, NotAPage
from samestory.html.blocks import blocks, served
from samestory.html.extractors.base import Extraction, Extractor
from samestory.html.extractors.native import Heuristic
from samestory.readers.page import Page
from samestory.specs import parameter

#: Settings of trafilatura.
FAVOR = ("balanced", "precision", "recall")


@dataclass(frozen=True)
class LibraryExtractor(Extractor):
    """An extractor of a third-party library: markup in, text out."""

    @abstractmethod
    def reader(self) -> Callable[[str], str | None]:
        """Returns a function that extracts text from markup."""

    def extract(self, pages: Sequence[Page], threads: int = 0) -> list[Extraction | NotAPage]:
        read = self.reader()
        return [self._one(page, read) for page in pages]

    def _one(self, page: Page, read: Callable[[str], str | None]) -> Extraction | NotAPage:
        try:
            about = blocks(page)
            markup = served(page).markup
        except NotAPage as why:
            return why
        try:
            text = read(markup.text) or ""
        except Exception as error:  # third-party code raises any kind of error; one page must not stop the others
            return NotAPage(f"{self.name} raised {type(error).__name__}: {error}", place=page.url or "page")
        return Extraction(text, about.title, markup.encoding, about.flags, about.head)

    def _imported(self, module: str, package: str) -> Any:
        try:
            return import_module(module)
        except ImportError:
            raise MissingExtraError(
                f"the library {package} is not installed",
                'install it: pip install "samestory[extractors]"',
                place=self.name,
            ) from None


@dataclass(frozen=True)
class Trafilatura(LibraryExtractor):
    """trafilatura: rules over a cleaned tree, with readability and jusText to fall back on. [barbaresi2021]"""

    name = "trafilatura"

    favor: str = parameter("balanced", f"what to favour: {', '.join(FAVOR)}", tuple(FAVOR))

    def reader(self) -> Callable[[str], str | None]:
        extract = self._imported("trafilatura", "trafilatura").extract
        options = {
            "favor_precision": self.favor == "precision",
            "favor_recall": self.favor == "recall",
            "include_comments": False,
        }
        return lambda markup: extract(markup, **options)


@dataclass(frozen=True)
class Readability(LibraryExtractor):
    """readability-lxml: scores elements by class names, commas and links, as the reader mode of browsers did."""

    name = "readability"

    def reader(self) -> Callable[[str], str | None]:
        document = self._imported("readability", "readability-lxml").Document

        def read(markup: str) -> str:
            # it returns markup
            (found,) = Heuristic().extract([Page(document(markup).summary().encode(), charset="utf-8")])
            return found.text if isinstance(found, Extraction) else ""

        return read


@dataclass(frozen=True)
class Resiliparse(LibraryExtractor):
    """Resiliparse: rules over a tree, made to be fast. [bevendorff2018]"""

    name = "resiliparse"

    def reader(self) -> Callable[[str], str | None]:
        extract = self._imported("resiliparse.extract.html2text", "resiliparse").extract_plain_text
        return lambda markup: extract(markup, main_content=True, alt_texts=False, links=False, comments=False)
