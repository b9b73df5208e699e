"""A page as it was served."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlsplit


@dataclass(frozen=True, slots=True)
class Page:
    """The bytes of a page, its address, and the charset that the server named in the header Content-Type."""

    raw: bytes
    url: str | None = None
    charset: str | None = None

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
