"""JSON lines from standard input as they come, a burst after the other.

The native reader gives out lines when it has a block of them, for which those of a feed may wait for hours. So each
burst is a file of its own to it, and the lines are counted on.
"""

from __future__ import annotations

import errno
import os
import tempfile
from codecs import BOM_UTF16_BE, BOM_UTF16_LE, getincrementaldecoder
from collections.abc import Callable, Iterator

from samestory import _core
from samestory.errors import InputError
from samestory.readers.parquet import Row

#: Bytes that are read at once, if so many are there.
BURST = 1 << 20
#: Escapes can make a text six times as long in JSON; other fields need room too.
_ESCAPED, _OTHERS = 6, 1 << 20
#: Stands for a line too long to be held: the native core refuses it for its size.
_TOO_LONG = b"\x00too long\n"


def burst_rows(fields: list[tuple[str, str]], largest: int) -> Iterator[Row]:
    """The rows of standard input, as soon as their lines are whole."""
    line = 0
    try:
        for burst in _bursts(largest * _ESCAPED + _OTHERS):
            with tempfile.NamedTemporaryFile() as file:
                file.write(burst)
                file.flush()
                for rows in _core.Reader(file.name, fields, "jsonl", None, largest):
                    for place, values, fault in rows:
                        yield place + line if isinstance(place, int) else place, values, fault
            line += burst.count(b"\n")
    except OSError as error:
        raise InputError(f"-: reading stopped in line {line + 1}: {error.strerror or error}") from None


def _bursts(longest: int) -> Iterator[bytes]:
    """Whole lines, as many as came together; the last may have no end."""
    begun: list[bytes] = []
    held, skipping = 0, False
    decode: Callable[[bytes], bytes] | None = None
    while piece := _read():
        decode = decode or _decoder(piece)
        whole, end, rest = decode(piece).rpartition(b"\n")
        if end:
            lines = b"".join([*begun, whole, end])
            # the line that was too long ends in here
            yield _TOO_LONG + lines.partition(b"\n")[2] if skipping else lines
            begun, held, skipping = [], 0, False
        begun.append(rest)
        held += len(rest)
        if skipping or held > longest:
            begun, held, skipping = [], 0, True
    if skipping or held:
        yield _TOO_LONG if skipping else b"".join(begun)


def _read() -> bytes:
    try:
        return os.read(0, BURST)
    except OSError as error:
        if error.errno == errno.EBADF:  # whoever started us closed it: nothing comes
            return b""
        raise


def _decoder(beginning: bytes) -> Callable[[bytes], bytes]:
    """Turns UTF-16, which is known by its mark, into UTF-8."""
    if not beginning.startswith((BOM_UTF16_LE, BOM_UTF16_BE)):
        return lambda piece: piece
    decoder = getincrementaldecoder("utf-16")("replace")
    return lambda piece: decoder.decode(piece).encode()
