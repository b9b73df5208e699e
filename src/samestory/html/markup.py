"""The pieces of a page's markup with their places: text, code, tags, comments; nothing is repaired.

Where the tree of a page does not matter this is enough: to cut all tags out, or to put another text into the page.
Takes time in proportion to the markup, whatever it holds.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from typing import Literal, NamedTuple

from samestory.html.blocks import INLINE, INLINE_5

_TAG = re.compile(r"</?([A-Za-z][^\s/>]*)")
_QUOTE_OR_END = re.compile(r"[\"'>]")
#: What they hold is no markup.
_CODE = {name: re.compile(f"</{name}", re.IGNORECASE) for name in ("script", "style")}


class Piece(NamedTuple):
    """A piece of markup: what it is, where it begins and ends, and of a tag its name, in small letters."""

    what: Literal["text", "code", "tag", "comment"]
    start: int
    end: int
    name: str = ""
    closes: bool = False

    @property
    def breaks(self) -> bool:
        """Does it break the line?"""
        return self.what == "tag" and self.name not in INLINE and self.name not in INLINE_5


def pieces(markup: str) -> Iterator[Piece]:
    """All pieces, in order.

    >>> [(piece.what, "<p>One<!--x-->two"[piece.start : piece.end]) for piece in pieces("<p>One<!--x-->two")]
    [('tag', '<p>'), ('text', 'One'), ('comment', '<!--x-->'), ('text', 'two')]
    """
    at, size = 0, len(markup)
    while at < size:
        begin = markup.find("<", at)
        if begin < 0:
            yield Piece("text", at, size)
            return
        if markup.startswith("<!--", begin):
            piece = Piece("comment", begin, _behind(markup, "-->", begin + 4))
        elif tag := _TAG.match(markup, begin):
            piece = Piece("tag", begin, _end_of_tag(markup, tag.end()), tag[1].lower(), markup[begin + 1] == "/")
        elif markup.startswith(("<!", "<?", "</"), begin):
            piece = Piece("comment", begin, _behind(markup, ">", begin + 2))
        else:
            begin = markup.find("<", begin + 1)  # a sign of its own
            begin = size if begin < 0 else begin
            yield Piece("text", at, begin)
            at = begin
            continue
        if begin > at:
            yield Piece("text", at, begin)
        yield piece
        at = piece.end
        if piece.name in _CODE and not piece.closes:
            end = _CODE[piece.name].search(markup, at)
            stop = end.start() if end else size
            if stop > at:
                yield Piece("code", at, stop, piece.name)
            at = stop


def _behind(markup: str, mark: str, at: int) -> int:
    found = markup.find(mark, at)
    return len(markup) if found < 0 else found + len(mark)


def _end_of_tag(markup: str, at: int) -> int:
    """Behind the sign that ends a tag; one between quotes does not, where the quotes are closed."""
    while found := _QUOTE_OR_END.search(markup, at):
        if found[0] == ">":
            return found.end()
        close = markup.find(found[0], found.end())
        at = found.end() if close < 0 else close + 1
    return len(markup)


def shown(text: str) -> str:
    """Text as it is shown: entities read, white space as one space."""
    return " ".join(unescape(text).split())
