"""The bytes of an archive, unpacked, in sections that can be read each for itself.

A section begins where a gzip member begins with a record; a plain file is one section. A member that begins otherwise
goes on with the section before. Where a member is damaged the section ends, and the next one begins with the next
member that can be found.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator
from typing import BinaryIO, NamedTuple

#: How a record begins.
RECORD = b"WARC/"

#: Read at a time: what gzip can make of it, a thousand times as much, still fits into memory.
PIECE = 1 << 15
#: So many bytes at most are looked through again in an archive whose lengths are wrong.
AGAIN = 1 << 30
_LINE_ENDS = re.compile(rb"[\r\n]*")
_GZIP = re.compile(rb"\x1f\x8b\x08[\x00-\x1f]")


class Piece(NamedTuple):
    """Some bytes; a gzip member may begin with them, or cannot be unpacked further."""

    data: bytes
    begins: bool = False
    damage: str = ""


class Sections:
    """A look at one section after the other, from the front."""

    def __init__(self, stream: BinaryIO) -> None:
        self._pieces = _pieces(stream)
        self._here = bytearray()
        self._next: Piece | None = Piece(b"")
        """The beginning of the next section; none if there is no more."""
        self._is_over = True
        self._given_back = 0
        self.damage = ""
        """Why the section ends before its end, if it does."""

    def go_on(self) -> bool:
        """Goes to the next section; false if there is none."""
        if self._next is None:
            return False
        self._here, self.damage, self._next = bytearray(self._next.data), self._next.damage, None
        self._is_over = bool(self.damage)
        if self.damage:
            self._next = Piece(b"")
        return True

    def _more(self) -> bool:
        """Reads on; false at the end of the section."""
        if self._is_over:
            return False
        for piece in self._pieces:
            if piece.begins and (piece.damage or piece.data.startswith(RECORD)):
                self._next = piece
                break
            self._here += piece.data
            if piece.damage:
                self.damage, self._next = piece.damage, Piece(b"")
                break
            if piece.data:
                return True
        self._is_over = True
        return False

    def clear_damage(self) -> str:
        """The damage, which is told herewith."""
        damage, self.damage = self.damage, ""
        return damage

    def peek(self, count: int) -> bytes:
        """So many bytes, or as many as there are."""
        while len(self._here) < count and self._more():
            pass
        with memoryview(self._here) as here:
            return bytes(here[:count])

    def take(self, count: int) -> bytes:
        """The same, and goes on behind them."""
        out = self.peek(count)
        del self._here[: len(out)]
        return out

    def give_back(self, taken: bytes) -> None:
        """Puts bytes in front again, so that they are looked through; unless that was done too often."""
        self._given_back += len(taken)
        if self._given_back <= AGAIN:
            self._here[:0] = taken

    def skip(self, count: int) -> int:
        """Goes on behind so many bytes without holding them; how many there were."""
        passed = 0
        while passed < count and (self._here or self._more()):
            step = min(count - passed, len(self._here))
            del self._here[:step]
            passed += step
        return passed

    def skip_blank(self) -> bool:
        """Goes on behind line ends; is there anything behind them?"""
        while True:
            blank = _LINE_ENDS.match(self._here)  # not lstrip, which copies all that is held, record after record
            end = blank.end() if blank else 0
            del blank  # what is still looked at cannot be shortened
            del self._here[:end]
            if self._here or not self._more():
                return bool(self._here)

    def take_to(self, end: re.Pattern[bytes], most: int) -> bytes | None:
        """What stands before a pattern, and goes on behind it; none if it does not come within so many bytes."""
        looked = 0
        while True:
            if found := end.search(self._here, looked, most):
                out = bytes(self._here[: found.start()])
                del self._here[: found.end()]
                return out
            looked = max(0, len(self._here) - 4)  # the pattern may begin in the last bytes
            if len(self._here) >= most or not self._more():
                return None

    def skip_to(self, begin: re.Pattern[bytes]) -> int:
        """Goes on to the next line that begins with a pattern, or to the end; how many bytes were passed over."""
        passed, first = 0, 1  # at least one byte
        while True:
            places = (found.start() for found in begin.finditer(self._here, first))
            place = next((at for at in places if self._here[at - 1] == ord("\n")), None)
            del places  # what is still searched cannot be shortened
            if place is not None:
                del self._here[:place]
                return passed + place
            keep = min(len(self._here), 32)  # a beginning that is not all here yet
            passed += len(self._here) - keep
            del self._here[: len(self._here) - keep]
            if not self._more():
                passed += len(self._here)
                del self._here[:]
                return passed


def _pieces(stream: BinaryIO) -> Iterator[Piece]:
    data = stream.read(PIECE)
    if data[:2] == b"\x1f\x8b":
        yield from _members(stream, data)
        return
    while data:
        yield Piece(data)
        data = stream.read(PIECE)


def _members(stream: BinaryIO, data: bytes) -> Iterator[Piece]:
    """Unpacks one gzip member after the other; the first bytes of each are enough to know a record by."""
    while True:
        while len(data) < 4 and (more := stream.read(PIECE)):
            data += more
        data = data.lstrip(b"\0")  # some fill up their last block
        if not data:
            if not (data := stream.read(PIECE)):
                return
            continue
        if not _GZIP.match(data):
            yield Piece(b"", True, "bytes that are not packed with gzip")
            data = _next_member(stream, data)
            continue
        inflater, first, out, own = zlib.decompressobj(31), True, b"", 1
        while True:
            try:
                out += inflater.decompress(data)
            except zlib.error:
                yield Piece(out, first, "it is damaged and cannot be unpacked")
                data = _next_member(stream, data[own:])
                break
            if not first or len(out) >= len(RECORD) or inflater.eof:
                yield Piece(out, first)
                first, out = False, b""
            if inflater.eof:
                data = inflater.unused_data
                break
            data, own = stream.read(PIECE), 0
            if not data:
                yield Piece(out, first, "the file breaks off")
                return


def _next_member(stream: BinaryIO, data: bytes) -> bytes:
    """What begins with the next gzip member; nothing if there is none."""
    while True:
        if found := _GZIP.search(data):
            return data[found.start() :]
        more = stream.read(PIECE)
        if not more:
            return b""
        data = data[-3:] + more
