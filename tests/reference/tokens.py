"""The tokeniser by the regular expression of the specification, character by character as Python reads it.

Python's \\w knows no marks and no scripts without spaces, so it is an oracle for alphabets without either.
"""

from __future__ import annotations

import re
import unicodedata
from typing import NamedTuple

APOSTROPHES = "'’‘‛ʼʻʹ′`´＇"
HYPHENS = "-\u2010\u2011\u2012\u2013\u2212\ufe63\uff0d"
#: Read as if it were not there.
INVISIBLE = "\u00ad\u200b\u200c\u200d\u2060\ufeff"
# modifier letters that are apostrophes are no letters here, and what cannot be seen begins no word but stands in one
LETTER = rf"(?:[^\Wʼʻʹ]|[{INVISIBLE}])"
FIGURE = rf"%?\d+(?:[{HYPHENS}.,:/．]\d+)*[%％]?"
WORD = rf"[^\W\d_ʼʻʹ]{LETTER}*(?:[{HYPHENS}]{LETTER}+)*"
TOKEN = re.compile(rf"(?P<base>{FIGURE}|{WORD})(?:[{APOSTROPHES}](?P<suffix>{LETTER}+))?")
SPACED = re.compile(rf"[ \n][{APOSTROPHES}](?P<suffix>{LETTER}+)")
#: Suffixes that are known behind a blank; of the Turkish ones, those of one letter, which random texts may hold.
TURKISH, ENGLISH = ("a", "e", "ı", "i", "u", "ü"), ("s", "t", "d", "m", "ll", "re", "ve")
LIGATURES_AND_WIDE = re.compile("[\ufb00-\ufb06\uff01-\uff5e]")


class Token(NamedTuple):
    start: int
    base: int
    end: int
    #: The base and the suffix in lower case: what makes two tokens the same word.
    form: tuple[str, str]


def lower(text: str, turkish: bool) -> str:
    """İ→i and I→ı first for Turkish, then ordinary lower case; the two small sigmas are one letter.

    Ligatures and full-width forms are their plain letters, hyphens one, and what cannot be seen is nothing.
    """
    text = LIGATURES_AND_WIDE.sub(lambda found: unicodedata.normalize("NFKC", found[0]), text)
    text = re.sub(f"[{HYPHENS}]", "-", re.sub(f"[{INVISIBLE}]", "", text))
    if turkish:
        text = text.replace("İ", "i").replace("I", "ı")
    # letter by letter: str.lower() writes Σ at the end of a word in another way
    return "".join(letter.lower() for letter in text).replace("ς", "σ")


def tokens(text: str, turkish: bool = False) -> list[Token]:
    """Every token with its places."""
    out, at = [], 0
    while m := TOKEN.search(text, at):
        base, suffix, at = m["base"], m["suffix"] or "", m.end()
        spaced = None if suffix else SPACED.match(text, at)
        if spaced and _is_suffix(base, spaced["suffix"], text[spaced.end() :], turkish):
            suffix, at = spaced["suffix"], spaced.end()
        out.append(Token(m.start(), m.end("base"), at, (lower(base, turkish), lower(suffix, turkish))))
    return out


def _is_suffix(base: str, suffix: str, rest: str, turkish: bool) -> bool:
    """Is it a suffix behind a blank and an apostrophe, and not the first word of a quotation?"""
    is_named = base[0].isupper() or base[0].isdecimal() or base[0] == "%"
    if any(c.isupper() for c in suffix) and not base[-1].isupper():
        return False
    if lower(suffix, turkish) not in (TURKISH if turkish else ENGLISH) or (turkish and not is_named):
        return False
    if not turkish:
        return rest[:1] not in APOSTROPHES or not rest
    line = rest.partition("\n")[0][:300]
    for at, c in enumerate(line):
        before, after = line[at - 1] if at else "x", rest[at + 1 : at + 2]
        if c in APOSTROPHES and not (before.isalnum() and after.isalnum()):
            return before.isspace()
    return True


def words(text: str, turkish: bool = False) -> list[tuple[str, str]]:
    """The words by which articles are compared."""
    return [token.form for token in tokens(text, turkish)]
