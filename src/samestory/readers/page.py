"""A page as served, and its location."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

#: Kinds of skipped inputs that are counted separately; archives may name any number of kinds.
MAX_KINDS = 40


def pass_over(skipped: Counter[str], kind: str) -> None:
    """Counts an input that is skipped because it is not a page."""
    kind = kind[:60]
    skipped[kind if kind in skipped or len(skipped) < MAX_KINDS else "others"] += 1


#: Second-level domains under country domains: example.co.uk, example.com.tr.
_SECOND = frozenset(("ac", "co", "com", "edu", "gen", "gov", "net", "or", "org"))


def site_of(url: str) -> str:
    """Returns the registered domain of a URL, by a heuristic.

    >>> site_of("https://www.news.example.co.uk/story"), site_of("http://m.example.com/1")
    ('example.co.uk', 'example.com')
    """
    try:
        host = urlsplit(url).hostname or url
    except ValueError:
        host = url
    parts = host.removeprefix("www.").split(".")
    country = len(parts) > 2 and len(parts[-1]) == 2 and parts[-2] in _SECOND
    return ".".join(parts[-3 if country else -2 :])


class Origin(NamedTuple):
    """The location of a page: a file, and in a file with many pages the line or record, counted from 1.

    >>> str(Origin("crawl.warc.gz", 17)), str(Origin("site/index.html"))
    ('crawl.warc.gz:17', 'site/index.html')
    """

    file: str
    line: int = 0

    def __str__(self) -> str:
        return f"{self.file}:{self.line}" if self.line else self.file


@dataclass(frozen=True, slots=True)
class Page:
    """The bytes of a page, its URL, and the charset of the Content-Type header.

    ``origin`` is its location, ``fetched`` the time it was served, as written in the archive.
    """

    raw: bytes
    url: str | None = None
    charset: str | None = None
    origin: Origin | None = None
    fetched: str | None = None

    @property
    def site(self) -> str:
        """The site of the page: by its URL, else its folder or archive."""
        if self.url:
            return site_of(self.url)
        if self.origin:
            return self.origin.file if self.origin.line else str(Path(self.origin.file).parent)
        return ""

    @property
    def tld(self) -> str | None:
        """The top-level domain, used to guess an undeclared encoding.

        >>> Page(b"", "http://www.example.com.tr/news").tld
        'tr'
        """
        try:
            host = urlsplit(self.url or "").hostname or ""
        except ValueError:
            return None
        _, dot, end = host.rstrip(".").rpartition(".")
        return end if dot and end.isascii() and end.isalpha() else None
