"""The whole page: what is left when its tags are cut out, script and style included. [gibson2007]"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from samestory import _core
from samestory.errors import NotAPage
from samestory.html.blocks import blocks, served
from samestory.html.extractors.base import Extraction, Extractor
from samestory.html.markup import pieces, shown
from samestory.model import Article
from samestory.readers.page import Page
from samestory.specs import COUNTABLE, parameter
from samestory.text import prepare


@dataclass(frozen=True)
class Whole(Extractor):
    """All that stands between the tags of a page, also script and style: what the study calls the whole page.

    Of no use but to see what everything else is worth.

    >>> [found] = Whole().extract([Page(b"<p>One <b>two</b></p><style>p { color: red }</style>")])
    >>> found.text
    'One two\\n\\np { color: red }'
    """

    name = "whole"

    least: int = parameter(0, "tokens a block must have to count (MinBlock of the study)")

    def __post_init__(self) -> None:
        self._check("least", 0, COUNTABLE - 1)

    def extract(self, pages: Sequence[Page], threads: int = 0) -> list[Extraction | NotAPage]:
        """See the base."""
        return [self._one(page) for page in pages]

    def _one(self, page: Page) -> Extraction | NotAPage:
        try:
            read = blocks(page)
            encoding, _, markup = _core.page_text(*served(page))
        except NotAPage as why:
            return why
        found = list(_between_tags(markup))
        if self.least:
            lengths = prepare([Article("", text) for text in found]).tokens.lengths().tolist()
            found = [text for text, length in zip(found, lengths, strict=True) if length >= self.least]
        return Extraction("\n\n".join(found), read.title, encoding, read.flags, read.head)


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
