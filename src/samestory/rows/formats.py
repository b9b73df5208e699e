"""Formats of files of rows, by their names."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any

from samestory.errors import ParameterError

#: The columns that annotated rows have in addition to their own.
COLUMNS = ("group", "kind", "representative", "share")

_KINDS = {
    "jsonl": ("jsonl", "ndjson", "json", "jsonlines"),
    "csv": ("csv",),
    "tsv": ("tsv", "tab"),
    "parquet": ("parquet", "pq"),
}
_BY_SUFFIX = {suffix: kind for kind, suffixes in _KINDS.items() for suffix in suffixes}
_CODECS = {".gz": "gzip", ".zst": "zstd"}


@dataclass(frozen=True, slots=True)
class RowFormat:
    """The format of a file: `jsonl`, `csv`, `tsv` or `parquet`; and its compression, if any: `gzip` or `zstd`."""

    kind: str
    codec: str = ""

    @property
    def delimiter(self) -> str:
        """What separates the cells of a table."""
        return "\t" if self.kind == "tsv" else ","


def format_of(path: str, kind: str | None = None) -> RowFormat:
    """Returns the format of a path by its suffix, or `kind` with the compression of the suffix.

    >>> format_of("news.CSV.gz"), format_of("-", "csv").kind
    (RowFormat(kind='csv', codec='gzip'), 'csv')
    """
    name = PurePath(path).name.lower()
    codec = next((codec for suffix, codec in _CODECS.items() if name.endswith(suffix)), "")
    suffix = PurePath(name.removesuffix(PurePath(name).suffix) if codec else name).suffix.removeprefix(".")
    found = kind or _BY_SUFFIX.get(suffix or "jsonl")
    if found not in _KINDS:
        raise ParameterError(
            f"{path}: rows cannot be written in this format", "end its name with .jsonl, .csv, .tsv or .parquet"
        )
    if found == "parquet" and codec:
        raise ParameterError(f"{path}: Parquet is compressed inside", f"leave out .{name.rpartition('.')[2]}")
    return RowFormat(found, codec)


class ByteSink(io.RawIOBase):
    """A file object for Arrow that passes what is written to a function."""

    def __init__(self, write: Callable[[bytes], object]) -> None:
        self._write = write

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        """Passes the data on."""
        self._write(bytes(data))
        return len(data)


@contextmanager
def compressed(write: Callable[[bytes], object], codec: str) -> Iterator[Callable[[bytes], object]]:
    """Yields a function that compresses what it passes to `write`."""
    if not codec:
        yield write
        return
    import pyarrow as pa

    with pa.CompressedOutputStream(pa.PythonFile(ByteSink(write), "w"), codec) as stream:
        yield stream.write
