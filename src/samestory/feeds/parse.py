"""Feeds to articles: RSS 0.9 to 2.0, RSS 1.0 and Atom, by feedparser, and safely.

What a feed declares is never looked up, what is too much of it is left out (`trim`), and markup becomes plain text
(`entries`). A broken feed gives what can be read of it, and a doubt.
"""

from __future__ import annotations

import io
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from samestory import _core
from samestory.errors import InputError
from samestory.feeds.dates import moment
from samestory.feeds.decode import decoded
from samestory.feeds.entries import Entries
from samestory.feeds.trim import trimmed
from samestory.html.extraction import ANY
from samestory.model import Article
from samestory.readers import ROLES
from samestory.text.extra import library

#: Entries that are taken of a feed at most.
MOST = 1000


@dataclass(frozen=True, slots=True)
class Feed:
    """What a feed holds: its articles, the newest first if it is written so, and what is doubtful about it.

    `ttl` are the seconds for which it says it will not change. `missed` counts linked pages that could not be had, and
    `left` entries whose pages wait for the next round.
    """

    url: str
    title: str | None
    site: str | None
    articles: tuple[Article, ...]
    doubts: tuple[str, ...] = ()
    ttl: float | None = None
    missed: int = 0
    left: int = 0


def parse(
    body: bytes,
    url: str,
    type: str = "",
    charset: str | None = None,
    *,
    base: str | None = None,
    most: int = MOST,
    latest: datetime | None = None,
) -> Feed:
    """The feed that these bytes are; an InputError if they are none.

    `url` is the address under which the feed is followed, `base` the one that it was found at in the end, `type` and
    `charset` what its server said. Dates after `latest`, or after now, are none.

    >>> feed = parse(b"<rss version='2.0'><channel><title>T</title><item><title>Rain</title></item></channel></rss>", "http://a.com/")
    >>> feed.title, [article.text for article in feed.articles]
    ('T', ['Rain'])
    """
    feedparser = library("feedparser", "portal", "following feeds")
    if not body.strip():
        raise InputError("no feed: nothing in it")
    text, unread = decoded(body, charset)
    document, doubts = trimmed(text, most, _seconds)
    # given as a stream: a text could be taken for the name of a file, or for an address
    found: Any = feedparser.parse(
        io.BytesIO(document),
        response_headers={"content-type": "application/xml; charset=utf-8"},
        resolve_relative_uris=False,
        sanitize_html=False,
    )
    version = str(found.get("version") or "")
    if not version and not found["entries"]:
        raise InputError(f"no feed{f': {type}' if type else ''}")
    doubts = [unread, *doubts] if unread else doubts
    entries = Entries(url, base or url, version, found["feed"], latest)
    articles = _articles(entries, found["entries"][:most], doubts)
    return Feed(url, entries.title or None, entries.site, tuple(articles), tuple(doubts), _ttl(found["feed"]))


def _articles(entries: Entries, found: list[Any], doubts: list[str]) -> list[Article]:
    """The articles of entries; what is none is counted among the doubts."""
    out: dict[str, Article] = {}
    empty, again = 0, 0
    for entry in found:
        article = entries.article(entry)
        if article is None:
            empty += 1
        elif article.id in out:
            again += 1
        else:
            taken, fault = _core.judge([getattr(article, role) for role in ROLES], [], ANY)
            if taken is None and fault:
                doubts.append(f"{fault[0]}: {fault[1]}")
            else:
                out[article.id] = article
    for count, what in (
        (empty, "entries say nothing"),
        (again, "entries have the id of one before them"),
        (entries.lacking, "dates cannot be read"),
    ):
        if count:
            doubts.append(f"{what}: {count}")
    return list(out.values())


def _ttl(about: Any) -> float | None:
    """The minutes that a feed says it will not change for, in seconds."""
    ttl = str(about.get("ttl") or "").strip()
    return float(ttl) * 60 if ttl.isascii() and ttl.isdigit() and len(ttl) < 7 else None


def _seconds(date: str) -> float:
    at = moment(date)
    return at.timestamp() if at else float("-inf")
