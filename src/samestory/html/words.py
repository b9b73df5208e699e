"""Cleaning and folding of untrusted page texts, for storage and comparison."""

from __future__ import annotations

import re
import unicodedata
from html import unescape

#: Maximum characters of titles, names and URLs.
MAX_CHARACTERS = 500

# invisible characters and those that change the writing direction, which can disguise a text
_UNSEEN = re.compile("[\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\ufffe\uffff\ud800-\udfff]")
_CONTROL = re.compile("[\x00-\x20\x7f-\xa0\u2028\u2029]+")
_ACCENT = re.compile("[\u0300-\u036f]")
_MARK = re.compile(r"</?[a-zA-Z][^<>]{0,200}>")


def clean(text: object, most: int = MAX_CHARACTERS) -> str:
    """Returns a text on one line, without control characters, markup and surrogates, truncated to `most` characters.

    Entities are decoded twice, since pages often encode them twice.

    >>> clean("  Rain &amp;amp; <b>storm</b>\\x00 ")
    'Rain & storm'
    """
    if not isinstance(text, str):
        return ""
    text = text[: 4 * most]
    if "&" in text:
        text = unescape(unescape(text))
    return plain(_MARK.sub(" ", text) if "<" in text else text, most)


def plain(text: str, most: int = MAX_CHARACTERS) -> str:
    """Returns a text on one line, without control characters and surrogates, truncated to `most` characters.

    >>> plain("a\\tb&copy=1")
    'a b&copy=1'
    """
    return _CONTROL.sub(" ", _UNSEEN.sub("", text[: 4 * most])).strip()[:most].strip()


def fold(text: str) -> str:
    """Folds a text for comparison: removes case, accents and the Turkish dot distinction.

    >>> fold("MAYIS"), fold("Mayıs"), fold("Février")
    ('mayis', 'mayis', 'fevrier')
    """
    text = text.replace("İ", "i").replace("I", "i").replace("ı", "i").casefold()
    if text.isascii():
        return text
    return _ACCENT.sub("", unicodedata.normalize("NFKD", text))


def folded_words(text: str) -> list[str]:
    """Returns the folded words of a text.

    >>> folded_words("İstanbul'da 3 gün")
    ['istanbul', 'da', '3', 'gun']
    """
    return re.findall(r"\w+", fold(text))


def alike(one: str, other: str, share: float = 0.6) -> bool:
    """Returns whether most words of the shorter text occur in the other.

    >>> alike("Storm hits coast", "Storm hits the coast | The Times"), alike("Sport", "Storm hits coast")
    (True, False)
    """
    left, right = set(folded_words(one)), set(folded_words(other))
    fewer = min(len(left), len(right))
    return fewer > 0 and len(left & right) >= share * fewer
