"""Partitions that hold one value each: how tasks hand packed columns to each other.

Spark moves rows; what we move are whole columns, packed by the core. So every partition holds one value, a task gives
values to other partitions by their number, and two collections with the same number of partitions are worked on side by
side without moving.
"""

from __future__ import annotations

import pickle
import warnings
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark import RDD
    from pyspark.sql import DataFrame, SparkSession


def deal(values: RDD[Any], parts: int) -> RDD[Any]:
    """Of (part, (origin, …)) for every part the list of what it was given, in the order of the origins.

    In whatever order tasks end, or are run again, it is the same list.
    """

    def gathered(dealt: Iterable[Any]) -> Iterator[list[Any]]:
        yield sorted((value for _, value in dealt), key=lambda value: value[0])

    return values.partitionBy(parts, _itself).mapPartitions(gathered)


def _itself(part: int) -> int:
    return part


def single(collection: RDD[Any]) -> RDD[Any]:
    """The same, told to be of single values: Spark would otherwise count them, and write them anew before it can put
    two collections side by side.
    """
    from pyspark.serializers import BatchedSerializer, CPickleSerializer

    batched: Any = BatchedSerializer
    alone: Any = CPickleSerializer()
    one = batched(alone, 1)
    if collection._jrdd_deserializer in (alone, one):
        return collection
    told: RDD[Any] = collection._reserialize(one)
    return told


def side_by_side(*collections: RDD[Any]) -> RDD[Any]:
    """Tuples of the values of the same partitions."""
    first, *others = map(single, collections)
    for other in others:
        first = first.zip(other)
    count = len(collections)

    def flat(nested: Any) -> tuple[Any, ...]:
        last = []
        for _ in range(count - 1):
            nested, value = nested
            last.append(value)
        return (nested, *reversed(last))

    return first.map(flat)


def indexed(collection: RDD[Any], work: Callable[[int, Any], Iterable[Any]]) -> RDD[Any]:
    """What is made of every value and the number of its partition."""

    def each(part: int, values: Iterable[Any]) -> Iterator[Any]:
        for value in values:
            yield from work(part, value)

    return collection.mapPartitionsWithIndex(each)


def from_batches(frame: DataFrame, work: Callable[[Iterator[pa.RecordBatch]], Any]) -> RDD[Any]:
    """One value for every partition of a frame, made of its Arrow batches."""
    from pyspark import RDD
    from pyspark.serializers import CPickleSerializer

    def whole(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        import pyarrow as pa

        yield pa.record_batch([pa.array([pickle.dumps(work(batches), 5)], pa.binary())], ["value"])

    made, context = in_arrow(frame, whole, "value binary"), frame.sparkSession.sparkContext
    # as the bytes that they are: as rows they would be written byte by byte in Java, and read again in Python
    java: Any = context._jvm
    plain = getattr(made._jdf, "as")(java.org.apache.spark.sql.Encoders.BINARY()).toJavaRDD()
    return RDD(plain, context, CPickleSerializer())


def in_arrow(
    frame: DataFrame, work: Callable[[Iterator[pa.RecordBatch]], Iterator[pa.RecordBatch]], to: Any
) -> DataFrame:
    """What is made of the Arrow batches of a frame."""
    with warnings.catch_warnings():
        # it looks for pandas too, and has something to say about its version; we use none of it
        warnings.simplefilter("ignore")
        return frame.mapInArrow(work, to)


def to_frame(spark: SparkSession, batches: RDD[Any], schema: Any) -> DataFrame:
    """A frame of the Arrow batches of a collection."""

    def unpacked(blobs: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for blob in blobs:
            for value in blob.column(0):
                yield from pickle.loads(value.as_py())

    packed = batches.map(lambda batch: (pickle.dumps([batch], 5),))
    return in_arrow(spark.createDataFrame(packed, "value binary"), unpacked, schema)
