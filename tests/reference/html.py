"""Blocks of well-formed pages, slowly: the parser of the standard library, every tag as it comes. [gibson2007]

Only for pages in which every element is opened and closed where the standard wants it: nothing is mended here.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, field
from html.parser import HTMLParser

from tests.reference import tokens as reference

INLINE = [
    "a",
    "ins",
    "del",
    "span",
    "bdo",
    "em",
    "strong",
    "dfn",
    "code",
    "samp",
    "kbd",
    "var",
    "cite",
    "abbr",
    "acronym",
    "q",
    "sub",
    "sup",
    "tt",
    "i",
    "b",
    "big",
    "small",
    "u",
    "s",
    "strike",
    "basefont",
    "font",
]
VOID = ("br", "hr", "img", "input", "wbr", "basefont")
#: what is not seen at the end of a line, beside white space
_WIDTHLESS = "\u00ad\u200b\u200c\u200d\u200e\u200f\u2060\ufeff"


@dataclass
class Block:
    text: str
    tokens: int
    linked: int
    inline: set[str]
    before: str
    after: str


@dataclass
class _Stretch:
    """What lies between two borders: every character with whether it is in a link."""

    before: str
    letters: list[tuple[str, bool]] = field(default_factory=list)
    inline: set[str] = field(default_factory=set)


class _Parser(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.blocks: list[Block] = []
        self.stretch = _Stretch("html")

    def border(self, tag: str) -> None:
        block = _block(self.stretch, tag)
        if block:
            self.blocks.append(block)
        self.stretch = _Stretch(tag)

    def handle_starttag(self, tag: str, attrs: object) -> None:
        if tag in INLINE:
            self.stretch.inline.add(tag)
        else:
            self.border(tag)
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag
        if tag not in INLINE:
            self.border(f"/{tag}")

    def handle_data(self, data: str) -> None:
        if "script" in self.open or "style" in self.open:
            return
        seen = not all(map(_is_blank, data))
        for tag in reversed(self.open):
            if tag not in INLINE:
                break
            if seen:
                self.stretch.inline.add(tag)
        self.stretch.letters += [(letter, "a" in self.open) for letter in data]


def _is_blank(letter: str) -> bool:
    return letter.isspace() or letter in _WIDTHLESS or unicodedata.category(letter) == "Cc"


def _block(stretch: _Stretch, after: str) -> Block | None:
    letters: list[tuple[str, bool]] = []
    for letter, linked in stretch.letters:
        if letter not in " \t\n\f\r":
            letters.append((letter, linked))
        elif letters and letters[-1][0] != " ":
            letters.append((" ", linked))
    while letters and _is_blank(letters[0][0]):
        del letters[0]
    while letters and _is_blank(letters[-1][0]):
        del letters[-1]
    if not letters:
        return None
    text = "".join(letter for letter, _ in letters)
    found = list(reference.tokens(text))
    linked = sum(letters[token.start][1] for token in found)
    return Block(text, len(found), linked, stretch.inline, stretch.before, after)


def blocks(page: str) -> list[Block]:
    parser = _Parser()
    parser.feed(re.sub(r"\r\n?", "\n", page))
    parser.close()
    parser.border("/html")
    return parser.blocks
