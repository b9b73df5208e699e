"""Template helpers: highlighted texts, names of relation kinds, times, safe links."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple
from urllib.parse import urlencode, urlsplit

from markupsafe import Markup, escape

from samestory.model import Kind
from samestory.output import printable

#: Names of a relation kind: before the other article, singular, plural; and its symbol.
KINDS = {
    "IDENTICAL": ("a copy of", "copy", "copies", "="),
    "NEAR": ("nearly the same as", "near copy", "near copies", "≈"),
    "UPDATE": ("an update of", "update", "updates", "↻"),
    "PART_OF": ("contained in", "contained", "contained", "⊂"),
    "HAS_PART": ("contains", "contains another", "contained", "⊃"),
    "SAME_EVENT": ("the same event as", "same event", "same event", "∥"),
    "SHARES_TEXT": ("reusing passages of", "shares passages", "share passages", "∩"),
}

#: Elements allowed in highlighted texts.
ELEMENTS = frozenset({"mark", "ins", "del"})


def highlight(text: str, places: Iterable[Sequence[int]], element: str = "mark") -> Markup:
    """Escape a text and wrap some character ranges of it in elements.

    >>> highlight("a <b> c", [[2, 5]])
    Markup('a <mark>&lt;b&gt;</mark> c')
    """
    if element not in ELEMENTS:
        raise ValueError(element)
    out, at = [], 0
    for start, end in sorted((place[0], place[1]) for place in places):
        start, end = max(start, at), min(end, len(text))
        if end <= start:
            continue
        out += [
            escape_text(text[at:start]),
            Markup(f"<{element}>"),
            escape_text(text[start:end]),
            Markup(f"</{element}>"),
        ]
        at = end
    return Markup("").join([*out, escape_text(text[at:])])


def highlight_sides(
    text: str, shared: Iterable[Sequence[int]], exclusive: Iterable[Sequence[int]], element: str
) -> Markup:
    """Escape a text; wrap shared ranges in `mark` and ranges of this text only in another element."""
    pieces = [(place[0], place[1], "mark") for place in shared] + [(place[0], place[1], element) for place in exclusive]
    out, at = [], 0
    for start, end, name in sorted(pieces):
        start, end = max(start, at), min(end, len(text))
        if end <= start:
            continue
        out += [escape_text(text[at:start]), highlight(text[start:end], [[0, end - start]], name)]
        at = end
    return Markup("").join([*out, escape_text(text[at:])])


def escape_text(text: str) -> Markup:
    """Escape a text for HTML and remove its control characters."""
    return escape(printable(text, one_line=False))


def finalize(value: object) -> object:
    """Jinja finalizer: remove control characters, and render None as an empty string."""
    if value is None:
        return ""
    if isinstance(value, str) and not isinstance(value, Markup):
        # lone surrogates cannot be encoded
        return printable(value).encode("utf-8", "replace").decode()
    return value


def safe_link(url: str | None) -> str | None:
    """Return the URL if it is an absolute http or https URL, otherwise None."""
    if not url:
        return None
    try:
        parts = urlsplit(url.strip())
    except ValueError:
        return None
    return url.strip() if parts.scheme.lower() in ("http", "https") and parts.netloc else None


def make_url(path: str, **values: object) -> str:
    """Return a URL of this server with query parameters; lists are repeated, None and empty strings omitted."""
    params = [
        (name, str(one).encode("utf-8", "replace"))
        for name, value in values.items()
        for one in (value if isinstance(value, list | tuple) else [value])
        if one is not None and one != ""
    ]
    return f"{path}?{urlencode(params)}" if params else path


def format_day(day: datetime, now: datetime) -> str:
    """Format a day, as a word if it is today or yesterday.

    >>> format_day(datetime(2026, 3, 2, tzinfo=UTC), datetime(2026, 3, 3, tzinfo=UTC))
    'Yesterday'
    """
    ago = (now.date() - day.date()).days
    if ago in (0, 1):
        return ("Today", "Yesterday")[ago]
    return f"{day:%A} {day.day} {day:%B} {day.year}"


def format_gap(start: datetime, end: datetime) -> str:
    """Format how much later or earlier the second time is.

    >>> format_gap(datetime(2026, 3, 2), datetime(2026, 3, 2, 3))
    '3 h later'
    """
    return f"{format_duration(abs(end - start))} {'later' if end >= start else 'before'}"


def format_duration(length: timedelta) -> str:
    """Format a duration in its largest unit."""
    minutes = int(length.total_seconds() // 60)
    if minutes < 1:
        return "moments"
    if minutes < 120:
        return f"{minutes} min"
    if minutes < 48 * 60:
        return f"{minutes // 60} h"
    return f"{minutes // 60 // 24} days"


def format_count(number: int, one: str, many: str | None = None) -> str:
    """Format a number with its noun.

    >>> format_count(1, "story", "stories"), format_count(1200, "text")
    ('1 story', '1,200 texts')
    """
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def describe_kinds(kinds: Iterable[str]) -> list[tuple[str, str]]:
    """Return the distinct symbols and names of relation kinds."""
    found = {KINDS[kind][2]: KINDS[kind][3] for kind in kinds if kind in KINDS}
    return [(mark, word) for word, mark in found.items()]


class RelationPhrase(NamedTuple):
    """A relation from the side of one article; `share`: how much of its text is in the other."""

    symbol: str
    phrase: str
    other: str
    share: float


def describe_relation(relation: Any, id: str) -> RelationPhrase:
    """Describe a relation from the side of the article with this id."""
    kind, other, share = relation.kind, relation.right, relation.forward
    if relation.left != id:
        kind, other, share = str(Kind(kind).flipped), relation.left, relation.backward
        if kind == "UPDATE":
            return RelationPhrase(KINDS[kind][3], "updated by", other, share)
    return RelationPhrase(KINDS[kind][3], KINDS[kind][0], other, share)


def format_bytes(number: int) -> str:
    """Format a number of bytes in decimal units."""
    value = float(number)
    for unit in ("bytes", "kB", "MB", "GB"):
        if value < 1000 or unit == "GB":
            return f"{value:,.0f} {unit}" if unit == "bytes" else f"{value:,.1f} {unit}"
        value /= 1000
    raise AssertionError


def now() -> datetime:
    """Return the current time."""
    return datetime.now(UTC)
