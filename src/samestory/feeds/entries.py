"""Converts feed entries to articles.

    id         its guid or id, else its link, else a hash of its title and text
    text       its content or its summary, whichever is longer, as plain text; without either, its title
    published  when it was published, else updated
    url        its link, if that is one of http or https
    source     the title of the feed, else its host
    metadata   its categories and its author, if it has them

An id that is a URL of the feed's own server (scheme, host and port) is used as is; every other one is prefixed with
the URL of the feed. So two feeds with an entry "1" have two articles, and no feed can replace the articles of another
server by using their ids. Among the feeds of one server, the archive keeps an article for the feed that added it.
"""

from __future__ import annotations

import hashlib
import re
from datetime import datetime
from functools import lru_cache
from typing import Any
from urllib.parse import urljoin

from samestory import _core
from samestory.feeds.addresses import AddressError, parse_target
from samestory.feeds.dates import parse_date
from samestory.html.blocks import INLINE_5, blocks
from samestory.html.words import plain
from samestory.model import Article
from samestory.readers.page import Page

#: Elements without readable text: frames, forms, and fallbacks for browsers that lack a feature.
_MUTE = ("button", "iframe", "noembed", "noframes", "noscript", "select", "template", "textarea")
#: Categories of an entry, and characters of a category and an author.
_MAX_CATEGORIES, _MAX_NAME_CHARACTERS = 50, 100
#: A longer id is hashed.
_MAX_ID_CHARACTERS = 500
_TAG = re.compile(
    r"</?(?:a|abbr|article|b|big|blockquote|br|center|cite|code|dd|div|dl|dt|em|figure|font|h[1-6]|hr|i|iframe|img|li|ol|"
    r"p|pre|q|s|script|section|small|span|strike|strong|style|sub|sup|table|tbody|td|th|tr|tt|u|ul|video)\b[^<>]*>|<!--|"
    r"&(?:#\d{1,7}|#[xX][0-9A-Fa-f]{1,6}|[A-Za-z][A-Za-z0-9]{1,30});",
    re.IGNORECASE,
)
_TEXTS = frozenset(("text/plain", "text/html", "application/xhtml+xml", ""))
_SPACE = re.compile(r"[^\S\n]+")


class EntryConverter:
    """Converts the entries of one feed: `url` is its subscribed URL, `base` its final URL."""

    def __init__(self, url: str, base: str, version: str, about: Any, latest: datetime | None = None) -> None:
        self._url, self._base, self._latest = url, base, latest
        # Atom declares what is markup; RSS does not
        self._declares_markup = version.startswith("atom")
        self._host, self._origin = _host(url), _origin(url)
        self.title = self.line(about, "title")
        self.site = self.address(about.get("link"))
        self._lang = language(about.get("language") or _detail(about, "title_detail").get("language"))
        self.unreadable_dates = 0

    def article(self, entry: Any) -> Article | None:
        """Return the article of an entry; None if it has no text."""
        title = self.line(entry, "title")
        fields = [*entry.get("content", ()), _detail(entry, "summary_detail")]
        texts = [self.text(each) for each in fields if str(each.get("type") or "").lower() in _TEXTS]
        text = max(texts, key=len, default="") or title
        if not any(letter.isalnum() for letter in text):
            return None
        link = self.address(entry.get("feedburner_origlink") or entry.get("link"))
        langs = (language(each.get("language")) for each in (*fields, _detail(entry, "title_detail")))
        return Article(
            id=self.id(str(entry.get("id") or ""), link, title, text),
            text=text,
            title=title or None,
            published=self.published(entry),
            url=link,
            source=self.title or self._host,
            lang=next((lang for lang in langs if lang), None) or self._lang,
            metadata=_metadata(entry),
        )

    def id(self, given: str, link: str | None, title: str, text: str) -> str:
        """Return the id of an article: a URL of the feed's own server, or an id prefixed with the URL of the feed."""
        given = plain(given, _MAX_ID_CHARACTERS + 1) or link or ""
        if not given:
            given = hashlib.sha256(f"{title}\n{text}".encode()).hexdigest()[:32]
        elif len(given) > _MAX_ID_CHARACTERS:
            given = hashlib.sha256(given.encode()).hexdigest()[:32]
        elif self._is_own(given):
            return given
        return f"{self._url}#{given}"

    def _is_own(self, given: str) -> bool:
        """Whether an id is a URL of the feed's server; with a fragment, it could be a prefixed id of another feed."""
        return bool(self._origin) and "#" not in given and _origin(given) == self._origin

    def published(self, entry: Any) -> str | None:
        """Return the time of publication, else of the update, in ISO 8601 with a zone."""
        for name in ("published", "updated", "created"):
            if dict.__contains__(entry, name):
                read = dict.get(entry, f"{name}_parsed")
                if at := parse_date(str(dict.get(entry, name)), read, self._latest):
                    return at.isoformat()
                self.unreadable_dates += 1
        return None

    def address(self, link: object) -> str | None:
        """Return a link as an absolute URL, if it can be fetched."""
        if not isinstance(link, str) or not link.strip():
            return None
        try:
            # kept as written: quoting is left to the fetcher
            absolute = urljoin(self._base, link.strip())
            parse_target(absolute)
        except (AddressError, ValueError):
            return None
        return plain(absolute, 2000).replace(" ", "%20")

    def line(self, parent: Any, name: str) -> str:
        """Return a field as plain text on one line."""
        return plain(" ".join(self.text(_detail(parent, f"{name}_detail")).split()))

    def text(self, field: Any) -> str:
        """Return a field as plain text, with a line for every block of its markup."""
        value = field.get("value")
        if not isinstance(value, str) or not value.strip():
            return ""
        is_plain = field.get("type") == "text/plain" and (self._declares_markup or not _TAG.search(value))
        return _lines(value) if is_plain else markup_text(value)


