"""Writes rows to a file: unchanged where its format is that of their source, otherwise converted."""

from __future__ import annotations

import codecs
import csv
import io
import json
import tempfile
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date, datetime
from itertools import islice
from typing import IO, TYPE_CHECKING, Any, NamedTuple

from samestory.errors import InputError, ParameterError
from samestory.model import arrow
from samestory.rows.formats import COLUMNS, ByteSink, RowFormat
from samestory.rows.sources import RowBlock, StoredSource

if TYPE_CHECKING:
    import pyarrow as pa
    import pyarrow.parquet as pq

#: Converted rows that become one batch of Parquet.
BATCH_ROWS = 4096


class RowNote(NamedTuple):
    """What annotated rows have in addition to their own columns; None where it is unknown."""

    group: int | None = None
    kind: str | None = None
    representative: str | None = None
    share: float | None = None


class RowWriter(ABC):
    """Writes the rows of several sources to one file."""

    def __init__(self, write: Callable[[bytes], object], format: RowFormat, with_notes: bool) -> None:
        self._write, self.format, self._with_notes = write, format, with_notes

    def begin(self, source: StoredSource) -> None:
        """Prepares for the rows of a source."""
        if self._with_notes and (taken := [name for name in source.columns or () if name in COLUMNS]):
            raise _taken(source.name, taken[0])

    @abstractmethod
    def add(self, source: StoredSource, block: RowBlock, notes: Sequence[RowNote]) -> None:
        """Writes rows; `notes`, one for each row, is empty for rows that are not annotated."""

    def close(self) -> None:  # noqa: B027  most writers have nothing left
        """Writes what is left."""


def _taken(place: str, name: str) -> InputError:
    return InputError(f"rows have a column called {name!r} already", "rename it, or leave out --annotate", place=place)


def _text(value: Any) -> str:
    """A value as the text of a cell."""
    if value is None:
        return ""
    if isinstance(value, datetime | date):
        return value.isoformat()
    return value if isinstance(value, str) else str(value)


def _json(row: Mapping[str, Any]) -> bytes:
    return json.dumps(row, ensure_ascii=False, default=_text).encode() + b"\n"


def _with_end(row: bytes) -> bytes:
    """A row with a line end, which the last one of a file may lack."""
    return row if row.endswith((b"\n", b"\r")) else row + b"\n"


class JsonWriter(RowWriter):
    """Writes JSON Lines."""

    def add(self, source: StoredSource, block: RowBlock, notes: Sequence[RowNote]) -> None:
        """See the base."""
        if source.format.kind != "jsonl":
            rows = source.records(block)
            if notes:
                rows = ({**row, **note._asdict()} for row, note in zip(rows, notes, strict=True))
            self._write(b"".join(map(_json, rows)))
            return
        assert isinstance(block.rows, list)
        lines: Iterable[bytes] = map(_with_end, block.rows)
        if notes:
            lines = (self._noted(source, line, note) for line, note in zip(lines, notes, strict=True))
        self._write(b"".join(lines))

    def _noted(self, source: StoredSource, line: bytes, note: RowNote) -> bytes:
        """The line with the note behind its own fields, which stay as they are."""
        body = line.rstrip()
        if any(b'"%s"' % name.encode() in body for name in COLUMNS) and (
            taken := [name for name in COLUMNS if name in json.loads(body)]
        ):
            raise _taken(source.name, taken[0])
        fields = json.dumps(note._asdict(), ensure_ascii=False).encode()[1:]
        return body[:-1] + (b"" if not body[1:-1].strip() else b", ") + fields + line[len(body) :]


class TableWriter(RowWriter):
    """Writes CSV or TSV."""

    def __init__(self, write: Callable[[bytes], object], format: RowFormat, with_notes: bool) -> None:
        super().__init__(write, format, with_notes)
        self._columns: list[str] | None = None

    def begin(self, source: StoredSource) -> None:
        """Writes the names of the columns, or checks that they are those of the sources before."""
        super().begin(source)
        columns = source.columns
        if columns is None:
            raise ParameterError(
                f"{source.name}: JSON Lines cannot be written as {self.format.kind.upper()}, since their fields differ",
                "end the name of the output with .jsonl or .parquet",
            )
        if self._columns is not None:
            if columns != self._columns:
                raise InputError(
                    f"expected the columns {', '.join(self._columns)}, found {', '.join(columns)}",
                    "write files with different columns to .jsonl or .parquet",
                    place=source.name,
                )
            return
        self._columns = columns
        if source.format.kind == self.format.kind and source.header is not None:
            header = self._noted(_with_end(source.header), COLUMNS) if self._with_notes else _with_end(source.header)
            self._write((codecs.BOM_UTF8 if source.has_mark else b"") + header)
        else:
            self._write(self._line([*columns, *(COLUMNS if self._with_notes else ())]))

    def add(self, source: StoredSource, block: RowBlock, notes: Sequence[RowNote]) -> None:
        """See the base."""
        if source.format.kind == self.format.kind:
            assert isinstance(block.rows, list)
            lines: Iterable[bytes] = map(_with_end, block.rows)
            if notes:
                lines = (self._noted(line, note) for line, note in zip(lines, notes, strict=True))
            self._write(b"".join(lines))
            return
        out = []
        for at, row in enumerate(source.records(block)):
            for name, value in row.items():
                if isinstance(value, list | dict):
                    raise InputError(
                        f"the column {name!r} has lists or objects, which {self.format.kind.upper()} cannot hold",
                        "end the name of the output with .jsonl or .parquet",
                        place=source.name,
                    )
            out.append(self._line([*row.values(), *(notes[at] if notes else ())]))
        self._write(b"".join(out))

    def _line(self, cells: Sequence[Any], end: str = "\n") -> bytes:
        line = io.StringIO()
        csv.writer(line, delimiter=self.format.delimiter, lineterminator=end).writerow(map(_text, cells))
        return line.getvalue().encode()

    def _noted(self, line: bytes, note: Sequence[Any]) -> bytes:
        body = line.rstrip(b"\r\n")
        return body + self.format.delimiter.encode() + self._line(note, line[len(body) :].decode())


