"""Output of relations and groups: as lines, byte for byte as on one machine; and as rows of frames."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from samestory.model import KINDS, record_batch
from samestory.spark.collection import BroadcastCollection

if TYPE_CHECKING:
    import pyarrow as pa

    from samestory import _core

#: Relations or groups in a batch of a frame.
ROWS_PER_BATCH = 1 << 18


def group_lines(groups: Iterable[_core.exchange.Group], least: int) -> bytes:
    """Returns the lines of groups with at least `least` members, numbered, best representative first."""
    kept = sorted((group for group in groups if len(group.members) >= least), key=lambda group: group.rank)
    return b"".join(b'{"group":%d,%b' % (number, group.line) for number, group in enumerate(kept, 1))


def relation_lines(parts: Sequence[tuple[pa.RecordBatch, bytes]]) -> bytes:
    """Returns the lines of the relations of all partitions, in the order of the input."""
    import pyarrow as pa
    import pyarrow.compute as pc

    if not parts:
        return b""
    order = [("later", "ascending"), ("earlier", "ascending")]
    rows = pc.sort_indices(pa.Table.from_batches([numbers for numbers, _ in parts]), sort_keys=order)
    lines = b"".join(some for _, some in parts).splitlines(keepends=True)
    return b"".join(lines[row] for row in rows.to_pylist())


def relation_schema() -> pa.Schema:
    """The schema of relations, with what their rank among those of the later article depends on."""
    import pyarrow as pa

    shares = [(name, pa.float64()) for name in ("forward", "backward")]
    names = [(name, pa.string()) for name in ("left", "right", "kind")]
    rank = [("later", pa.string()), ("earlier", pa.string()), ("source", pa.int64())]
    return pa.schema([*names, *shares, ("detector", pa.string()), ("score", pa.float64()), *rank])


def relation_batches(buffer: bytes, collection: BroadcastCollection) -> Iterator[pa.RecordBatch]:
    """Yields the relations of the compared pairs of a partition."""
    import pyarrow as pa
    import pyarrow.compute as pc

    ids, columns = collection.compared(buffer).relations
    names = {"left": pa.array(ids, pa.string()), "kind": pa.array([str(kind) for kind in KINDS])}
    names["right"] = names["left"]
    rows = record_batch(columns)
    for begin in range(0, len(rows), ROWS_PER_BATCH):
        some = rows.slice(begin, ROWS_PER_BATCH)
        named = {name: names[name].take(some[name]) if name in names else some[name] for name in columns}
        named["detector"] = pa.repeat(str(collection.recipe.detector), len(some))
        is_left = pc.equal(some["left"], some["later"])
        named["later"] = names["left"].take(some["later"])
        named["earlier"] = names["left"].take(pc.if_else(is_left, some["right"], some["left"]))
        named["source"] = some["source"].view(pa.int64())
        yield pa.RecordBatch.from_pydict(named, schema=relation_schema())


def group_schema() -> pa.Schema:
    """The schema of groups."""
    import pyarrow as pa

    shares = [("forward", pa.float64()), ("backward", pa.float64())]
    link = pa.struct([("left", pa.string()), ("right", pa.string()), *shares])
    outside = pa.struct([("id", pa.string()), *shares, ("why", pa.string())])
    own = [("representative", pa.string()), ("members", pa.list_(pa.string()))]
    certificate = [("weakest", link), ("kind", pa.string()), ("nearest", outside), ("forced", pa.bool_())]
    return pa.schema([*own, *certificate])


def group_batches(groups: Iterable[_core.exchange.Group]) -> Iterator[pa.RecordBatch]:
    """Converts groups to batches of a frame."""
    import pyarrow as pa

    rows = []
    for group in groups:
        link = group.weakest and dict(zip(("left", "right", "kind", "forward", "backward"), group.weakest, strict=True))
        outside = group.nearest and dict(zip(("id", "forward", "backward", "why"), group.nearest, strict=True))
        row = {"representative": group.members[0], "members": group.members, "weakest": link, "nearest": outside}
        rows.append({**row, "kind": link and link["kind"], "forced": group.forced})
    yield pa.RecordBatch.from_pylist(rows, schema=group_schema())
