"""Parses feeds to articles: RSS 0.9 to 2.0, RSS 1.0 and Atom, with feedparser.

Declarations of a feed are never resolved, oversized feeds are cut (`sanitise`), and markup is converted to plain text
(`entries`). A broken feed yields what can be read of it, and a warning.
"""

from __future__ import annotations

import io
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from samestory import _core
from samestory.errors import InputError
from samestory.feeds.dates import parse_date
from samestory.feeds.decode import decode
from samestory.feeds.entries import EntryConverter
from samestory.feeds.sanitise import ENDS_EARLY, sanitise
from samestory.html.extraction import NO_SIZE_LIMIT
from samestory.model import Article
from samestory.readers import ROLES
from samestory.text.extra import library

#: The most entries of a feed that are read.
MAX_ENTRIES = 1000


@dataclass(frozen=True, slots=True)
class Feed:
    """A parsed feed: its articles, in its own order (usually newest first), and warnings about it.

    `ttl` is its declared time to live, in seconds. `missed` counts linked pages that could not be used, `left` entries
    whose pages wait for the next round. `addresses` are those of the server that sent it.
    """

    url: str
    title: str | None
    site: str | None
    articles: tuple[Article, ...]
    warnings: tuple[str, ...] = ()
    ttl: float | None = None
    missed: int = 0
    left: int = 0
    addresses: tuple[str, ...] = ()

    @property
    def is_truncated(self) -> bool:
        """Whether the document ended before its end, so that entries may be missing."""
        return any(warning.startswith(ENDS_EARLY) for warning in self.warnings)


def parse(
    body: bytes,
    url: str,
    type: str = "",
    charset: str | None = None,
    *,
    base: str | None = None,
    most: int = MAX_ENTRIES,
    latest: datetime | None = None,
) -> Feed:
    """Parse a feed; raise an InputError if the bytes are not one.

    `url` is the subscribed URL of the feed, `base` its final URL, `type` and `charset` are those of the server. Dates
    after `latest`, by default now, are ignored.

    >>> feed = parse(b"<rss version='2.0'><channel><title>T</title><item><title>Rain</title></item></channel></rss>", "http://a.com/")
    >>> feed.title, [article.text for article in feed.articles]
    ('T', ['Rain'])
    """
    feedparser = library("feedparser", "portal", "following feeds")
    if not body.strip():
        raise InputError("not a feed: empty")
    text, decode_warning = decode(body, charset)
    document, warnings = sanitise(text, most, _seconds)
    # as a stream: a string could be mistaken for a file name or a URL
    found: Any = feedparser.parse(
        io.BytesIO(document),
        response_headers={"content-type": "application/xml; charset=utf-8"},
        resolve_relative_uris=False,
        sanitize_html=False,
    )
    version = str(found.get("version") or "")
    if not version and not found["entries"]:
        raise InputError(f"not a feed{f': {type}' if type else ''}")
    warnings = [decode_warning, *warnings] if decode_warning else warnings
    converter = EntryConverter(url, base or url, version, found["feed"], latest)
    articles = _articles(converter, found["entries"][:most], warnings)
    return Feed(url, converter.title or None, converter.site, tuple(articles), tuple(warnings), _ttl(found["feed"]))


def _articles(converter: EntryConverter, entries: list[Any], warnings: list[str]) -> list[Article]:
    """Convert entries to articles; entries that are skipped are counted in the warnings."""
    out: dict[str, Article] = {}
    empty, repeated = 0, 0
    for entry in entries:
        article = converter.article(entry)
        if article is None:
            empty += 1
        elif article.id in out:
            repeated += 1
        else:
            accepted, fault = _core.engine.judge([getattr(article, role) for role in ROLES], [], NO_SIZE_LIMIT)
            if accepted is None and fault:
                warnings.append(f"{fault[0]}: {fault[1]}")
            else:
                out[article.id] = article
    for count, what in (
        (empty, "entries without text"),
        (repeated, "entries with the id of an earlier one"),
        (converter.unreadable_dates, "unreadable dates"),
    ):
        if count:
            warnings.append(f"{what}: {count}")
    return list(out.values())


def _ttl(about: Any) -> float | None:
    """Return the declared time to live of a feed, converted from minutes to seconds."""
    ttl = str(about.get("ttl") or "").strip()
    return float(ttl) * 60 if ttl.isascii() and ttl.isdigit() and len(ttl) < 7 else None


def _seconds(date: str) -> float:
    at = parse_date(date)
    return at.timestamp() if at else float("-inf")
