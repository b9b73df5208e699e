"""Builders of web archives for tests."""

from __future__ import annotations

import gzip

PAGE = b"<html><head><title>Ferry</title></head><body><p>The ferry to the island runs again.</p></body></html>"


def answer(body: bytes = PAGE, *headers: str, status: str = "200 OK", type: str = "text/html") -> bytes:
    """Builds an HTTP response."""
    lines = [f"HTTP/1.1 {status}", *([f"Content-Type: {type}"] if type else []), *headers]
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + body


def record(number: int, block: bytes, *fields: str, type: str = "response", length: int | str | None = None) -> bytes:
    """Builds an archive record."""
    head = [
        "WARC/1.0",
        f"WARC-Type: {type}",
        f"WARC-Record-ID: <urn:uuid:{number}>",
        "WARC-Date: 2024-01-02T03:04:05Z",
        f"WARC-Target-URI: http://example.com/{number}",
        "Content-Type: application/http; msgtype=response",
        *fields,
        f"Content-Length: {len(block) if length is None else length}",
    ]
    return "\r\n".join(head).encode() + b"\r\n\r\n" + block + b"\r\n\r\n"


def packed(*records: bytes) -> bytes:
    """Builds an archive with one gzip member per record, as crawlers do."""
    return b"".join(gzip.compress(each, mtime=0) for each in records)
