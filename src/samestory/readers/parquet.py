"""Parquet: columns with the same names as in other formats, read one row group at a time."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, BinaryIO

from samestory.errors import InputError
from samestory.readers.objects import NAMES, ROLES, best

#: A table row: its number, its values in the order of ROLES or its fault, the roles that cannot be converted, with the
#: reason, and its other fields.
TableRow = tuple[int, list[str | None] | tuple[str, str], list[tuple[str, str]], dict[str, Any]]
BATCH_ROWS = 4096


def name(path: str | os.PathLike[str]) -> str:
    """Returns a path for messages and ids, with control characters and undecodable bytes as ``\\xe9``."""
    return os.fsencode(path).decode("utf-8", "backslashreplace").translate(_CONTROLS)


_CONTROLS = {code: f"\\x{code:02x}" for code in (*range(32), *range(127, 160))}


def is_parquet(path: str, format: str | None) -> bool:
    """Returns whether a path is Parquet, by its format or, without one, by its name."""
    return format == "parquet" or (format is None and path.lower().endswith((".parquet", ".pq")))


def parquet_rows(
    path: str, fields: Mapping[str, str], columns: set[str] | None = None, with_others: bool = False
) -> Iterator[TableRow]:
    """Yields rows, numbered from 1, as values in the order of ROLES, or their faults.

    The names of the existing columns are added to `columns`. `with_others`: read the columns without a role, too.
    """
    if path == "-":
        raise InputError("-: Parquet cannot be read from standard input, because its index is at the end")
    try:
        handle = Path(path).open("rb")  # noqa: SIM115  closed below, after the last row
    except OSError as error:
        raise InputError((error.strerror or str(error)).lower(), place=name(path)) from None
    with handle:
        yield from _rows(handle, name(path), fields, set() if columns is None else columns, with_others)


def _rows(
    handle: BinaryIO, path: str, fields: Mapping[str, str], there: set[str], with_others: bool
) -> Iterator[TableRow]:
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        file = pq.ParquetFile(handle)
    except (OSError, pa.ArrowInvalid) as error:
        raise InputError(str(error).splitlines()[0], place=path) from None
    present = file.schema_arrow.names
    there.update(present)
    known = {name.lower(): name for name in reversed(present)}
    columns: list[list[str]] = []
    for role, names in NAMES.items():
        usual = [known[name] for name in names if name in known]
        columns.append([name for name in ([fields[role]] if role in fields else usual) if name in present])
    # headlines replace missing texts, but not a text column that the user named and that does not exist
    has_text, has_title = (bool(columns[ROLES.index(role)]) for role in ("text", "title"))
    if not has_text and ("text" in fields or not has_title):
        listed = ", ".join(present)
        raise InputError(f"no column for the text among {listed}", "name it with --field text=COLUMN", place=path)
    wanted = list(dict.fromkeys(name for names in columns for name in names))
    others = [name for name in dict.fromkeys(present) if name not in wanted] if with_others else []
    number = end = 0
    for group in range(file.num_row_groups):
        end += file.metadata.row_group(group).num_rows
        try:
            for batch in file.iter_batches(BATCH_ROWS, row_groups=[group], columns=wanted + others):
                lists = {name: _values(batch.column(name)) for name in wanted + others}
                for at in range(batch.num_rows):
                    number += 1
                    own = {name: lists[name][at] for name in others}
                    yield _row(number, [[lists[name][at] for name in names] for names in columns], own)
        except (OSError, KeyError, pa.ArrowException) as error:
            # a damaged row group loses only its own rows, each counted as a problem
            detail = f"reading stopped after {number} rows: {str(error).splitlines()[0]}"
            while number < end:
                number += 1
                yield number, ("damaged", detail), [], {}


#: In place of a value of a text column that is not UTF-8, which Arrow does not check.
_NOT_UTF_8 = b"\xff"


def _values(column: Any) -> list[Any]:
    """Returns the values of an Arrow column."""
    try:
        values: list[Any] = column.to_pylist()
    except UnicodeDecodeError:
        values = [_value(column[at]) for at in range(len(column))]
    return values


def _value(scalar: Any) -> Any:
    try:
        return scalar.as_py()
    except UnicodeDecodeError:
        return _NOT_UTF_8


def _row(number: int, row: Sequence[Sequence[Any]], others: dict[str, Any]) -> TableRow:
    """Converts a row with one or more values per role, best first."""
    values: list[str | None] = []
    doubts: list[tuple[str, str]] = []
    for role, given in zip(ROLES, row, strict=True):
        try:
            found, wrong = best(role, map(_decoded, given))
        except UnicodeDecodeError:
            return number, ("wrong encoding", "bytes that are not UTF-8"), [], {}
        except ValueError as error:
            return number, ("broken line", str(error)), [], {}
        values.append(found)
        if wrong:
            doubts.append((role, wrong))
    return number, values, doubts, others


def _decoded(given: Any) -> Any:
    """Decodes values of binary columns."""
    return given.decode() if isinstance(given, bytes) else given