class ParquetWriter(RowWriter):
    """Writes Parquet with the schema of the first source."""

    def __init__(self, write: Callable[[bytes], object], format: RowFormat, with_notes: bool) -> None:
        super().__init__(write, format, with_notes)
        self._file: pq.ParquetWriter | None = None
        self._schema: pa.Schema | None = None

    def begin(self, source: StoredSource) -> None:
        """See the base."""
        super().begin(source)
        schema = source.schema
        assert schema is not None
        if self._schema is None:
            self._open(schema, source.compression)
        elif not schema.equals(self._schema):
            differing = next(
                (f"{field.name} is {schema.field(field.name).type}, not {field.type}" for field in self._schema
                 if field.name in schema.names and schema.field(field.name).type != field.type),
                f"expected the columns {', '.join(self._schema.names)}, found {', '.join(schema.names)}",
            )  # fmt: skip
            raise InputError(differing, "write files with different columns to .jsonl", place=source.name)

    def _open(self, schema: pa.Schema, compression: str) -> None:
        import pyarrow as pa
        import pyarrow.parquet as pq

        self._schema = schema
        whole = schema
        if self._with_notes:
            whole = _with_note_columns(schema)
        self._whole = whole
        self._file = pq.ParquetWriter(pa.PythonFile(ByteSink(self._write), "w"), whole, compression=compression)

    def add(self, source: StoredSource, block: RowBlock, notes: Sequence[RowNote]) -> None:
        """See the base."""
        assert not isinstance(block.rows, list)
        self._add(block.rows, notes)

    def _add(self, batch: pa.RecordBatch, notes: Sequence[RowNote]) -> None:
        import pyarrow as pa

        columns = list(batch.columns)
        if self._with_notes:
            groups, kinds, representatives, shares = zip(*notes, strict=True)
            columns += [
                arrow.from_integers(groups, pa.int64()),
                arrow.from_texts(kinds, pa.string()),
                arrow.from_texts(representatives, pa.string()),
                arrow.from_floats(shares),
            ]
        assert self._file is not None
        self._file.write_batch(pa.RecordBatch.from_arrays(columns, schema=self._whole))

    def close(self) -> None:
        """See the base."""
        if self._file is not None:
            self._file.close()


class ConvertingWriter(ParquetWriter):
    """Writes rows of other formats as Parquet; columns and types are those of all rows, so these are stored first."""

    def __init__(self, write: Callable[[bytes], object], format: RowFormat, with_notes: bool) -> None:
        super().__init__(write, format, with_notes)
        self._rows: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115  closed with the writer
        self._columns = JsonWriter(self._rows.write, RowFormat("jsonl"), with_notes)
        self._common: pa.Schema | None = None

    def begin(self, source: StoredSource) -> None:
        """See the base."""
        self._columns.begin(source)

    def add(self, source: StoredSource, block: RowBlock, notes: Sequence[RowNote]) -> None:
        """See the base."""
        import pyarrow as pa

        rows = list(source.records(block))
        if rows:
            try:
                schema = pa.RecordBatch.from_pylist(rows, schema=_schema(rows)).schema
                known = [schema] if self._common is None else [self._common, schema]
                self._common = pa.unify_schemas(known, promote_options="permissive")
            except (pa.ArrowException, TypeError) as error:
                raise InputError(f"cannot be written as Parquet: {error}", place=source.name) from None
        self._columns.add(source, block, notes)

    def close(self) -> None:
        """See the base."""
        import pyarrow as pa

        self._with_notes, has_notes = False, self._with_notes
        common = self._common or pa.schema([])
        if has_notes:
            common = _with_note_columns(common)
        # a column without a value has no type
        common = pa.schema([f.with_type(pa.string()) if pa.types.is_null(f.type) else f for f in common])
        self._open(common, "snappy")
        with self._rows:
            self._rows.seek(0)
            lines = iter(self._rows)
            while batch := list(islice(lines, BATCH_ROWS)):
                self._add(pa.RecordBatch.from_pylist([json.loads(line) for line in batch], schema=common), ())
        super().close()


def _with_note_columns(schema: pa.Schema) -> pa.Schema:
    import pyarrow as pa

    types = (pa.int64(), pa.string(), pa.string(), pa.float64())
    for name, type in zip(COLUMNS, types, strict=True):
        schema = schema.append(pa.field(name, type))
    return schema


def _schema(rows: Sequence[Mapping[str, Any]]) -> pa.Schema:
    """The columns of rows that may have different fields."""
    import pyarrow as pa

    names = dict.fromkeys(name for row in rows for name in row)
    return pa.schema([(name, pa.array([row.get(name) for row in rows]).type) for name in names])


def row_writer(
    write: Callable[[bytes], object], format: RowFormat, sources: Iterable[RowFormat], with_notes: bool
) -> RowWriter:
    """Returns a writer of a format for rows of the formats of `sources`."""
    if format.kind == "jsonl":
        return JsonWriter(write, format, with_notes)
    if format.kind != "parquet":
        return TableWriter(write, format, with_notes)
    is_converted = any(each.kind != "parquet" for each in sources)
    return (ConvertingWriter if is_converted else ParquetWriter)(write, format, with_notes)
