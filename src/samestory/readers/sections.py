"""The decompressed bytes of a web archive, in sections that can be read independently.

A section begins at a gzip member that starts with a record; a plain file is one section. Any other member continues
the current section. A damaged member ends the section, and the next section begins at the next member found.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator
from typing import BinaryIO, NamedTuple

#: First bytes of a record.
RECORD = b"WARC/"

#: Bytes per read; gzip expands them at most a thousandfold, which still fits into memory.
READ_BYTES = 1 << 15
#: Maximum bytes scanned again in an archive with wrong record lengths.
MAX_RESCANNED_BYTES = 1 << 30
_LINE_ENDS = re.compile(rb"[\r\n]*")
_GZIP = re.compile(rb"\x1f\x8b\x08[\x00-\x1f]")


class Chunk(NamedTuple):
    """Decompressed bytes, whether a gzip member begins with them, and why decompression failed after them."""

    data: bytes
    begins: bool = False
    damage: str = ""


class Sections:
    """A forward reader of the sections of an archive."""

    def __init__(self, stream: BinaryIO) -> None:
        self._chunks = _chunks(stream)
        self._buffer = bytearray()
        self._next: Chunk | None = Chunk(b"")
        """The first chunk of the next section; None at the end."""
        self._is_over = True
        self._pushed_back = 0
        self.damage = ""
        """Why the section ends early, if it does."""

    def next_section(self) -> bool:
        """Moves to the next section; False if there is none."""
        if self._next is None:
            return False
        self._buffer, self.damage, self._next = bytearray(self._next.data), self._next.damage, None
        self._is_over = bool(self.damage)
        if self.damage:
            self._next = Chunk(b"")
        return True

    def _more(self) -> bool:
        """Reads another chunk; False at the end of the section."""
        if self._is_over:
            return False
        for chunk in self._chunks:
            if chunk.begins and (chunk.damage or chunk.data.startswith(RECORD)):
                self._next = chunk
                break
            self._buffer += chunk.data
            if chunk.damage:
                self.damage, self._next = chunk.damage, Chunk(b"")
                break
            if chunk.data:
                return True
        self._is_over = True
        return False

    @property
    def is_last(self) -> bool:
        """Whether no other section follows, as far as the archive has been read."""
        return self._next is None

    def clear_damage(self) -> str:
        """Returns the damage and clears it."""
        damage, self.damage = self.damage, ""
        return damage

    def peek(self, count: int) -> bytes:
        """Returns up to `count` bytes without consuming them."""
        while len(self._buffer) < count and self._more():
            pass
        with memoryview(self._buffer) as view:
            return bytes(view[:count])

    def take(self, count: int) -> bytes:
        """Consumes and returns up to `count` bytes."""
        out = self.peek(count)
        del self._buffer[: len(out)]
        return out

    def push_back(self, data: bytes) -> None:
        """Pushes bytes back to be scanned again, up to a total limit."""
        self._pushed_back += len(data)
        if self._pushed_back <= MAX_RESCANNED_BYTES:
            self._buffer[:0] = data

    def skip(self, count: int) -> int:
        """Skips up to `count` bytes without keeping them, and returns how many there were."""
        skipped = 0
        while skipped < count and (self._buffer or self._more()):
            step = min(count - skipped, len(self._buffer))
            del self._buffer[:step]
            skipped += step
        return skipped

    def skip_blank(self) -> bool:
        """Skips line breaks and returns whether there are bytes after them."""
        while True:
            blank = _LINE_ENDS.match(self._buffer)  # not lstrip, which would copy the whole buffer for every record
            end = blank.end() if blank else 0
            del blank  # a bytearray cannot be resized while a match refers to it
            del self._buffer[:end]
            if self._buffer or not self._more():
                return bool(self._buffer)

    def take_to(self, end: re.Pattern[bytes], most: int) -> bytes | None:
        """Consumes and returns the bytes before a pattern, and skips it; None if it is not within `most` bytes."""
        searched = 0
        while True:
            if found := end.search(self._buffer, searched, most):
                out = bytes(self._buffer[: found.start()])
                del self._buffer[: found.end()]
                return out
            searched = max(0, len(self._buffer) - 4)  # the pattern may begin in the last bytes
            if len(self._buffer) >= most or not self._more():
                return None

    def skip_to(self, begin: re.Pattern[bytes]) -> int:
        """Skips to the next line that begins with a pattern, or to the end, and returns how many bytes were skipped."""
        skipped, first = 0, 1  # at least one byte
        while True:
            places = (found.start() for found in begin.finditer(self._buffer, first))
            place = next((at for at in places if self._buffer[at - 1] == ord("\n")), None)
            del places  # a bytearray cannot be resized during a search
            if place is not None:
                del self._buffer[:place]
                return skipped + place
            keep = min(len(self._buffer), 32)  # may hold the start of the pattern
            skipped += len(self._buffer) - keep
            del self._buffer[: len(self._buffer) - keep]
            if not self._more():
                skipped += len(self._buffer)
                del self._buffer[:]
                return skipped


def _chunks(stream: BinaryIO) -> Iterator[Chunk]:
    data = stream.read(READ_BYTES)
    if data[:2] == b"\x1f\x8b":
        yield from _members(stream, data)
        return
    while data:
        yield Chunk(data)
        data = stream.read(READ_BYTES)


def _members(stream: BinaryIO, data: bytes) -> Iterator[Chunk]:
    """Decompresses gzip members; the first chunk of each is long enough to recognise a record."""
    while True:
        while len(data) < 4 and (more := stream.read(READ_BYTES)):
            data += more
        data = data.lstrip(b"\0")  # padding of the last block
        if not data:
            if not (data := stream.read(READ_BYTES)):
                return
            continue
        if not _GZIP.match(data):
            yield Chunk(b"", True, "bytes that are not gzip")
            data = _next_member(stream, data)
            continue
        inflater, first, out, own = zlib.decompressobj(31), True, b"", 1
        while True:
            try:
                out += inflater.decompress(data)
            except zlib.error:
                yield Chunk(out, first, "damaged, cannot be decompressed")
                data = _next_member(stream, data[own:])
                break
            if not first or len(out) >= len(RECORD) or inflater.eof:
                yield Chunk(out, first)
                first, out = False, b""
            if inflater.eof:
                data = inflater.unused_data
                break
            data, own = stream.read(READ_BYTES), 0
            if not data:
                yield Chunk(out, first, "the file is truncated")
                return


def _next_member(stream: BinaryIO, data: bytes) -> bytes:
    """Returns the bytes from the next gzip member on; empty if there is none."""
    while True:
        if found := _GZIP.search(data):
            return data[found.start() :]
        more = stream.read(READ_BYTES)
        if not more:
            return b""
        data = data[-3:] + more
