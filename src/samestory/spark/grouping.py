"""Grouping: the articles of each connected component are collected in one part, and grouped as on one machine.

The nearest article outside a group may belong to another component: the partitions of pairs find candidates for it,
and the input partition of the representative selects among them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from samestory import _core
from samestory.model import record_batch
from samestory.spark.candidates import Buffer, ComparedPairs, buffers
from samestory.spark.collection import BroadcastCollection
from samestory.spark.components import labels, table
from samestory.spark.partitions import addressed, exchange, map_indexed, send, zip_partitions
from samestory.spark.signing import SignedPartition

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark import RDD
    from pyspark.core.broadcast import Broadcast
    from pyspark.sql import SparkSession


@dataclass(frozen=True)
class GroupingTask:
    """The grouping options as the core reads them; decisions are pairs of article numbers."""

    method: str
    representative: str
    prefer: tuple[str, ...]
    join_parts: bool
    same: list[tuple[int, int]]
    apart: list[tuple[int, int]]


def group(
    spark: SparkSession,
    compared: RDD[ComparedPairs],
    found: RDD[SignedPartition],
    collection: Broadcast[BroadcastCollection],
    task: Broadcast[GroupingTask],
    persist: Callable[[RDD[Any]], RDD[Any]],
) -> RDD[_core.exchange.Group]:
    """Returns all groups with a new article, at the input partitions of their representatives."""
    count, parts = found.getNumPartitions(), collection.value.parts

    def edges(part: int, value: ComparedPairs) -> Iterator[pa.Table]:
        yield _edges(part, value, collection.value, task.value)

    def send_components(_: int, both: tuple[ComparedPairs, pa.Table]) -> list[Buffer]:
        here = collection.value
        opened = here.compared(both[0].buffer)
        return opened.send_components(here.directory, both[1], task.value.join_parts, parts)

    def form_groups(_: int, received: list[Buffer]) -> Iterator[tuple[list[Buffer], list[Buffer]]]:
        here = collection.value
        yield _core.exchange.group(here.native, here.directory, received, task.value)

    def nearest(_: int, both: tuple[list[Buffer], ComparedPairs]) -> list[Buffer]:
        here = collection.value
        return here.compared(both[1].buffer).nearest(here.directory, buffers(both[0]), task.value)

    def rows(partition: int, both: tuple[list[Buffer], SignedPartition]) -> list[_core.exchange.Group]:
        here = collection.value
        return here.open(partition, both[1]).group_rows(here.directory, buffers(both[0]), task.value)

    labelled = labels(spark, map_indexed(compared, edges))
    formed = persist(map_indexed(send(zip_partitions(compared, labelled), send_components, parts), form_groups))
    messages = addressed(formed, lambda _, both: both[1])
    if task.value.method != "majority":  # by majority, the nearest article is one of the component
        memberships = send(formed, lambda _, both: both[0], count)
        messages = messages.union(addressed(zip_partitions(memberships, compared), nearest))
    return map_indexed(zip_partitions(exchange(messages, count), found), rows)


def _edges(part: int, value: ComparedPairs, collection: BroadcastCollection, task: GroupingTask) -> pa.Table:
    """Returns the edges of a partition of pairs; the first has also those of the decisions."""
    import pyarrow as pa
    import pyarrow.compute as pc

    edges = value.edges if task.join_parts else value.edges.filter(pc.equal(value.edges["is_part"], 0))
    batches = [edges.select(["left", "right"])]
    if not part and task.same:
        copies = record_batch(collection.directory.copies)
        original = dict(zip(copies["copy"].to_pylist(), copies["original"].to_pylist(), strict=True))
        same = ([original.get(article, article) for article in side] for side in zip(*task.same, strict=True))
        batches.append(pa.RecordBatch.from_arrays([pa.array(side, pa.int64()) for side in same], ["left", "right"]))
    return table(batches, "node", "other")
