"""Parquet: columns known by the same names as everywhere, read a row group at a time."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date, datetime
from typing import Any

from samestory import _core
from samestory.errors import InputError

#: The roles of fields, in the order of the native core's rows.
ROLES = ("id", "title", "text", "published", "url", "source", "lang")

#: The usual names of columns, best first, role by role: those of the native core.
NAMES = dict(zip(ROLES, _core.NAMES, strict=True))
ROWS = 4096


def is_parquet(path: str, format: str | None) -> bool:
    """Does this path hold Parquet, by its format or, without one, by its name?"""
    return format == "parquet" or (format is None and path.endswith((".parquet", ".pq")))


def parquet_rows(path: str, fields: Mapping[str, str]) -> Iterator[tuple[int, list[str | None]]]:
    """Rows, numbered from 1, as values in the order of the roles."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        file = pq.ParquetFile(path)
    except (OSError, pa.ArrowInvalid) as error:
        raise InputError(f"{path}: {str(error).splitlines()[0]}") from None
    known = {name.lower(): name for name in reversed(file.schema_arrow.names)}
    columns: list[str | None] = []
    for role, names in NAMES.items():
        own = fields.get(role)
        columns.append(own if own is not None else next((known[n] for n in names if n in known), None))
    if columns[2] not in file.schema_arrow.names:
        there = ", ".join(file.schema_arrow.names)
        raise InputError(f"{path}: no column for the text among {there}", "name it with --field text=COLUMN")
    wanted = [c for c in columns if c in file.schema_arrow.names]
    number = 0
    try:
        for batch in file.iter_batches(ROWS, columns=list(dict.fromkeys(wanted))):
            lists = [batch.column(c).to_pylist() if c in wanted else [None] * batch.num_rows for c in columns]
            for row in zip(*lists, strict=True):
                number += 1
                yield number, [_text(value) for value in row]
    except (OSError, KeyError, pa.ArrowException) as error:
        raise InputError(f"{path}: reading stopped after {number} rows: {str(error).splitlines()[0]}") from None


def _text(value: Any) -> str | None:
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, datetime | date):
        return value.isoformat()
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    if isinstance(value, list):
        return "\n\n".join(str(part) for part in value)
    if isinstance(value, dict):
        return _text(value.get("name"))
    return str(value)
