"""An entry of a feed to an article.

    id         its guid or id, else its link, else a hash of what it says
    text       its content or its summary, whichever says more, as plain text; of an entry without either, its title
    published  when it was published, else updated
    url        its link, if that is one of http or https
    source     the title of the feed, else its host

Nobody may speak for others: an id that is an address of the feed's own host stands as it is, every other one is put
behind the address of the feed. So two feeds that both have an entry "1" have two articles, and no feed can replace the
articles of another by giving their ids.
"""

from __future__ import annotations

import hashlib
import re
from datetime import datetime
from functools import lru_cache
from typing import Any
from urllib.parse import urljoin

from samestory import _core
from samestory.feeds.addresses import AddressError, target
from samestory.feeds.dates import moment
from samestory.html.blocks import INLINE_5, blocks
from samestory.html.words import plain
from samestory.model import Article
from samestory.readers.page import Page

#: What holds no text to be read: frames, forms, and what is there for browsers that lack something.
_MUTE = ("button", "iframe", "noembed", "noframes", "noscript", "select", "template", "textarea")
#: A longer id is not kept as it is.
_LONGEST_ID = 500
#: What stands in front of the name of a site on hosts that serve its feeds.
_SERVERS = re.compile(r"^(?:rss|feeds?|xml|m|mobile|api)\.")
_TAG = re.compile(
    r"</?(?:a|abbr|article|b|big|blockquote|br|center|cite|code|dd|div|dl|dt|em|figure|font|h[1-6]|hr|i|iframe|img|li|ol|"
    r"p|pre|q|s|script|section|small|span|strike|strong|style|sub|sup|table|tbody|td|th|tr|tt|u|ul|video)\b[^<>]*>|<!--|"
    r"&(?:#\d{1,7}|#[xX][0-9A-Fa-f]{1,6}|[A-Za-z][A-Za-z0-9]{1,30});",
    re.IGNORECASE,
)
_TEXTS = frozenset(("text/plain", "text/html", "application/xhtml+xml", ""))
_SPACE = re.compile(r"[^\S\n]+")


class Entries:
    """Makes articles of the entries of one feed: `url` is its address, `base` where it was found in the end."""

    def __init__(self, url: str, base: str, version: str, about: Any, latest: datetime | None = None) -> None:
        self._url, self._base, self._latest = url, base, latest
        # Atom says what is markup; of RSS nobody knows
        self._told = version.startswith("atom")
        self._host = _host(url)
        self.title = self.line(about, "title")
        self.site = self.address(about.get("link"))
        self._lang = language(about.get("language") or _of(about, "title_detail").get("language"))
        self.lacking = 0

    def article(self, entry: Any) -> Article | None:
        """The article of an entry; none if it says nothing."""
        title = self.line(entry, "title")
        said = [*entry.get("content", ()), _of(entry, "summary_detail")]
        texts = [self.text(each) for each in said if str(each.get("type") or "").lower() in _TEXTS]
        text = max(texts, key=len, default="") or title
        if not any(letter.isalnum() for letter in text):
            return None
        link = self.address(entry.get("feedburner_origlink") or entry.get("link"))
        langs = (language(each.get("language")) for each in (*said, _of(entry, "title_detail")))
        return Article(
            id=self.id(str(entry.get("id") or ""), link, title, text),
            text=text,
            title=title or None,
            published=self.published(entry),
            url=link,
            source=self.title or self._host,
            lang=next((lang for lang in langs if lang), None) or self._lang,
        )

    def id(self, given: str, link: str | None, title: str, text: str) -> str:
        """The id of an article; an address of the feed's own host, or something behind the address of the feed."""
        given = plain(given, _LONGEST_ID + 1) or link or ""
        if not given:
            given = hashlib.sha256(f"{title}\n{text}".encode()).hexdigest()[:32]
        elif len(given) > _LONGEST_ID:
            given = hashlib.sha256(given.encode()).hexdigest()[:32]
        elif self._is_own(given):
            return given
        return f"{self._url}#{given}"

    def _is_own(self, given: str) -> bool:
        """Whether it is an address of the feed's host or below it; rss.example.com also speaks for www.example.com."""
        own, host = self._host.removeprefix("www."), _host(given)
        site = _SERVERS.sub("", own)
        return bool(own) and (host == own or host.endswith(f".{own}") or host in (site, f"www.{site}"))

    def published(self, entry: Any) -> str | None:
        """When it was published, else updated, in ISO 8601 with a zone."""
        for name in ("published", "updated", "created"):
            if dict.__contains__(entry, name):
                read = dict.get(entry, f"{name}_parsed")
                if at := moment(str(dict.get(entry, name)), read, self._latest):
                    return at.isoformat()
                self.lacking += 1
        return None

    def address(self, link: object) -> str | None:
        """A link as a whole address, if it is one that could be asked."""
        if not isinstance(link, str) or not link.strip():
            return None
        try:
            # as it is written: only whoever asks for it wants it quoted
            whole = urljoin(self._base, link.strip())
            target(whole)
        except (AddressError, ValueError):
            return None
        return plain(whole, 2000).replace(" ", "%20")

    def line(self, of: Any, name: str) -> str:
        """A field as plain text on one line."""
        return plain(" ".join(self.text(_of(of, f"{name}_detail")).split()))

    def text(self, said: Any) -> str:
        """What a field says, as plain text: a line for every block of its markup."""
        value = said.get("value")
        if not isinstance(value, str) or not value.strip():
            return ""
        is_plain = said.get("type") == "text/plain" and (self._told or not _TAG.search(value))
        return _lines(value) if is_plain else of_markup(value)


def of_markup(markup: str) -> str:
    """The text of a piece of HTML: a line a block, without scripts and what is hidden.

    >>> of_markup("Rain &amp; storm<script>alert(1)</script><p>Two <b>bridges</b> closed")
    'Rain & storm\\nTwo bridges closed'
    """
    # in a body of its own, whatever it begins with is read as markup and not taken for a picture or a program
    page = Page(f"<!DOCTYPE html><body>{markup}".encode("utf-8", "replace"), charset="utf-8")
    found = blocks(page, inline_extra=INLINE_5, mute=_MUTE)
    return "\n".join(block.text for block in found if "hidden" not in block.inside)


def _lines(text: str) -> str:
    """A plain text with single spaces and without empty lines."""
    lines = (_SPACE.sub(" ", line).strip() for line in text.splitlines())
    return "\n".join(line for line in lines if line)


@lru_cache(1000)
def language(given: object) -> str | None:
    """The ISO 639-1 code of a language as feeds name it.

    >>> language("tr-TR"), language("en_us"), language("none")
    ('tr', 'en', None)
    """
    if not isinstance(given, str) or not given.strip():
        return None
    code = _core.prepare([""], [plain(given, 40)]).languages[0]
    return code if code != "und" else None


def _of(of: Any, name: str) -> Any:
    found = of.get(name)
    return found if isinstance(found, dict) else {}


def _host(url: str) -> str:
    try:
        return target(url).host
    except AddressError:
        return ""
