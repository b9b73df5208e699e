"""Output of relations and groups: as lines, byte for byte as on one machine; and as rows of frames."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from samestory.model import KINDS
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


def relation_lines(parts: Sequence[tuple[bytes, bytes]]) -> bytes:
    """Returns the lines of the relations of all partitions, in the order of the input."""
    import numpy as np

    places = np.frombuffer(b"".join(place for place, _ in parts), np.int64).reshape(-1, 2)
    lines = b"".join(some for _, some in parts).splitlines(keepends=True)
    return b"".join(lines[at] for at in np.lexsort((places[:, 1], places[:, 0])).tolist())


def relation_schema() -> pa.Schema:
    """The schema of relations."""
    import pyarrow as pa

    shares = [(name, pa.float64()) for name in ("forward", "backward")]
    names = [(name, pa.string()) for name in ("left", "right", "kind")]
    return pa.schema([*names, *shares, ("detector", pa.string()), ("score", pa.float64())])


def relation_batches(buffer: bytes, collection: BroadcastCollection) -> Iterator[pa.RecordBatch]:
    """Yields the relations of the compared pairs of a partition."""
    import numpy as np
    import pyarrow as pa

    ids, columns = collection.compared(buffer).relations
    names, of = pa.array([str(kind) for kind in KINDS]), pa.array(ids, pa.string())
    types: Any = (np.uint32, np.uint32, np.uint8, np.float64, np.float64, np.float64)
    rows = [np.frombuffer(column, kind) for column, kind in zip(columns, types, strict=True)]
    for begin in range(0, len(rows[0]), ROWS_PER_BATCH):
        left, right, kind, forward, backward, score = (column[begin : begin + ROWS_PER_BATCH] for column in rows)
        detector = pa.repeat(str(collection.recipe.detector), len(left))
        batch = [of.take(pa.array(left)), of.take(pa.array(right)), names.take(pa.array(kind))]
        batch += [pa.array(forward), pa.array(backward), detector, pa.array(score)]
        yield pa.record_batch(batch, schema=relation_schema())


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
