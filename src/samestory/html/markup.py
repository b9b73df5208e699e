"""A markup tokeniser: text, code, tags and comments with their positions, without error correction.

Sufficient where the tree of a page does not matter: to remove all tags, or to replace the text of a page. Takes time
linear in the length of the markup.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from typing import Literal, NamedTuple

from samestory.html.blocks import INLINE, INLINE_5

_TAG = re.compile(r"</?([A-Za-z][^\s/>]*)")
_QUOTE_OR_END = re.compile(r"[\"'>]")
#: Elements whose content is not markup.
_CODE = {name: re.compile(f"</{name}", re.IGNORECASE) for name in ("script", "style")}


class MarkupPiece(NamedTuple):
    """A piece of markup: its kind, start, end, and the lower-case name of a tag."""

    what: Literal["text", "code", "tag", "comment"]
    start: int
    end: int
    name: str = ""
    closes: bool = False

    @property
    def breaks(self) -> bool:
        """Whether it is a tag that breaks the line."""
        return self.what == "tag" and self.name not in INLINE and self.name not in INLINE_5


def pieces(markup: str) -> Iterator[MarkupPiece]:
    """Yields all pieces in order.

    >>> [(piece.what, "<p>One<!--x-->two"[piece.start : piece.end]) for piece in pieces("<p>One<!--x-->two")]
    [('tag', '<p>'), ('text', 'One'), ('comment', '<!--x-->'), ('text', 'two')]
    """
    at, size = 0, len(markup)
    while at < size:
        begin = markup.find("<", at)
        if begin < 0:
            yield MarkupPiece("text", at, size)
            return
        if markup.startswith("<!--", begin):
            piece = MarkupPiece("comment", begin, _end_of(markup, "-->", begin + 4))
        elif tag := _TAG.match(markup, begin):
            piece = MarkupPiece("tag", begin, _end_of_tag(markup, tag.end()), tag[1].lower(), markup[begin + 1] == "/")
        elif markup.startswith(("<!", "<?", "</"), begin):
            piece = MarkupPiece("comment", begin, _end_of(markup, ">", begin + 2))
        else:
            begin = markup.find("<", begin + 1)  # a literal <
            begin = size if begin < 0 else begin
            yield MarkupPiece("text", at, begin)
            at = begin
            continue
        if begin > at:
            yield MarkupPiece("text", at, begin)
        yield piece
        at = piece.end
        if piece.name in _CODE and not piece.closes:
            end = _CODE[piece.name].search(markup, at)
            stop = end.start() if end else size
            if stop > at:
                yield MarkupPiece("code", at, stop, piece.name)
            at = stop


def _end_of(markup: str, mark: str, at: int) -> int:
    found = markup.find(mark, at)
    return len(markup) if found < 0 else found + len(mark)


def _end_of_tag(markup: str, at: int) -> int:
    """Returns the position after the > of a tag; a > inside closed quotes is skipped."""
    while found := _QUOTE_OR_END.search(markup, at):
        if found[0] == ">":
            return found.end()
        close = markup.find(found[0], found.end())
        at = found.end() if close < 0 else close + 1
    return len(markup)


def shown(text: str) -> str:
    """Returns text as displayed: entities decoded, white space collapsed."""
    return " ".join(unescape(text).split())