def markup_text(markup: str) -> str:
    """Return the text of an HTML fragment, one line per block, without scripts and hidden elements.

    >>> markup_text("Rain &amp; storm<script>alert(1)</script><p>Two <b>bridges</b> closed")
    'Rain & storm\\nTwo bridges closed'
    """
    # inside a body, the fragment is always read as markup and never sniffed as an image or a program
    page = Page(f"<!DOCTYPE html><body>{markup}".encode("utf-8", "replace"), charset="utf-8")
    found = blocks(page, inline_extra=INLINE_5, mute=_MUTE)
    return "\n".join(block.text for block in found if "hidden" not in block.inside)


def _lines(text: str) -> str:
    """Normalise plain text to single spaces, without empty lines."""
    lines = (_SPACE.sub(" ", line).strip() for line in text.splitlines())
    return "\n".join(line for line in lines if line)


@lru_cache(1000)
def language(given: object) -> str | None:
    """Return the ISO 639-1 code of a language tag of a feed, or None.

    >>> language("tr-TR"), language("en_us"), language("none")
    ('tr', 'en', None)
    """
    if not isinstance(given, str) or not given.strip():
        return None
    code = _core.text.prepare([""], [plain(given, 40)]).languages[0]
    return code if code != "und" else None


def _metadata(entry: Any) -> dict[str, Any]:
    """Return the categories and the author of an entry."""
    given = entry.get("tags")
    terms = [each.get("label") or each.get("term") for each in given or () if isinstance(each, dict)]
    found = dict.fromkeys(
        plain(term, _MAX_NAME_CHARACTERS) for term in terms[:_MAX_CATEGORIES] if isinstance(term, str)
    )
    author = entry.get("author")
    values = {
        "category": tuple(filter(None, found)),
        "author": plain(author, _MAX_NAME_CHARACTERS) if isinstance(author, str) else "",
    }
    return {name: value for name, value in values.items() if value}


def _detail(parent: Any, name: str) -> Any:
    detail = parent.get(name)
    return detail if isinstance(detail, dict) else {}


def _host(url: str) -> str:
    try:
        return parse_target(url).host
    except AddressError:
        return ""


def _origin(url: str) -> str:
    """Return the scheme, host and port of a URL; empty if it is none."""
    try:
        return parse_target(url).origin
    except AddressError:
        return ""
