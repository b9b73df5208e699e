"""Prepares a feed for its parser: removes declarations, limits the entries, and rejects documents that take too long.

The feed parser is lenient and slow, and slower still on broken documents, where twice the size can take four times as
long. So a fast parser scans the document first: it counts elements and finds the entries, and if there are too many the
newest are kept. A document that stays broken is truncated. Everything before the first element is dropped, and with it
all declarations: entities that expand to others, or to files, are undefined.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from html.entities import html5
from typing import Any
from xml.parsers import expat

from samestory.errors import InputError

#: Limits on the nesting depth of a feed, on the attributes of an element, and on the namespaces of a feed.
MAX_DEPTH, MAX_ATTRIBUTES, MAX_NAMESPACES = 100, 200, 100
#: The most elements that the parser gets, which take it some seconds; lines and entities count too, PIECES_PER_ELEMENT
#: as one element. The scan of a document stops after MAX_SCANNED_ELEMENTS.
MAX_ELEMENTS, PIECES_PER_ELEMENT, MAX_SCANNED_ELEMENTS = 100_000, 10, 1_000_000
#: The most characters of a broken document that the parser gets; at the deepest nesting they take it some seconds.
MAX_BROKEN_CHARACTERS = 200_000

#: The warning about a document that is not complete.
ENDS_EARLY = "the document ends too early"
#: Separates the warnings of a feed where they are stored as one text.
WARNING_SEPARATOR = "; "
_EARLY_ENDS = frozenset(
    expat.errors.codes[message]
    for message in (
        expat.errors.XML_ERROR_NO_ELEMENTS,
        expat.errors.XML_ERROR_UNCLOSED_TOKEN,
        expat.errors.XML_ERROR_PARTIAL_CHAR,
        expat.errors.XML_ERROR_UNCLOSED_CDATA_SECTION,
    )
)

_ENTRIES = frozenset(("item", "entry"))
_DATES = frozenset(("pubdate", "published", "updated", "date", "issued", "modified"))
#: Characters that XML does not allow, and lone surrogates.
_ILLEGAL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
#: The most markup before the first element that is skipped, and the most bare ampersands that are escaped.
_MAX_PROLOG_MARKUP, _MAX_AMPERSANDS = 1000, 100_000
_NAMED = re.compile(r"&(?!(?:amp|lt|gt|quot|apos);)([A-Za-z][A-Za-z0-9]{1,30};)")
_BARE = re.compile(r"&(?!(?:amp|lt|gt|quot|apos|#\d{1,7}|#[xX][0-9A-Fa-f]{1,6});)")
_ELEMENT = re.compile(r"<[A-Za-z_]")
_END = re.compile(rb"</[^<>]*>")
_END_OF_ENTRY = re.compile(r"</(?:[\w.-]+:)?(?:item|entry)\s*>", re.IGNORECASE)
#: The characters of HTML entities, except for those that XML defines or that would be markup.
_CHARACTERS = {name: sign for name, sign in html5.items() if name.endswith(";") and not set(sign) & set("<>&\"'")}


@dataclass(slots=True)
class _EntrySpan:
    """The byte range of an entry, its number of elements, and the dates in it."""

    start: int
    end: int = -1
    elements: int = 0
    dates: list[str] = field(default_factory=list)


class _LimitExceededError(Exception):
    """A document exceeds a limit and is not parsed."""


def reports_truncation(warnings: str) -> bool:
    """Return whether a stored text of warnings says that the end of the document is missing.

    >>> reports_truncation("wrong encoding; the document ends too early, in line 9")
    True
    """
    return any(warning.startswith(ENDS_EARLY) for warning in warnings.split(WARNING_SEPARATOR))


def sanitise(text: str, most: int, when: Callable[[str], float]) -> tuple[bytes, list[str]]:
    """Return a document ready to be parsed, in UTF-8, and warnings about it; raise an InputError if it is refused.

    `when` converts a written date to a time, a low one if it cannot be read.
    """
    text = _expand_entities(_ILLEGAL.sub("", _without_head(text)))
    try:
        try:
            return _cut(text.encode(), most, when)
        except expat.ExpatError as error:
            fault = _fault(error)
        try:
            cut, warnings = _cut(_escape_ampersands(text).encode(), most, when)
            return cut, [fault, *warnings]
        except expat.ExpatError as error:
            fault = _fault(error)
    except _LimitExceededError as limit:
        raise InputError(f"feed not read: {limit}") from None
    if len(text) > MAX_BROKEN_CHARACTERS:
        ends = [found.end() for found in _END_OF_ENTRY.finditer(text, 0, MAX_BROKEN_CHARACTERS)]
        text = text[: ends[-1] if ends else MAX_BROKEN_CHARACTERS]
        return text.encode(), [fault, f"only the first {len(text)} characters are read"]
    return text.encode(), [fault]


def _fault(error: expat.ExpatError) -> str:
    """Describe why a document is no XML."""
    if error.code in _EARLY_ENDS:
        return f"{ENDS_EARLY}, in line {error.lineno}"
    return f"invalid XML: {expat.ErrorString(error.code)} in line {error.lineno}"


def _without_head(text: str) -> str:
    """Return a document from its first element on. A doctype may contain what looks like an element."""
    at = 0
    for _ in range(_MAX_PROLOG_MARKUP):
        at = text.find("<", at)
        if at < 0:
            break
        if text.startswith("<!--", at):
            at = _after(text, "-->", at + 4)
        elif text[at : at + 9].upper() == "<!DOCTYPE":
            at = _after_doctype(text, at + 9)
        elif _ELEMENT.match(text, at):
            return text[at:]
        else:
            at += 1
    raise InputError("not a feed: no XML element at its beginning")


def _after(text: str, mark: str, at: int) -> int:
    found = text.find(mark, at)
    return len(text) if found < 0 else found + len(mark)


def _after_doctype(text: str, at: int) -> int:
    """Return the position after a doctype; skips quotes, comments and the internal subset in brackets."""
    inside = False
    while sign := _SIGN.search(text, at):
        at = sign.end()
        if sign[0] == "<!--":
            at = _after(text, "-->", at)
        elif sign[0] in "\"'":
            at = _after(text, sign[0], at)
        elif sign[0] == ">" and not inside:
            return at
        else:
            inside = (inside or sign[0] == "[") and sign[0] != "]"
    return len(text)


_SIGN = re.compile(r"<!--|[\"'\[\]>]")


def _expand_entities(text: str) -> str:
    """Replace HTML entities, which XML does not define, by their characters."""
    return _NAMED.sub(lambda found: _CHARACTERS.get(found[1], found[0]), text) if "&" in text else text


def _escape_ampersands(text: str) -> str:
    """Escape bare ampersands, except for those in CDATA sections, which are valid."""
    out, at = [], 0
    if text.count("&") > _MAX_AMPERSANDS:
        return text
    while (begin := text.find("<![CDATA[", at)) >= 0:
        end = _after(text, "]]>", begin)
        out += [_BARE.sub("&amp;", text[at:begin]), text[begin:end]]
        at = end
    return "".join([*out, _BARE.sub("&amp;", text[at:])])


def _cut(data: bytes, most: int, when: Callable[[str], float]) -> tuple[bytes, list[str]]:
    """Return a document with its newest entries, and warnings; raise an ExpatError if it is broken."""
    scan = _FeedScan(data)
    entries = scan.entries
    weights = [entry.elements + _pieces(data, entry.start, entry.end) for entry in entries]
    total = scan.elements + _pieces(data, 0, len(data))
    rest = total - sum(weights)
    if rest > MAX_ELEMENTS // 2:
        raise _LimitExceededError("too much content outside of its entries")
    if len(entries) <= most and total <= MAX_ELEMENTS:
        return data, []
    times = [max((when(date) for date in entry.dates), default=float("-inf")) for entry in entries]
    # entries without a date, or with the same one, are taken as newest first, as feeds usually are
    order = sorted(range(len(entries)), key=lambda number: (-times[number], number))
    keep: set[int] = set()
    room = MAX_ELEMENTS - rest
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
        f"only the newest {len(keep)} of {len(entries)} entries are read, without oversized ones"
    ]


def _pieces(data: bytes, start: int, end: int) -> int:
    """Return the cost of text in elements: the parser handles every line and every entity separately."""
    return (data.count(b"\n", start, end) + data.count(b"&", start, end)) // PIECES_PER_ELEMENT


class _FeedScan:
    """A fast first pass over a document: counts elements and finds entries, within the limits."""

    def __init__(self, data: bytes) -> None:
        self._data, self._depth, self._inside = data, 0, 0
        self._entry: _EntrySpan | None = None
        self._date: list[str] | None = None
        self._namespaces: set[tuple[str, str]] = set()
        self.entries: list[_EntrySpan] = []
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
        if self._depth > MAX_DEPTH:
            raise _LimitExceededError(f"elements nested more than {MAX_DEPTH} deep")
        if self.elements > MAX_SCANNED_ELEMENTS:
            raise _LimitExceededError(f"more than {MAX_SCANNED_ELEMENTS} elements")
        if attributes:
            self._attributes(attributes)
        local = name.rpartition(":")[2].lower()
        if self._entry is None:
            if local in _ENTRIES:
                self._entry = _EntrySpan(self._parser.CurrentByteIndex, elements=1)
                self._inside = self._depth
            return
        self._entry.elements += 1
        self._date = [] if local in _DATES else None

    def _attributes(self, attributes: list[str]) -> None:
        if len(attributes) > 2 * MAX_ATTRIBUTES:
            raise _LimitExceededError(f"an element with {len(attributes) // 2} attributes")
        names = zip(attributes[::2], attributes[1::2], strict=True)
        self._namespaces.update(each for each in names if each[0].startswith("xmlns"))
        if len(self._namespaces) > MAX_NAMESPACES:
            raise _LimitExceededError(f"more than {MAX_NAMESPACES} namespaces")

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
                if end:  # otherwise the entry is an empty element
                    self._entry.end = end.end()
                    self.entries.append(self._entry)
                self._entry = None
        self._depth -= 1
