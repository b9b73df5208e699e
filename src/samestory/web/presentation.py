"""Template helpers: highlighted texts, small elements, safe links."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from urllib.parse import urlencode, urlsplit

from markupsafe import Markup, escape

from samestory.output import printable

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


def format_count(number: int, one: str, many: str | None = None) -> str:
    """Format a number with its noun.

    >>> format_count(1, "story", "stories"), format_count(1200, "text")
    ('1 story', '1,200 texts')
    """
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def isolated(text: object) -> Markup:
    """Return a text of a source in an element of its own, so that its direction does not affect the words around it."""
    return Markup("<bdi>{}</bdi>").format(finalize(text))


def linked(address: str, words: object) -> Markup:
    """Return a link to a page of this server."""
    return Markup('<a href="{}">{}</a>').format(address, finalize(words))


def typed(text: str) -> Markup:
    """Return what a reader can type."""
    return Markup("<code>{}</code>").format(text)


def key(name: str) -> Markup:
    """Return the name of a key."""
    return Markup("<kbd>{}</kbd>").format(name)


def in_english(text: str | None) -> Markup:
    """Return an English text, such as the message of a server, marked as such for pages in other languages."""
    return Markup('<span lang="en">{}</span>').format(finalize(text))


def now() -> datetime:
    """Return the current time."""
    return datetime.now(UTC)
