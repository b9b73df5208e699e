"""The names of the fields of a file, for messages about a name that no record has."""

from __future__ import annotations

import csv
import json
import zlib
from pathlib import Path

from samestory.readers import is_parquet
from samestory.readers.pages import unpacked

#: Bytes of the first line that are read.
_MAX_LINE_BYTES = 1 << 20
_DELIMITERS = {"csv": ",", "tsv": "\t", "tab": "\t"}


def field_names(path: str, format: str | None = None, encoding: str | None = None) -> list[str]:
    """Returns the names of the fields of the first record; empty if they are unknown, as for standard input."""
    try:
        if is_parquet(path, format):
            import pyarrow.parquet as pq

            return list(pq.read_schema(path).names)
        with Path(path).open("rb") as stream:
            line = unpacked(stream).readline(_MAX_LINE_BYTES).decode(encoding or "utf-8-sig", "replace").strip()
        ends = Path(path.lower().removesuffix(".gz").removesuffix(".zst")).suffix.removeprefix(".")
        if delimiter := _DELIMITERS.get(format or ends):
            return next(csv.reader([line], delimiter=delimiter), [])
        row = json.loads(line)
    except (OSError, EOFError, zlib.error, ValueError, LookupError, RecursionError, csv.Error):
        return []  # reading the file has reported why
    return list(row) if isinstance(row, dict) else []
