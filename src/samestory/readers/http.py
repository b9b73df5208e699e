"""What an archive holds of an answer of a server: status, type, charset, and the body as it was before it was packed.

Archives differ in what they keep: some unpack the body and leave the headers as they were. What is not packed as the
headers say is taken as it stands. Nothing is unpacked to more than a limit.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable
from dataclasses import dataclass

#: A body may be packed so many times over: each may be as large as a page, and nobody packs more than twice.
_LAYERS = 4
#: How a body begins that is packed with gzip.
_GZIP = b"\x1f\x8b"
_CHARSET = re.compile(r"charset\s*=\s*[\"']?([^\s;\"',]+)", re.IGNORECASE)
_END = re.compile(rb"\r?\n\r?\n")


class BodyError(ValueError):
    """A body that cannot be had: what is wrong with it."""


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer of a server, its body still packed."""

    status: int
    headers: dict[str, str]
    packed: bytes

    @property
    def type(self) -> str:
        """What the server said it is: `text/html`; nothing if it said nothing."""
        return self.headers.get("content-type", "").partition(";")[0].strip().lower()

    @property
    def charset(self) -> str | None:
        """The charset that the server named."""
        found = _CHARSET.search(self.headers.get("content-type", ""))
        return found[1] if found else None

    def body(self, largest: int) -> bytes:
        """The body, unpacked; a BodyError if that cannot be, or if it is larger than allowed."""
        raw = self.packed
        if "chunked" in self.headers.get("transfer-encoding", "").lower():
            raw = _joined(raw)
        layers = [each.strip() for each in self.headers.get("content-encoding", "").lower().split(",")]
        if len(layers) > _LAYERS:
            raise BodyError(f"its body is packed {len(layers)} times over; at most {_LAYERS} are unpacked")
        for packing in reversed(layers):
            raw = _unpacked(raw, packing, largest)
        if len(raw) > largest:
            raise BodyError(f"more than {largest} bytes")
        return raw


def answer(block: bytes) -> Answer | None:
    """The answer that these bytes are; none if they are none."""
    end = _END.search(block)
    head, packed = (block[: end.start()], block[end.end() :]) if end else (block, b"")
    first, *lines = head.split(b"\n")
    words = first.split(None, 2)
    if len(words) < 2 or not words[0].startswith(b"HTTP/") or not re.fullmatch(rb"\d{3}", words[1]):
        return None
    return Answer(int(words[1]), fields(lines, "latin-1"), packed)


def fields(lines: list[bytes], encoding: str) -> dict[str, str]:
    """The fields of a head by their names in small letters; of two with one name the first counts."""
    out: dict[str, str] = {}
    last = ""
    for line in lines:
        text = line.decode(encoding, "replace").rstrip("\r")
        if text[:1] in (" ", "\t") and last:  # the line before goes on
            out[last] += f" {text.strip()}"
            continue
        name, colon, value = text.partition(":")
        last = name.strip().lower()
        if not colon or last in out:
            last = ""
            continue
        out[last] = value.strip()
    return out


def _joined(raw: bytes) -> bytes:
    """A body that came in chunks; as it stands if it did not."""
    out: list[bytes] = []
    at = 0
    while True:
        end = raw.find(b"\n", at, at + 256)
        size = raw[at:end].partition(b";")[0].strip()
        if end < 0 or not re.fullmatch(rb"[0-9a-fA-F]{1,12}", size):
            if not out:
                return raw  # the archive has joined them already
            raise BodyError("the chunks of its body do not work out")
        length = int(size, 16)
        if not length:
            return b"".join(out)
        if end + 1 + length > len(raw):
            raise BodyError("its body breaks off")
        out.append(raw[end + 1 : end + 1 + length])
        at = end + 1 + length
        at += 2 if raw[at : at + 2] == b"\r\n" else 1


def _unpacked(raw: bytes, packing: str, largest: int) -> bytes:
    if not raw or packing not in _PACKINGS:
        return raw
    try:
        return _PACKINGS[packing](raw, largest)
    except BodyError:
        if _is_markup(raw):
            return raw  # the archive has unpacked it already
        raise


def _gzip(raw: bytes, largest: int) -> bytes:
    return _inflated(raw, 31, largest) if raw.startswith(_GZIP) else raw


def _deflate(raw: bytes, largest: int) -> bytes:
    # the standard means zlib; some servers leave its head away
    has_head = len(raw) > 1 and raw[0] & 15 == 8 and int.from_bytes(raw[:2], "big") % 31 == 0
    return _inflated(raw, 15 if has_head else -15, largest)


#: Pieces that one body may be packed in; each costs a look at all that follows.
_PIECES = 1000


def _inflated(raw: bytes, window: int, largest: int) -> bytes:
    out = b""
    for _ in range(_PIECES):
        inflater = zlib.decompressobj(window)
        try:
            out += inflater.decompress(raw, largest + 1 - len(out))
        except zlib.error:
            raise BodyError("its body cannot be unpacked") from None
        if len(out) > largest:
            raise BodyError(f"more than {largest} bytes")
        if not inflater.eof:
            raise BodyError("its body breaks off")
        raw = inflater.unused_data
        if not raw.startswith(_GZIP):  # gzip may come in several pieces
            return out
    raise BodyError(f"its body is packed in more than {_PIECES} pieces")


def _by_arrow(codec: str) -> Callable[[bytes, int], bytes]:
    def unpack(raw: bytes, largest: int) -> bytes:
        import pyarrow as pa

        try:
            with pa.CompressedInputStream(pa.BufferReader(raw), codec) as stream:
                out: bytes = stream.read(largest + 1)
        except OSError:
            raise BodyError("its body cannot be unpacked") from None
        return out

    return unpack


def _is_markup(raw: bytes) -> bool:
    return raw.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<")


_PACKINGS: dict[str, Callable[[bytes, int], bytes]] = {
    "gzip": _gzip,
    "x-gzip": _gzip,
    "deflate": _deflate,
    "br": _by_arrow("brotli"),
    "zstd": _by_arrow("zstd"),
}
