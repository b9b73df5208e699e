"""JSON lines from a plain or compressed file, each with its line number."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Iterator
from typing import Any

from samestory.errors import InputError

NumberedLine = tuple[int, dict[str, Any]]


def json_lines(path: str) -> Iterator[NumberedLine]:
    """Yield every non-empty line as an object, with its number; `-` is standard input. A broken line raises."""
    for number, value in lenient_lines(path):
        if isinstance(value, str):
            raise InputError(f"{path}:{number}: {value}")
        yield number, value


def lenient_lines(path: str) -> Iterator[tuple[int, dict[str, Any] | str]]:
    """Yield the same, with an error message in place of a broken line."""
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
                yield number, value if isinstance(value, dict) else f"expected an object, got {line.strip()[:40]!r}"
    except (OSError, UnicodeDecodeError) as error:
        # for a wrong compression pyarrow raises an OSError without an errno
        raise InputError(f"cannot be read: {getattr(error, 'strerror', None) or error}", place=path) from None


def _open(path: str) -> io.TextIOBase:
    if path == "-":
        return io.TextIOWrapper(sys.stdin.buffer, encoding="utf-8-sig")
    import pyarrow as pa

    compression = {"gz": "gzip", "zst": "zstd", "bz2": "bz2"}.get(path.rpartition(".")[2].lower())
    # read ahead: the decompressor returns small pieces
    buffered = io.BufferedReader(pa.input_stream(path, compression=compression), 1 << 20)
    return io.TextIOWrapper(buffered, encoding="utf-8-sig")
