"""The tokeniser by the regular expression of the specification, character by character as Python reads it.

Python's \\w knows no marks and no scripts without spaces, so it is an oracle for alphabets without either.
"""

from __future__ import annotations

import re
from typing import NamedTuple

FIGURE = r"%?\d+(?:[.,:/-]\d+)*%?"
WORD = r"[^\W\d_]\w*(?:-\w+)*"
TOKEN = re.compile(rf"(?P<base>{FIGURE}|{WORD})(?:['’](?P<suffix>\w+))?")


class Token(NamedTuple):
    start: int
    base: int
    end: int
    #: The base and the suffix in lower case: what makes two tokens the same word.
    form: tuple[str, str]


def lower(text: str, turkish: bool) -> str:
    """İ→i and I→ı first for Turkish, then ordinary lower case; the two small sigmas are one letter."""
    if turkish:
        text = text.replace("İ", "i").replace("I", "ı")
    # letter by letter: str.lower() writes Σ at the end of a word in another way
    return "".join(letter.lower() for letter in text).replace("ς", "σ")


def tokens(text: str, turkish: bool = False) -> list[Token]:
    """Every token with its places."""
    return [
        Token(m.start(), m.end("base"), m.end(), (lower(m["base"], turkish), lower(m["suffix"] or "", turkish)))
        for m in TOKEN.finditer(text)
    ]


def words(text: str, turkish: bool = False) -> list[tuple[str, str]]:
    """The words by which articles are compared."""
    return [token.form for token in tokens(text, turkish)]
