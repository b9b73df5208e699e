"""Reads the rows of files as they are stored, in blocks."""

from __future__ import annotations

import codecs
import csv
import io
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from samestory import _core
from samestory.errors import InputError
from samestory.rows.formats import RowFormat

if TYPE_CHECKING:
    import pyarrow as pa
    import pyarrow.parquet as pq

#: Rows of a Parquet file that are read at a time, and bytes of the largest cell that Python parses.
BATCH_ROWS = 4096
MAX_CELL_BYTES = 1 << 30


@dataclass(frozen=True, slots=True)
class RowBlock:
    """Consecutive rows: the number of the line in which each begins, and their bytes or their batch."""

    numbers: Sequence[int]
    rows: list[bytes] | pa.RecordBatch

    def take(self, places: Sequence[int]) -> RowBlock:
        """Some of the rows, in order."""
        numbers = [self.numbers[at] for at in places]
        if isinstance(self.rows, list):
            return RowBlock(numbers, [self.rows[at] for at in places])
        import numpy as np

        from samestory.model import arrow

        return RowBlock(numbers, self.rows.take(arrow.from_numpy(np.array(places, np.int64))))


class StoredSource:
    """The rows of one file."""

    def __init__(self, path: str, name: str, format: RowFormat, encoding: str | None, largest: int) -> None:
        self.path, self.name, self.format = path, name, format
        self._encoding, self._largest = encoding, largest
        self._parquet: pq.ParquetFile | None = None
        self.header: bytes | None = None
        self.has_mark = False
        """Whether the file begins with a byte order mark of UTF-8."""
        if format.kind == "parquet":
            self._parquet = _parquet_file(path, name)
            return
        self._reader = _core.engine.StoredRowReader(path, format.kind, encoding, largest)
        self.header = self._reader.header
        if path != "-" and not format.codec and self.header is not None:
            with Path(path).open("rb") as file:
                self.has_mark = file.read(len(codecs.BOM_UTF8)) == codecs.BOM_UTF8

    @property
    def schema(self) -> pa.Schema | None:
        """The schema of a Parquet file."""
        return self._parquet.schema_arrow if self._parquet else None

    @property
    def compression(self) -> str:
        """The compression of the columns of a Parquet file."""
        metadata = self._parquet.metadata if self._parquet else None
        if not metadata or not metadata.num_row_groups or not metadata.num_columns:
            return "snappy"
        found = str(metadata.row_group(0).column(0).compression)
        return "none" if found == "UNCOMPRESSED" else found.lower()

    @property
    def columns(self) -> list[str] | None:
        """The names of the columns; None for JSON Lines, whose rows may have different fields."""
        if self._parquet:
            return list(self._parquet.schema_arrow.names)
        return None if self.header is None else [name.strip() for name in self.cells(self.header)]

    def blocks(self) -> Iterator[RowBlock]:
        """Yields the rows; raises InputError where reading stops."""
        if self._parquet is None:
            for block in self._reader:
                yield RowBlock([number for number, _ in block], [row for _, row in block])
            return
        import pyarrow as pa

        first = 1
        for group in range(self._parquet.num_row_groups):
            end = first + self._parquet.metadata.row_group(group).num_rows
            try:
                for batch in self._parquet.iter_batches(BATCH_ROWS, row_groups=[group]):
                    yield RowBlock(range(first, first + batch.num_rows), batch)
                    first += batch.num_rows
            except (OSError, pa.ArrowException):
                first = end  # the reader of articles has reported the damaged rows

    def cells(self, row: bytes) -> list[str]:
        """Parses a row of a table."""
        csv.field_size_limit(MAX_CELL_BYTES)
        delimiter = self.format.delimiter
        text = row.decode().rstrip("\r\n")
        found = list(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter))
        cells = found[0] if len(found) == 1 else []
        if delimiter == "\t" and len(cells) != text.count("\t") + 1 and "\n" not in text:
            return text.split("\t")  # quotes of a table with tabs may be just quotes
        return cells

    def is_parsable(self, block: RowBlock, at: int) -> bool:
        """Whether a row that is no article can be parsed: an object of JSON, or as many cells as there are columns."""
        if not isinstance(block.rows, list):
            return True
        row, columns = block.rows[at], self.columns
        try:
            return isinstance(json.loads(row), dict) if columns is None else len(self.cells(row)) == len(columns)
        except (ValueError, RecursionError):
            return False

    def records(self, block: RowBlock) -> Iterator[Mapping[str, Any]]:
        """Yields the rows of a block as mappings."""
        if not isinstance(block.rows, list):
            yield from block.rows.to_pylist()
            return
        columns = self.columns
        for number, row in zip(block.numbers, block.rows, strict=True):
            try:
                if columns is None:
                    yield json.loads(row)
                else:
                    yield dict(zip(columns, self.cells(row), strict=True))
            except ValueError as error:
                raise InputError(f"line {number} cannot be converted: {error}", place=self.name) from None


def _parquet_file(path: str, name: str) -> pq.ParquetFile:
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        return pq.ParquetFile(path)
    except (OSError, pa.ArrowInvalid) as error:
        raise InputError(str(error).splitlines()[0], place=name) from None


def open_rows(path: str, name: str, format: RowFormat, encoding: str | None = None, largest: int = 0) -> StoredSource:
    """Opens a file of rows; `largest` is the maximum number of bytes of an article."""
    return StoredSource(path, name, format, encoding, largest or _core.LARGEST)
