"""A page as it was served, and where it was found."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

#: So many kinds of what is no page are counted each for itself: who names them may name any number.
KINDS = 40


def pass_over(passed: Counter[str], kind: str) -> None:
    """Counts something that is no page and need not be one."""
    kind = kind[:60]
    passed[kind if kind in passed or len(passed) < KINDS else "others"] += 1


#: Names under the end of an address under which countries register sites: example.co.uk, example.com.tr.
_SECOND = frozenset(("ac", "co", "com", "edu", "gen", "gov", "net", "or", "org"))


def site_of(url: str) -> str:
    """The name under which the site of an address is registered, as far as the address tells.

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
    """Where a page was found: a file, and of a file with many pages the line or record, counted from 1.

    >>> str(Origin("crawl.warc.gz", 17)), str(Origin("site/index.html"))
    ('crawl.warc.gz:17', 'site/index.html')
    """

    file: str
    line: int = 0

    def __str__(self) -> str:
        return f"{self.file}:{self.line}" if self.line else self.file


@dataclass(frozen=True, slots=True)
class Page:
    """The bytes of a page, its address, and the charset that the server named in the header Content-Type.

    ``origin`` says where it was found, ``fetched`` when it was served, as the archive writes it.
    """

    raw: bytes
    url: str | None = None
    charset: str | None = None
    origin: Origin | None = None
    fetched: str | None = None

    @property
    def site(self) -> str:
        """The site it is from: by its address, else the folder or archive it was found in."""
        if self.url:
            return site_of(self.url)
        if self.origin:
            return self.origin.file if self.origin.line else str(Path(self.origin.file).parent)
        return ""

    @property
    def tld(self) -> str | None:
        """The end of the host name, which helps to guess an encoding that nobody named.

        >>> Page(b"", "http://www.example.com.tr/news").tld
        'tr'
        """
        try:
            host = urlsplit(self.url or "").hostname or ""
        except ValueError:
            return None
        _, dot, end = host.rstrip(".").rpartition(".")
        return end if dot and end.isascii() and end.isalpha() else None
