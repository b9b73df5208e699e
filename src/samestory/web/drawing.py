"""Values as pages show them: texts with places marked, kinds in words, times, links that are safe to follow."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple
from urllib.parse import urlencode, urlsplit

from markupsafe import Markup, escape

from samestory.model import Kind
from samestory.output import printable

#: What a relation is called where one article owes something to another, where one does, where many do, and its mark.
KINDS = {
    "IDENTICAL": ("a copy of", "copy", "copies", "="),
    "NEAR": ("nearly the same as", "near copy", "near copies", "≈"),
    "UPDATE": ("an update of", "update", "updates", "↻"),
    "PART_OF": ("contained in", "contained", "contained", "⊂"),
    "HAS_PART": ("contains", "contains another", "contained", "⊃"),
    "SAME_EVENT": ("the same event as", "same event", "same event", "∥"),
    "SHARES_TEXT": ("reusing passages of", "shares passages", "share passages", "∩"),
}

#: Elements for places in a text.
ELEMENTS = frozenset({"mark", "ins", "del"})


def marked(text: str, places: Iterable[Sequence[int]], element: str = "mark") -> Markup:
    """A text with some places of it inside elements; everything in it is shown as text.

    >>> marked("a <b> c", [[2, 5]])
    Markup('a <mark>&lt;b&gt;</mark> c')
    """
    if element not in ELEMENTS:
        raise ValueError(element)
    out, at = [], 0
    for start, end in sorted((place[0], place[1]) for place in places):
        start, end = max(start, at), min(end, len(text))
        if end <= start:
            continue
        out += [as_text(text[at:start]), Markup(f"<{element}>"), as_text(text[start:end]), Markup(f"</{element}>")]
        at = end
    return Markup("").join([*out, as_text(text[at:])])


def sides(text: str, shared: Iterable[Sequence[int]], alone: Iterable[Sequence[int]], element: str) -> Markup:
    """A text whose shared places are marked and whose other places are in an element of their own."""
    pieces = [(place[0], place[1], "mark") for place in shared] + [(place[0], place[1], element) for place in alone]
    out, at = [], 0
    for start, end, name in sorted(pieces):
        start, end = max(start, at), min(end, len(text))
        if end <= start:
            continue
        out += [as_text(text[at:start]), marked(text[start:end], [[0, end - start]], name)]
        at = end
    return Markup("").join([*out, as_text(text[at:])])


def as_text(text: str) -> Markup:
    """A text as a page shows it: nothing in it is an element, and no control character reaches the page."""
    return escape(printable(text, one_line=False))


def finalize(value: object) -> object:
    """Whatever a page shows: no control character reaches it, and None is nothing."""
    if value is None:
        return ""
    if isinstance(value, str) and not isinstance(value, Markup):
        # half a character is none
        return printable(value).encode("utf-8", "replace").decode()
    return value


def link(url: str | None) -> str | None:
    """An address that may be followed: of the web, and nothing else."""
    if not url:
        return None
    try:
        parts = urlsplit(url.strip())
    except ValueError:
        return None
    return url.strip() if parts.scheme.lower() in ("http", "https") and parts.netloc else None


def to(path: str, **values: object) -> str:
    """An address of our own with its questions; lists stand several times, nothing is left out but nothing."""
    asked = [
        (name, str(one).encode("utf-8", "replace"))
        for name, value in values.items()
        for one in (value if isinstance(value, list | tuple) else [value])
        if one is not None and one != ""
    ]
    return f"{path}?{urlencode(asked)}" if asked else path


def day_words(day: datetime, now: datetime) -> str:
    """A day in words.

    >>> day_words(datetime(2026, 3, 2, tzinfo=UTC), datetime(2026, 3, 3, tzinfo=UTC))
    'Yesterday'
    """
    ago = (now.date() - day.date()).days
    if ago in (0, 1):
        return ("Today", "Yesterday")[ago]
    return f"{day:%A} {day.day} {day:%B} {day.year}"


def later(start: datetime, end: datetime) -> str:
    """How much later, in words.

    >>> later(datetime(2026, 3, 2), datetime(2026, 3, 2, 3))
    '3 h later'
    """
    return f"{span(abs(end - start))} {'later' if end >= start else 'before'}"


def span(length: timedelta) -> str:
    """A length of time in one or two words."""
    minutes = int(length.total_seconds() // 60)
    if minutes < 1:
        return "moments"
    if minutes < 120:
        return f"{minutes} min"
    if minutes < 48 * 60:
        return f"{minutes // 60} h"
    return f"{minutes // 60 // 24} days"


def counted(number: int, one: str, many: str | None = None) -> str:
    """A number with its noun.

    >>> counted(1, "story", "stories"), counted(1200, "text")
    ('1 story', '1,200 texts')
    """
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def kinds_in_words(kinds: Iterable[str]) -> list[tuple[str, str]]:
    """Kinds of relations as a reader knows them, each once: a mark and a word."""
    found = {KINDS[kind][2]: KINDS[kind][3] for kind in kinds if kind in KINDS}
    return [(mark, word) for word, mark in found.items()]


class Seen(NamedTuple):
    """A relation told from one article: a mark, words before the other's name, how much of the one is in the other."""

    mark: str
    words: str
    other: str
    share: float


def seen(relation: Any, id: str) -> Seen:
    """A relation as the article of this id has it to the other."""
    kind, other, share = relation.kind, relation.right, relation.forward
    if relation.left != id:
        kind, other, share = str(Kind(kind).flipped), relation.left, relation.backward
        if kind == "UPDATE":
            return Seen(KINDS[kind][3], "updated by", other, share)
    return Seen(KINDS[kind][3], KINDS[kind][0], other, share)


def size(number: int) -> str:
    """Bytes as people count them."""
    value = float(number)
    for unit in ("bytes", "kB", "MB", "GB"):
        if value < 1000 or unit == "GB":
            return f"{value:,.0f} {unit}" if unit == "bytes" else f"{value:,.1f} {unit}"
        value /= 1000
    raise AssertionError


def now() -> datetime:
    """This moment."""
    return datetime.now(UTC)
