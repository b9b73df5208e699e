"""The whole page: its text without tags, including scripts and styles. [gibson2007]"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from samestory.errors import NotAPage
from samestory.html.blocks import blocks, served
from samestory.html.extractors.base import Extraction, Extractor
from samestory.html.markup import pieces, shown
from samestory.model import Article
from samestory.readers.page import Page
from samestory.specs import COUNTABLE, Range, parameter
from samestory.text import prepare


@dataclass(frozen=True)
class WholePage(Extractor):
    """All text between the tags of a page, including scripts and styles: the whole page of the study.

    Useful only as a baseline.

    >>> [found] = WholePage().extract([Page(b"<p>One <b>two</b></p><style>p { color: red }</style>")])
    >>> found.text
    'One two\\n\\np { color: red }'
    """

    name = "whole"

    least: int = parameter(0, "minimum tokens of a block (MinBlock of the study)", Range(0, COUNTABLE - 1))

    def extract(self, pages: Sequence[Page], threads: int = 0) -> list[Extraction | NotAPage]:
        return [self._one(page) for page in pages]

    def _one(self, page: Page) -> Extraction | NotAPage:
        try:
            read = blocks(page)
            markup = served(page).markup
        except NotAPage as why:
            return why
        found = list(_between_tags(markup.text))
        if self.least:
            lengths = prepare([Article("", text) for text in found]).tokens.lengths().tolist()
            found = [text for text, length in zip(found, lengths, strict=True) if length >= self.least]
        return Extraction("\n\n".join(found), read.title, markup.encoding, read.flags, read.head)


def _between_tags(markup: str) -> Iterator[str]:
    held: list[str] = []
    for piece in pieces(markup):
        if piece.what == "text":
            held.append(markup[piece.start : piece.end])
        elif piece.breaks:
            if text := shown("".join(held)):
                yield text
            held = []
        elif piece.what == "code" and (code := " ".join(markup[piece.start : piece.end].split())):
            yield code
    if text := shown("".join(held)):
        yield text
