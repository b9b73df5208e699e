"""HTTP responses in archives: status, type, charset and the decoded body.

Some archives decode the body but keep the original headers, so a body that is not encoded as the headers declare is
used unchanged. Decoding is limited to a maximum size.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable
from dataclasses import dataclass

#: Maximum number of content encodings of a body; real servers use at most two.
_MAX_LAYERS = 4
#: First bytes of gzip data.
_GZIP = b"\x1f\x8b"
_CHARSET = re.compile(r"charset\s*=\s*[\"']?([^\s;\"',]+)", re.IGNORECASE)
_END = re.compile(rb"\r?\n\r?\n")


class BodyError(ValueError):
    """A body that cannot be decoded."""


@dataclass(frozen=True, slots=True)
class HttpResponse:
    """An HTTP response with its encoded body."""

    status: int
    headers: dict[str, str]
    raw: bytes

    @property
    def type(self) -> str:
        """The media type, as `text/html`; empty if there is no Content-Type header."""
        return self.headers.get("content-type", "").partition(";")[0].strip().lower()

    @property
    def charset(self) -> str | None:
        """The charset of the Content-Type header."""
        found = _CHARSET.search(self.headers.get("content-type", ""))
        return found[1] if found else None

    def body(self, largest: int) -> bytes:
        """Returns the decoded body; raises BodyError if it cannot be decoded or is larger than allowed."""
        raw = self.raw
        if "chunked" in self.headers.get("transfer-encoding", "").lower():
            raw = _dechunked(raw)
        layers = [each.strip() for each in self.headers.get("content-encoding", "").lower().split(",")]
        if len(layers) > _MAX_LAYERS:
            raise BodyError(f"body has {len(layers)} content encodings; at most {_MAX_LAYERS} are supported")
        for encoding in reversed(layers):
            raw = _decoded(raw, encoding, largest)
        if len(raw) > largest:
            raise BodyError(f"more than {largest} bytes")
        return raw


def parse_response(block: bytes) -> HttpResponse | None:
    """Parses an HTTP response; None if the bytes are not one."""
    end = _END.search(block)
    head, body = (block[: end.start()], block[end.end() :]) if end else (block, b"")
    first, *lines = head.split(b"\n")
    words = first.split(None, 2)
    if len(words) < 2 or not words[0].startswith(b"HTTP/") or not re.fullmatch(rb"\d{3}", words[1]):
        return None
    return HttpResponse(int(words[1]), parse_headers(lines, "latin-1"), body)


def parse_headers(lines: list[bytes], encoding: str) -> dict[str, str]:
    """Parses header lines by lower-case name; of repeated headers the first is kept."""
    out: dict[str, str] = {}
    last = ""
    for line in lines:
        text = line.decode(encoding, "replace").rstrip("\r")
        if text[:1] in (" ", "\t") and last:  # a continuation line
            out[last] += f" {text.strip()}"
            continue
        name, colon, value = text.partition(":")
        last = name.strip().lower()
        if not colon or last in out:
            last = ""
            continue
        out[last] = value.strip()
    return out


def _dechunked(raw: bytes) -> bytes:
    """Decodes chunked transfer encoding; returns the body unchanged if it is not chunked."""
    out: list[bytes] = []
    at = 0
    while True:
        end = raw.find(b"\n", at, at + 256)
        size = raw[at:end].partition(b";")[0].strip()
        if end < 0 or not re.fullmatch(rb"[0-9a-fA-F]{1,12}", size):
            if not out:
                return raw  # the archive has already decoded it
            raise BodyError("invalid chunks in the body")
        length = int(size, 16)
        if not length:
            return b"".join(out)
        if end + 1 + length > len(raw):
            raise BodyError("body is truncated")
        out.append(raw[end + 1 : end + 1 + length])
        at = end + 1 + length
        at += 2 if raw[at : at + 2] == b"\r\n" else 1


def _decoded(raw: bytes, encoding: str, largest: int) -> bytes:
    if not raw or encoding not in _DECODERS:
        return raw
    try:
        return _DECODERS[encoding](raw, largest)
    except BodyError:
        if _is_markup(raw):
            return raw  # the archive has already decoded it
        raise


def _gzip(raw: bytes, largest: int) -> bytes:
    return _inflated(raw, 31, largest) if raw.startswith(_GZIP) else raw


def _deflate(raw: bytes, largest: int) -> bytes:
    # the standard means zlib; some servers omit its header
    has_header = len(raw) > 1 and raw[0] & 15 == 8 and int.from_bytes(raw[:2], "big") % 31 == 0
    return _inflated(raw, 15 if has_header else -15, largest)


#: Maximum gzip members of a body; each costs a pass over the rest.
_MAX_MEMBERS = 1000


def _inflated(raw: bytes, window: int, largest: int) -> bytes:
    out = b""
    for _ in range(_MAX_MEMBERS):
        inflater = zlib.decompressobj(window)
        try:
            out += inflater.decompress(raw, largest + 1 - len(out))
        except zlib.error:
            raise BodyError("body cannot be decompressed") from None
        if len(out) > largest:
            raise BodyError(f"more than {largest} bytes")
        if not inflater.eof:
            raise BodyError("body is truncated")
        raw = inflater.unused_data
        if not raw.startswith(_GZIP):  # gzip may have several members
            return out
    raise BodyError(f"body has more than {_MAX_MEMBERS} gzip members")


def _by_arrow(codec: str) -> Callable[[bytes, int], bytes]:
    def decode(raw: bytes, largest: int) -> bytes:
        import pyarrow as pa

        try:
            with pa.CompressedInputStream(pa.BufferReader(raw), codec) as stream:
                out: bytes = stream.read(largest + 1)
        except OSError:
            raise BodyError("body cannot be decompressed") from None
        return out

    return decode


def _is_markup(raw: bytes) -> bool:
    return raw.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<")


_DECODERS: dict[str, Callable[[bytes, int], bytes]] = {
    "gzip": _gzip,
    "x-gzip": _gzip,
    "deflate": _deflate,
    "br": _by_arrow("brotli"),
    "zstd": _by_arrow("zstd"),
}
