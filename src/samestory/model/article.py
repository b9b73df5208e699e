"""Articles, and places in their texts."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any, NamedTuple

from samestory.model.metadata import NO_METADATA, ArticleMetadata


def flaw(text: str) -> str | None:
    """The reason why a text cannot be encoded, if there is one."""
    if not text.isascii():
        try:
            text.encode()
        except UnicodeEncodeError as error:
            return f"half a character (a lone surrogate) at {error.start}"
    return None


def has_controls(text: str) -> bool:
    """Whether a text contains control characters, which an id must not: it is printed, and is a part of lines.

    >>> has_controls("a\\x1b[2J"), has_controls("статья/1")
    (True, False)
    """
    return not text.isprintable() and any(unicodedata.category(letter) == "Cc" for letter in text)


def digits(number: float) -> str:
    """A number without an exponent, as in files; 7.0 is 7.

    >>> digits(7.0), digits(1e22), digits(2.5e-7)
    ('7', '10000000000000000000000', '0.00000025')
    """
    from decimal import Decimal

    return f"{Decimal(repr(float(number))):f}".removesuffix(".0")


def shown(value: object) -> str:
    """A value as messages show it: short, with its type unless that is obvious."""
    words = repr(value)
    words = words if len(words) <= 60 else f"{words[:60]}…"
    return words if value is None or isinstance(value, str | bytes) else f"{words} ({type(value).__name__})"


class Span(NamedTuple):
    """A range of characters, from ``start`` up to but not including ``end``."""

    start: int
    end: int


class Evidence(NamedTuple):
    """The same words at a place of the left and a place of the right article."""

    left: Span
    right: Span


@dataclass(frozen=True, slots=True)
class Article:
    """One article. ``published`` is the date as it was written; ``lang`` an ISO 639-1 code.

    ``metadata`` has its other fields, such as a section: texts, numbers, booleans, and lists of them.
    """

    id: str
    text: str
    title: str | None = None
    published: str | None = None
    url: str | None = None
    source: str | None = None
    lang: str | None = None
    metadata: Mapping[str, Any] = field(default=NO_METADATA, hash=False)

    def __post_init__(self) -> None:
        if type(self.metadata) is not ArticleMetadata:
            object.__setattr__(self, "metadata", ArticleMetadata(self.metadata))

    @property
    def flaw(self) -> str | None:
        """The reason why it is no valid article, if there is one.

        >>> Article("a", None).flaw
        'text: expected a text, got None'
        """
        for role in _ROLES:
            given = getattr(self, role)
            if given is None and role not in ("id", "text"):
                continue
            if not isinstance(given, str):
                return f"{role}: expected a text, got {shown(given)}"
            if wrong := flaw(given):
                return f"{role}: {wrong}"
        return None

    def beginning(self, longest: int | None) -> Article:
        """The article with at most so many characters of its text."""
        return self if longest is None or len(self.text) <= longest else replace(self, text=self.text[:longest])


_ROLES = tuple(each.name for each in fields(Article) if each.name != "metadata")
