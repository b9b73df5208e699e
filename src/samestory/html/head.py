"""What a page says of itself: gathered by the core while it parses, judged by `metadata` and `verdict`.

Nothing here has been believed yet. Every list and every text is bounded, whatever the page holds.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple


class Link(NamedTuple):
    """A link of the page as a whole: canonical, amphtml, alternate."""

    rel: str
    href: str
    hreflang: str


class Item(NamedTuple):
    """A time, or something that is marked as author, headline or date."""

    tag: str
    #: what it is marked as, small: ``datepublished``, ``author``; empty for a time that is nothing else
    property: str
    css_class: str
    #: what its attributes say
    value: str
    #: the beginning of its text
    text: str
    #: which it lies in of article, main, header, footer, nav, aside
    inside: list[str]
    #: how many first-level headings began before it
    behind: int


class Line(NamedTuple):
    """A short block that may say who wrote the page, or when."""

    text: str
    #: its place among the blocks, counted from the heading: -1 stands right before it, 0 in it; None without one
    from_heading: int | None
    #: an element around it is called after authors, or after dates
    by_author: bool
    by_date: bool


@dataclass(frozen=True, slots=True)
class Head:
    """What a page says of itself."""

    #: of the element html
    language: str = ""
    #: name, property or header (small) and content of the meta tags
    meta: tuple[tuple[str, str], ...] = ()
    links: tuple[Link, ...] = ()
    items: tuple[Item, ...] = ()
    #: what scripts of the type application/ld+json hold, unread
    linked_data: tuple[str, ...] = ()
    #: the heading that resembles the title, or the first one
    heading: str = ""
    lines: tuple[Line, ...] = ()
    #: short blocks that speak of subscribers, of scripts or of robots
    notices: tuple[str, ...] = ()
    #: words of ids and classes that tell of a text that is not for everybody
    telling: frozenset[str] = frozenset()
    #: tokens of all blocks of the page, and how many of them lie in links
    tokens: int = 0
    linked: int = 0

    @classmethod
    def of(cls, row: tuple[Any, ...]) -> Head:
        """As the core gives it."""
        language, meta, links, items, linked_data, heading, lines, notices, telling, tokens, linked = row
        return cls(
            language,
            tuple(meta),
            tuple(Link(*each) for each in links),
            tuple(Item(*each) for each in items),
            tuple(linked_data),
            heading,
            tuple(Line(*each) for each in lines),
            tuple(notices),
            frozenset(telling),
            tokens,
            linked,
        )
