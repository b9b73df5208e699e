"""Groups and relations as lines, byte for byte those of one machine; and as rows of frames."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from samestory.spark.ranks import HEAD

if TYPE_CHECKING:
    import pyarrow as pa

#: Rank, ids, weakest, nearest, forced: a group as the homes give it.
Row = tuple[bytes, list[str], Any, Any, bool]


def group_lines(rows: Iterable[Row], least: int, is_native: bool) -> bytes:
    """Groups of at least so many members, best representative first, numbered."""
    kept = sorted((row for row in rows if len(row[1]) >= least), key=lambda row: row[0])
    return _lines((_told(row, number) for number, row in enumerate(kept, 1)), is_native)


def _told(row: Row, number: int) -> dict[str, Any]:
    """A group as it stands in a line of JSON, its shares not rounded yet."""
    rank, ids, weakest, nearest, forced = row
    link = weakest and dict(zip(("left", "right", "kind", "forward", "backward"), weakest, strict=False))
    out = {
        "group": number,
        "representative": rank[HEAD:].decode(),
        "members": ids,
        "weakest": link and {name: value for name, value in link.items() if name != "kind"},
        "kind": link and link["kind"],
        "nearest": nearest and dict(zip(("id", "forward", "backward", "why"), nearest, strict=True)),
    }
    return {**out, "forced": True} if forced else out


def relation_lines(rows: Iterable[Any], is_native: bool) -> bytes:
    """Relations in the order of the input."""
    every = sorted(rows, key=lambda row: (row["later"], row["earlier"]))
    names = ("left", "right", "kind", "forward", "backward", "score", "detector")
    return _lines(({name: row[name] for name in names} for row in every), is_native)


class _Fixed(float):
    """A number as the native core writes it: with all its digits, also where they are zeros."""

    digits: int

    def __new__(cls, value: float, digits: int) -> _Fixed:
        fixed = super().__new__(cls, value)
        fixed.digits = digits
        return fixed

    def __repr__(self) -> str:
        return f"{float(self):.{self.digits}f}"


def _lines(rows: Iterable[dict[str, Any]], is_native: bool) -> bytes:
    return "".join(_line(_shares(row, is_native)) + "\n" for row in rows).encode()


def _shares(row: dict[str, Any], is_native: bool) -> dict[str, Any]:
    """The same with its shares rounded; those of the native core keep their zeros."""
    out: dict[str, Any] = {}
    for name, value in row.items():
        if isinstance(value, dict):
            out[name] = _shares(value, is_native)
        elif isinstance(value, float):
            digits = 6 if name == "score" else 4
            out[name] = _Fixed(value, digits) if is_native else round(value, digits)
        else:
            out[name] = value
    return out


def _line(row: dict[str, Any]) -> str:
    parts = []
    for name, value in row.items():
        if isinstance(value, dict):
            told = _line(value)
        elif isinstance(value, _Fixed):
            told = repr(value)
        else:
            told = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
        parts.append(f'"{name}":{told}')
    return "{" + ",".join(parts) + "}"


def group_schema() -> pa.Schema:
    """The columns of groups."""
    import pyarrow as pa

    shares = [pa.field("forward", pa.float64()), pa.field("backward", pa.float64())]
    link = pa.struct([pa.field("left", pa.string()), pa.field("right", pa.string()), *shares])
    outside = pa.struct([pa.field("id", pa.string()), *shares, pa.field("why", pa.string())])
    return pa.schema(
        [
            ("representative", pa.string()),
            ("members", pa.list_(pa.string())),
            ("weakest", link),
            ("kind", pa.string()),
            ("nearest", outside),
            ("forced", pa.bool_()),
        ]
    )


def group_batches(rows: Iterator[Row]) -> Iterator[pa.RecordBatch]:
    """Groups as batches of a frame."""
    import pyarrow as pa

    told = []
    for rank, ids, weakest, nearest, forced in rows:
        link = weakest and dict(zip(("left", "right", "kind", "forward", "backward"), weakest, strict=False))
        kind = link.pop("kind") if link else None
        outside = nearest and dict(zip(("id", "forward", "backward", "why"), nearest, strict=True))
        told.append(
            {
                "representative": rank[HEAD:].decode(),
                "members": ids,
                "weakest": link,
                "kind": kind,
                "nearest": outside,
                "forced": forced,
            }
        )
    yield pa.RecordBatch.from_pylist(told, schema=group_schema())
