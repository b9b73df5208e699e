"""Results in the format of the name of their file: JSON lines, tables, compressed or not."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import PurePath
from typing import Any

from samestory.errors import ParameterError
from samestory.output import Outputs
from samestory.rows import RowFormat, format_of
from samestory.rows.formats import ByteSink, compressed

#: The columns of tables of relations and of groups, which have a row for every member.
RELATION_COLUMNS = ("left", "right", "kind", "forward", "backward", "score", "detector")
GROUP_COLUMNS = ("group", "id", "representative", "size", "kind", "share")
_NUMBERS: dict[str, type] = {
    "forward": float,
    "backward": float,
    "score": float,
    "share": float,
    "group": int,
    "size": int,
}
_TABLES = ("csv", "tsv", "parquet")


def result_format(path: str | None) -> RowFormat:
    """Returns the format of a result by the name of its file; JSON lines if the name has no suffix of a table."""
    if path is None:
        return RowFormat("jsonl")
    suffixes = [suffix.lower() for suffix in PurePath(path).suffixes[-2:]]
    is_table = any(suffix.removeprefix(".") in (*_TABLES, "pq", "tab") for suffix in suffixes)
    return format_of(path, None if is_table else "jsonl")


def check_result(option: str, path: str | None, has_tables: bool = True) -> None:
    """Raises a ParameterError if a result cannot be written in the format of the name of its file."""
    if result_format(path).kind in _TABLES and not has_tables:
        raise ParameterError(f"{option}: {path}: the result is JSON lines", "end the name of the file with .jsonl")


def formatted(lines: bytes, path: str | None, columns: Sequence[str]) -> bytes:
    """Returns lines of relations, or of groups, in the format of the name of a file."""
    format = result_format(path)
    if format.kind not in _TABLES:
        return lines if not format.codec else _packed(lines, format.codec)
    rows = [json.loads(line) for line in lines.splitlines()]
    table = rows if columns == RELATION_COLUMNS else [member for row in rows for member in _members(row)]
    if format.kind == "parquet":
        return _parquet(columns, table)
    text = io.StringIO()
    writer = csv.writer(text, delimiter=format.delimiter, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(["" if row[name] is None else row[name] for name in columns] for row in table)
    return _packed(text.getvalue().encode(), format.codec)


def _members(group: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    weakest = group["weakest"]
    share = max(weakest["forward"], weakest["backward"]) if weakest else None
    about = {"group": group["group"], "representative": group["representative"], "size": len(group["members"])}
    for id in group["members"]:
        yield {**about, "id": id, "kind": group["kind"], "share": share}


def _packed(data: bytes, codec: str) -> bytes:
    out = io.BytesIO()
    with compressed(out.write, codec) as write:
        write(data)
    return out.getvalue()


def _parquet(columns: Sequence[str], rows: Sequence[Mapping[str, Any]]) -> bytes:
    import pyarrow as pa
    import pyarrow.parquet as pq

    types = {float: pa.float64(), int: pa.int64(), str: pa.string()}
    schema = pa.schema([(name, types[_NUMBERS.get(name, str)]) for name in columns])
    out = io.BytesIO()
    pq.write_table(pa.Table.from_pylist(list(rows), schema), pa.PythonFile(ByteSink(out.write), "w"))
    return out.getvalue()


@contextmanager
def line_stream(out: Outputs, path: str | None) -> Iterator[Callable[[bytes], object]]:
    """Yields a function that writes JSON lines in pieces, compressed if the name of the file says so."""
    with out.stream(path) as write, compressed(write, result_format(path).codec) as packed:
        yield packed
