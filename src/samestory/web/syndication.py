"""Atom, RSS and OPML documents.

feed = FeedDocument("Newest stories", "https://portal.example/", "https://portal.example/index.atom", "en", entries)
atom(feed), rss(feed)                      # bytes
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import format_datetime
from xml.etree import ElementTree

from samestory.output import printable

ATOM = "http://www.w3.org/2005/Atom"
#: Characters that XML does not allow; control characters are removed with those that `printable` removes.
_ILLEGAL = re.compile("[\ud800-\udfff\ufffe\uffff]")


@dataclass(frozen=True, slots=True)
class FeedItem:
    """An entry of a feed; `address` is its page and its permanent id."""

    title: str
    address: str
    updated: datetime
    published: datetime | None
    author: str | None
    summary: str
    original: str | None = None


@dataclass(frozen=True, slots=True)
class FeedDocument:
    """A feed; `address` is the page that it follows, `own` the feed itself."""

    title: str
    address: str
    own: str
    language: str
    items: Sequence[FeedItem]

    @property
    def updated(self) -> datetime:
        """The time of its newest entry."""
        return max((item.updated for item in self.items), default=datetime(1970, 1, 1, tzinfo=UTC))


def _child(
    parent: ElementTree.Element, name: str, text: str | None = None, /, **attributes: str
) -> ElementTree.Element:
    element = ElementTree.SubElement(parent, name, {key: _clean(value) for key, value in attributes.items()})
    if text is not None:
        element.text = _clean(text)
    return element


def _clean(text: str) -> str:
    return _ILLEGAL.sub("\ufffd", printable(text))


def _document(root: ElementTree.Element) -> bytes:
    body: bytes = ElementTree.tostring(root, "utf-8", xml_declaration=False)
    return b'<?xml version="1.0" encoding="utf-8"?>\n' + body


def atom(feed: FeedDocument) -> bytes:
    """Return a feed as Atom (RFC 4287)."""
    root = ElementTree.Element("feed", {"xmlns": ATOM, "xml:lang": feed.language})
    _child(root, "id", feed.own)
    _child(root, "title", feed.title)
    _child(root, "updated", feed.updated.isoformat())
    _child(root, "link", rel="self", type="application/atom+xml", href=feed.own)
    _child(root, "link", rel="alternate", type="text/html", href=feed.address)
    _child(_child(root, "author"), "name", "samestory")
    for item in feed.items:
        entry = _child(root, "entry")
        _child(entry, "id", item.address)
        _child(entry, "title", item.title)
        _child(entry, "updated", item.updated.isoformat())
        if item.published:
            _child(entry, "published", item.published.isoformat())
        _child(entry, "link", rel="alternate", type="text/html", href=item.address)
        if item.original:
            _child(entry, "link", rel="via", href=item.original)
        if item.author:
            _child(_child(entry, "author"), "name", item.author)
        _child(entry, "summary", item.summary)
    return _document(root)


def rss(feed: FeedDocument) -> bytes:
    """Return a feed as RSS 2.0."""
    root = ElementTree.Element(
        "rss", {"version": "2.0", "xmlns:atom": ATOM, "xmlns:dc": "http://purl.org/dc/elements/1.1/"}
    )
    channel = _child(root, "channel")
    _child(channel, "title", feed.title)
    _child(channel, "link", feed.address)
    _child(channel, "description", feed.title)
    _child(channel, "language", feed.language)
    _child(channel, "lastBuildDate", format_datetime(feed.updated))
    _child(channel, "atom:link", rel="self", type="application/rss+xml", href=feed.own)
    for item in feed.items:
        entry = _child(channel, "item")
        _child(entry, "title", item.title)
        _child(entry, "link", item.address)
        _child(entry, "guid", item.address, isPermaLink="true")
        _child(entry, "pubDate", format_datetime(item.updated))
        if item.author:
            _child(entry, "dc:creator", item.author)
        _child(entry, "description", item.summary)
    return _document(root)


def opml(title: str, feeds: Iterable[tuple[str, str]]) -> bytes:
    """Return titles and addresses of feeds as OPML 2.0."""
    root = ElementTree.Element("opml", {"version": "2.0"})
    _child(_child(root, "head"), "title", title)
    body = _child(root, "body")
    for name, address in feeds:
        _child(body, "outline", type="rss", text=name, title=name, xmlUrl=address)
    return _document(root)
