"""Parquet: columns known by the same names as everywhere, read a row group at a time."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, BinaryIO

from samestory.errors import InputError
from samestory.readers.objects import NAMES, ROLES, best

#: Line (or, of a folder, the file), values in the order of the roles or nothing, fault and detail or nothing.
Row = tuple[int | str, list[str | None] | None, tuple[str, str] | None]
#: A row of a table: its number, its values or what is wrong with it, and the roles that cannot be taken, and why.
TableRow = tuple[int, list[str | None] | tuple[str, str], list[tuple[str, str]]]
ROWS = 4096


def name(path: str | os.PathLike[str]) -> str:
    """A path as messages and ids show it: bytes that are no text, as old file names have them, as ``\\xe9``."""
    return os.fsencode(path).decode("utf-8", "backslashreplace")


def is_parquet(path: str, format: str | None) -> bool:
    """Does this path hold Parquet, by its format or, without one, by its name?"""
    return format == "parquet" or (format is None and path.lower().endswith((".parquet", ".pq")))


def parquet_rows(path: str, fields: Mapping[str, str], columns: set[str] | None = None) -> Iterator[TableRow]:
    """Rows, numbered from 1, as values in the order of the roles; or what is wrong with them.

    The names of the columns that are there are put into `columns`.
    """
    if path == "-":
        raise InputError("-: Parquet is read from its end and cannot come from standard input")
    try:
        handle = Path(path).open("rb")  # noqa: SIM115  closed below, with the last row
    except OSError as error:
        raise InputError(f"{name(path)}: {(error.strerror or str(error)).lower()}") from None
    with handle:
        yield from _rows(handle, name(path), fields, set() if columns is None else columns)


def _rows(handle: BinaryIO, path: str, fields: Mapping[str, str], there: set[str]) -> Iterator[TableRow]:
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        file = pq.ParquetFile(handle)
    except (OSError, pa.ArrowInvalid) as error:
        raise InputError(f"{path}: {str(error).splitlines()[0]}") from None
    present = file.schema_arrow.names
    there.update(present)
    known = {name.lower(): name for name in reversed(present)}
    columns: list[list[str]] = []
    for role, names in NAMES.items():
        usual = [known[name] for name in names if name in known]
        columns.append([name for name in ([fields[role]] if role in fields else usual) if name in present])
    # headlines stand for texts, but not for a column that the user has named and that is not there
    has_text, has_title = (bool(columns[ROLES.index(role)]) for role in ("text", "title"))
    if not has_text and ("text" in fields or not has_title):
        there_is = ", ".join(present)
        raise InputError(f"{path}: no column for the text among {there_is}", "name it with --field text=COLUMN")
    wanted = list(dict.fromkeys(name for names in columns for name in names))
    number = end = 0
    for group in range(file.num_row_groups):
        end += file.metadata.row_group(group).num_rows
        try:
            for batch in file.iter_batches(ROWS, row_groups=[group], columns=wanted):
                lists = {name: batch.column(name).to_pylist() for name in wanted}
                for at in range(batch.num_rows):
                    number += 1
                    yield _row(number, [[lists[name][at] for name in names] for names in columns])
        except (OSError, KeyError, pa.ArrowException) as error:
            # a damaged group costs its own rows, each of which is counted, and no others
            detail = f"reading stopped after {number} rows: {str(error).splitlines()[0]}"
            while number < end:
                number += 1
                yield number, ("unreadable", detail), []


def _row(number: int, row: Sequence[Sequence[Any]]) -> TableRow:
    """A row, of which there may be several values for a role, best first."""
    values: list[str | None] = []
    doubts: list[tuple[str, str]] = []
    for role, given in zip(ROLES, row, strict=True):
        try:
            found, wrong = best(role, map(_decoded, given))
        except UnicodeDecodeError:
            return number, ("wrong encoding", "bytes that are not UTF-8"), []
        except ValueError as error:
            return number, ("broken line", str(error)), []
        values.append(found)
        if wrong:
            doubts.append((role, wrong))
    return number, values, doubts


def _decoded(given: Any) -> Any:
    """Columns of bytes hold texts too."""
    return given.decode() if isinstance(given, bytes) else given
