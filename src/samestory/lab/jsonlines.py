"""Lines of JSON from a file, plain or packed, each with its number."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Iterator
from typing import Any

from samestory.errors import InputError

Line = tuple[int, dict[str, Any]]


def json_lines(path: str) -> Iterator[Line]:
    """Every line that is not empty, as an object, with its number; `-` is standard input. A broken one is an error."""
    for number, value in lenient_lines(path):
        if isinstance(value, str):
            raise InputError(f"{path}:{number}: {value}")
        yield number, value


def lenient_lines(path: str) -> Iterator[tuple[int, dict[str, Any] | str]]:
    """The same for those who go on after a broken line: in its place stands what is wrong with it."""
    try:
        with _open(path) as lines:
            for number, line in enumerate(lines, 1):
                if not line.strip():
                    continue
                try:
                    value = json.loads(line)
                except (ValueError, RecursionError) as error:
                    yield number, f"not JSON: {error}"
                    continue
                yield number, value if isinstance(value, dict) else f"an object is wanted, got {line.strip()[:40]!r}"
    except (OSError, UnicodeDecodeError) as error:
        # pyarrow tells a wrong packing as OSError without an errno
        raise InputError(f"{path}: cannot be read: {getattr(error, 'strerror', None) or error}") from None


def _open(path: str) -> io.TextIOBase:
    if path == "-":
        return io.TextIOWrapper(sys.stdin.buffer, encoding="utf-8-sig")
    import pyarrow as pa

    packing = {"gz": "gzip", "zst": "zstd", "bz2": "bz2"}.get(path.rpartition(".")[2].lower())
    # read ahead: what unpacks hands out small pieces
    packed = io.BufferedReader(pa.input_stream(path, compression=packing), 1 << 20)
    return io.TextIOWrapper(packed, encoding="utf-8-sig")
