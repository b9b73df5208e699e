"""What of a feed is given to its parser: no declarations, no more entries than wanted, nothing that takes for ever.

The parser of feeds is patient and slow, and where a document is broken slower still: there, twice the size can take
four times as long. So a fast parser looks first. It counts, and finds where entries begin and end; of too many, the
newest stay. Of a document that stays broken the beginning is taken. Everything before the first element is dropped, and
with it whatever a document declares: entities that stand for others, or for files, are known to nobody.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from html.entities import html5
from typing import Any
from xml.parsers import expat

from samestory.errors import InputError

#: How deep elements of a feed may lie in each other, how many attributes one may have, and how many namespaces all.
DEPTH, ATTRIBUTES, NAMESPACES = 100, 200, 100
#: Elements that are given to the parser, which takes some seconds for so many; lines and entities count too, as so many
#: to an element. With more elements than MANY a document is not even looked through.
ELEMENTS, PIECES, MANY = 100_000, 10, 1_000_000
#: Characters of a broken document that are given to the parser; nested as deep as can be they take it some seconds.
BROKEN = 200_000

_ENTRIES = frozenset(("item", "entry"))
_DATES = frozenset(("pubdate", "published", "updated", "date", "issued", "modified"))
#: Characters that XML cannot hold, and halves of characters.
_ILLEGAL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
#: Pieces before the first element that are looked at, and lone signs & that are put right.
_HEAD, _LONE = 1000, 100_000
_NAMED = re.compile(r"&(?!(?:amp|lt|gt|quot|apos);)([A-Za-z][A-Za-z0-9]{1,30};)")
_BARE = re.compile(r"&(?!(?:amp|lt|gt|quot|apos|#\d{1,7}|#[xX][0-9A-Fa-f]{1,6});)")
_ELEMENT = re.compile(r"<[A-Za-z_]")
_END = re.compile(rb"</[^<>]*>")
_END_OF_ENTRY = re.compile(r"</(?:[\w.-]+:)?(?:item|entry)\s*>", re.IGNORECASE)
#: What entities of HTML stand for, but those that XML has itself or that would be markup.
_CHARACTERS = {name: sign for name, sign in html5.items() if name.endswith(";") and not set(sign) & set("<>&\"'")}


@dataclass(slots=True)
class _Entry:
    """Where an entry begins and ends, how many elements it has, and the dates in it."""

    start: int
    end: int = -1
    elements: int = 0
    dates: list[str] = field(default_factory=list)


class _Limit(Exception):  # noqa: N818 - says what it is
    """A document that is not parsed: why."""


def trimmed(text: str, most: int, when: Callable[[str], float]) -> tuple[bytes, list[str]]:
    """A document fit to be parsed, in UTF-8, and the doubts about it; an InputError if there is none.

    `when` tells the time of a date as it is written, a low one where that cannot be read.
    """
    text = _named(_ILLEGAL.sub("", _without_head(text)))
    try:
        try:
            return _cut(text.encode(), most, when)
        except expat.ExpatError as error:
            fault = f"no XML: {expat.ErrorString(error.code)} in line {error.lineno}"
        try:
            cut, doubts = _cut(_escaped(text).encode(), most, when)
            return cut, [fault, *doubts]
        except expat.ExpatError:
            pass
    except _Limit as limit:
        raise InputError(f"no feed that is read: {limit}") from None
    if len(text) > BROKEN:
        ends = [found.end() for found in _END_OF_ENTRY.finditer(text, 0, BROKEN)]
        text = text[: ends[-1] if ends else BROKEN]
        return text.encode(), [fault, f"only its first {len(text)} characters are read"]
    return text.encode(), [fault]


def _without_head(text: str) -> str:
    """A document from its first element on. A declaration of its type may hold what looks like an element."""
    at = 0
    for _ in range(_HEAD):
        at = text.find("<", at)
        if at < 0:
            break
        if text.startswith("<!--", at):
            at = _behind(text, "-->", at + 4)
        elif text[at : at + 9].upper() == "<!DOCTYPE":
            at = _behind_doctype(text, at + 9)
        elif _ELEMENT.match(text, at):
            return text[at:]
        else:
            at += 1
    raise InputError("no feed: it does not begin with an element")


def _behind(text: str, mark: str, at: int) -> int:
    found = text.find(mark, at)
    return len(text) if found < 0 else found + len(mark)


def _behind_doctype(text: str, at: int) -> int:
    """Behind the declaration of a type: quotes are skipped, comments too, and what stands in brackets."""
    inside = False
    while sign := _SIGN.search(text, at):
        at = sign.end()
        if sign[0] == "<!--":
            at = _behind(text, "-->", at)
        elif sign[0] in "\"'":
            at = _behind(text, sign[0], at)
        elif sign[0] == ">" and not inside:
            return at
        else:
            inside = (inside or sign[0] == "[") and sign[0] != "]"
    return len(text)


_SIGN = re.compile(r"<!--|[\"'\[\]>]")


def _named(text: str) -> str:
    """A text with the characters that entities of HTML stand for, which XML does not know."""
    return _NAMED.sub(lambda found: _CHARACTERS.get(found[1], found[0]), text) if "&" in text else text


def _escaped(text: str) -> str:
    """A document whose lone signs & are written as they should be; in what is no markup they may stand."""
    out, at = [], 0
    if text.count("&") > _LONE:
        return text
    while (begin := text.find("<![CDATA[", at)) >= 0:
        end = _behind(text, "]]>", begin)
        out += [_BARE.sub("&amp;", text[at:begin]), text[begin:end]]
        at = end
    return "".join([*out, _BARE.sub("&amp;", text[at:])])


def _cut(data: bytes, most: int, when: Callable[[str], float]) -> tuple[bytes, list[str]]:
    """A document with its newest entries; an ExpatError if it is broken."""
    look = _Look(data)
    entries = look.entries
    weights = [entry.elements + _pieces(data, entry.start, entry.end) for entry in entries]
    whole = look.elements + _pieces(data, 0, len(data))
    rest = whole - sum(weights)
    if rest > ELEMENTS // 2:
        raise _Limit("too much stands beside its entries")
    if len(entries) <= most and whole <= ELEMENTS:
        return data, []
    times = [max((when(date) for date in entry.dates), default=float("-inf")) for entry in entries]
    # of those without a date, and of one time, the first are the newest: that is how feeds are written
    order = sorted(range(len(entries)), key=lambda number: (-times[number], number))
    keep: set[int] = set()
    room = ELEMENTS - rest
    for number in order:
        if len(keep) == most:
            break
        if weights[number] <= room:
            room -= weights[number]
            keep.add(number)
    parts, at = [], 0
    for number, entry in enumerate(entries):
        parts.append(data[at : entry.start])
        if number in keep:
            parts.append(data[entry.start : entry.end])
        at = entry.end
    return b"".join([*parts, data[at:]]), [
        f"of its entries ({len(entries)}) the newest are taken ({len(keep)}), and none too large to be read"
    ]


def _pieces(data: bytes, start: int, end: int) -> int:
    """What text weighs: the parser is handed every line and every entity by itself."""
    return (data.count(b"\n", start, end) + data.count(b"&", start, end)) // PIECES


class _Look:
    """A first look at a document."""

    def __init__(self, data: bytes) -> None:
        self._data, self._depth, self._inside = data, 0, 0
        self._entry: _Entry | None = None
        self._date: list[str] | None = None
        self._namespaces: set[tuple[str, str]] = set()
        self.entries: list[_Entry] = []
        self.elements = 0
        self._parser: Any = expat.ParserCreate("utf-8")
        self._parser.buffer_text = True
        self._parser.ordered_attributes = True
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._finish
        self._parser.CharacterDataHandler = self._text
        self._parser.Parse(data, True)

    def _start(self, name: str, attributes: list[str]) -> None:
        self._depth += 1
        self.elements += 1
        if self._depth > DEPTH:
            raise _Limit(f"elements {DEPTH} deep in each other")
        if self.elements > MANY:
            raise _Limit(f"more than {MANY} elements")
        if attributes:
            self._attributes(attributes)
        local = name.rpartition(":")[2].lower()
        if self._entry is None:
            if local in _ENTRIES:
                self._entry = _Entry(self._parser.CurrentByteIndex, elements=1)
                self._inside = self._depth
            return
        self._entry.elements += 1
        self._date = [] if local in _DATES else None

    def _attributes(self, attributes: list[str]) -> None:
        if len(attributes) > 2 * ATTRIBUTES:
            raise _Limit(f"an element with {len(attributes) // 2} attributes")
        names = zip(attributes[::2], attributes[1::2], strict=True)
        self._namespaces.update(each for each in names if each[0].startswith("xmlns"))
        if len(self._namespaces) > NAMESPACES:
            raise _Limit(f"more than {NAMESPACES} namespaces")

    def _text(self, text: str) -> None:
        if self._date is not None:
            self._date.append(text)

    def _finish(self, _: str) -> None:
        if self._entry is not None:
            if self._date is not None:
                self._entry.dates.append("".join(self._date)[:100].strip())
                self._date = None
            if self._depth == self._inside:
                end = _END.match(self._data, self._parser.CurrentByteIndex)
                if end:  # else it is one without anything in it
                    self._entry.end = end.end()
                    self.entries.append(self._entry)
                self._entry = None
        self._depth -= 1
