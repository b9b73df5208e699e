"""Metadata declared by a page: collected by the core while parsing, evaluated by `metadata` and `verdict`.

All values are unverified. The length of every list and text is bounded.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple


class Link(NamedTuple):
    """A link element of the page: canonical, amphtml, alternate."""

    rel: str
    href: str
    hreflang: str


class MarkedItem(NamedTuple):
    """A time element, or an element marked as author, headline or date."""

    tag: str
    #: its property in lower case: ``datepublished``, ``author``; empty for a plain time
    property: str
    css_class: str
    #: the value of its attributes
    value: str
    #: the beginning of its text
    text: str
    #: the elements around it among article, main, header, footer, nav, aside
    inside: list[str]
    #: number of h1 elements that begin before it
    behind: int


class ShortBlock(NamedTuple):
    """A short block that may contain the author or date of the page."""

    text: str
    #: its block position relative to the heading: -1 right before it, 0 in it; None without a heading
    from_heading: int | None
    #: whether the class or id of an element around it refers to authors, or to dates
    by_author: bool
    by_date: bool


@dataclass(frozen=True, slots=True)
class Head:
    """Metadata declared by a page."""

    #: the lang attribute of the html element
    language: str = ""
    #: name, property or header (lower case) and content of the meta tags
    meta: tuple[tuple[str, str], ...] = ()
    links: tuple[Link, ...] = ()
    items: tuple[MarkedItem, ...] = ()
    #: the unparsed scripts of type application/ld+json
    linked_data: tuple[str, ...] = ()
    #: the heading that resembles the title, or the first one
    heading: str = ""
    lines: tuple[ShortBlock, ...] = ()
    #: short blocks that mention subscribers, scripts or robots
    notices: tuple[str, ...] = ()
    #: words of ids and classes that indicate restricted access
    telling: frozenset[str] = frozenset()
    #: tokens of all blocks of the page, and those inside links
    tokens: int = 0
    linked: int = 0

    @classmethod
    def from_row(cls, row: tuple[Any, ...]) -> Head:
        """Creates a head from the row returned by the core."""
        language, meta, links, items, linked_data, heading, lines, notices, telling, tokens, linked = row
        return cls(
            language,
            tuple(meta),
            tuple(Link(*each) for each in links),
            tuple(MarkedItem(*each) for each in items),
            tuple(linked_data),
            heading,
            tuple(ShortBlock(*each) for each in lines),
            tuple(notices),
            frozenset(telling),
            tokens,
            linked,
        )
