"""Lines of gold: JSON lines, or rows of CSV, TSV and Parquet, whose columns may have other usual names."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from samestory.errors import InputError, ParameterError
from samestory.lab.evaluation.jsonlines import NumberedLine, json_lines
from samestory.rows import format_of, open_rows

#: Usual names of the columns of tables, best first.
COLUMN_NAMES: Mapping[str, tuple[str, ...]] = {
    "a": ("a", "left", "id1", "id_1", "id_a", "left_id", "article1"),
    "b": ("b", "right", "id2", "id_2", "id_b", "right_id", "article2"),
    "label": ("label", "same", "is_duplicate", "duplicate", "match"),
    "id": ("id", "article", "doc_id"),
    "cluster": ("cluster", "cluster_id", "group", "group_id", "story"),
}
_SHAPES = (("a", "b", "label"), ("id", "cluster"))


def gold_lines(path: str) -> Iterator[NumberedLine]:
    """Yields every line as an object, with its number; empty cells of tables are missing fields."""
    try:
        format = format_of(path)
    except ParameterError:
        format = format_of("-")  # JSON lines under any other name
    if format.kind == "jsonl":
        yield from json_lines(path)
        return
    source = open_rows(path, path, format)
    names = _names(path, source.columns or [])
    for block in source.blocks():
        for number, row in zip(block.numbers, source.records(block), strict=True):
            given = {names.get(name, name): value for name, value in row.items() if value is not None and value != ""}
            yield number, {name: value if name in COLUMN_NAMES else _number(value) for name, value in given.items()}


def _names(path: str, columns: list[str]) -> dict[str, str]:
    """The fields of gold by the names of the columns."""
    known = {column.strip().lower(): column for column in reversed(columns)}
    for shape in _SHAPES:
        found = {field: next((known[name] for name in COLUMN_NAMES[field] if name in known), None) for field in shape}
        if all(found.values()):
            return {str(column): field for field, column in found.items()}
    raise InputError(
        f"neither pairs nor groups among the columns {', '.join(columns)}",
        "name the columns a, b and label for pairs, or id and cluster for groups",
        place=path,
    )


def _number(value: Any) -> Any:
    """The number in a cell, by which lines can be selected; other values as they are."""
    if not isinstance(value, str):
        return value
    try:
        return float(value)
    except ValueError:
        return value
