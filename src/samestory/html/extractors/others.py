"""Extractors that others have written, behind our interface: to measure them, and to use them where they are better.

Each is an optional library, imported only when it is used. Pages are decoded by us, as browsers do it, and handed on as
characters; so that all extractors read the same, and differ in what they take.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from samestory import _core
from samestory.errors import NotAPage, SamestoryError
from samestory.html.blocks import blocks, served
from samestory.html.extractors.base import Extraction, Extractor
from samestory.html.extractors.native import Heuristic
from samestory.readers.page import Page
from samestory.specs import parameter

#: What trafilatura may be asked to favour.
FAVOR = ("balanced", "precision", "recall")


@dataclass(frozen=True)
class Library(Extractor):
    """An extractor of a library: characters of a page in, text out."""

    @abstractmethod
    def reader(self) -> Callable[[str], str | None]:
        """What makes text of markup."""

    def extract(self, pages: Sequence[Page], threads: int = 0) -> list[Extraction | NotAPage]:
        """See the base."""
        read = self.reader()
        return [self._one(page, read) for page in pages]

    def _one(self, page: Page, read: Callable[[str], str | None]) -> Extraction | NotAPage:
        try:
            about = blocks(page)
            encoding, _, markup = _core.page_text(*served(page))
        except NotAPage as why:
            return why
        try:
            text = read(markup) or ""
        except Exception as error:  # nobody knows what a library of others raises; one page must stop no other
            return NotAPage(f"{page.url or 'page'}: {self.name} cannot read it: {type(error).__name__}: {error}")
        return Extraction(text, about.title, encoding, about.flags, about.head)

    def _imported(self, module: str, package: str) -> Any:
        try:
            return import_module(module)
        except ImportError:
            raise SamestoryError(
                f"{self.name}: the library {package} is wanted, and is not installed",
                'install it: pip install "samestory[extractors]"',
            ) from None


@dataclass(frozen=True)
class Trafilatura(Library):
    """trafilatura: rules over a cleaned tree, with readability and jusText to fall back on. [barbaresi2021]"""

    name = "trafilatura"

    favor: str = parameter("balanced", f"what it should rather have: {', '.join(FAVOR)}")

    def __post_init__(self) -> None:
        self._check_choice("favor", *FAVOR)

    def reader(self) -> Callable[[str], str | None]:
        """See the base."""
        extract = self._imported("trafilatura", "trafilatura").extract
        options = {
            "favor_precision": self.favor == "precision",
            "favor_recall": self.favor == "recall",
            "include_comments": False,
        }
        return lambda markup: extract(markup, **options)


@dataclass(frozen=True)
class Readability(Library):
    """readability-lxml: scores elements by class names, commas and links, as the reading mode of browsers did."""

    name = "readability"

    def reader(self) -> Callable[[str], str | None]:
        """See the base."""
        document = self._imported("readability", "readability-lxml").Document

        def read(markup: str) -> str:
            # its answer is markup again
            (found,) = Heuristic().extract([Page(document(markup).summary().encode(), charset="utf-8")])
            return found.text if isinstance(found, Extraction) else ""

        return read


@dataclass(frozen=True)
class Resiliparse(Library):
    """Resiliparse: rules over a tree, made to be fast. [bevendorff2018]"""

    name = "resiliparse"

    def reader(self) -> Callable[[str], str | None]:
        """See the base."""
        extract = self._imported("resiliparse.extract.html2text", "resiliparse").extract_plain_text
        return lambda markup: extract(markup, main_content=True, alt_texts=False, links=False, comments=False)
