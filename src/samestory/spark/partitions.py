"""Collections with one value per partition, and the exchange of packed columns between them.

Spark shuffles rows; these jobs shuffle whole columns, packed by the core. So every partition has one value, a task
sends values to other partitions by their number, and two collections with the same number of partitions are zipped
without a shuffle.
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


def exchange(values: RDD[Any], parts: int) -> RDD[Any]:
    """Sends every (part, (origin, …)) to its part; returns for every part the list of its values, sorted by origin.

    The list does not depend on the order in which tasks finish, or on whether they are run again.
    """

    def collect_sorted(received: Iterable[Any]) -> Iterator[list[Any]]:
        yield sorted((value for _, value in received), key=lambda value: value[0])

    return values.partitionBy(parts, _identity).mapPartitions(collect_sorted)


def send(values: RDD[Any], work: Callable[[int, Any], Iterable[tuple[int, Any]]], parts: int) -> RDD[list[Any]]:
    """Sends what `work` makes of the values of all partitions, as (part, buffer), to the parts.

    Returns for every part the list of its (origin, buffer), sorted by the number of the partition they come from.
    """
    return exchange(addressed(values, work), parts)


def addressed(values: RDD[Any], work: Callable[[int, Any], Iterable[tuple[int, Any]]]) -> RDD[Any]:
    """Returns what `work` makes of the values, as (part, (origin, buffer))."""
    return map_indexed(values, lambda origin, value: ((to, (origin, buffer)) for to, buffer in work(origin, value)))


def _identity(part: int) -> int:
    return part


def unbatched(collection: RDD[Any]) -> RDD[Any]:
    """Returns the collection with a serializer of single values, so that `zip` need not count and rewrite them."""
    from pyspark.serializers import BatchedSerializer, CPickleSerializer

    batched: Any = BatchedSerializer
    pickle_serializer: Any = CPickleSerializer()
    one_by_one = batched(pickle_serializer, 1)
    if collection._jrdd_deserializer in (pickle_serializer, one_by_one):
        return collection
    reserialised: RDD[Any] = collection._reserialize(one_by_one)
    return reserialised


def zip_partitions(*collections: RDD[Any]) -> RDD[Any]:
    """Returns tuples of the values of the same partitions."""
    first, *others = map(unbatched, collections)
    for other in others:
        first = first.zip(other)
    count = len(collections)

    def flatten(nested: Any) -> tuple[Any, ...]:
        last = []
        for _ in range(count - 1):
            nested, value = nested
            last.append(value)
        return (nested, *reversed(last))

    return first.map(flatten)


def map_indexed(collection: RDD[Any], work: Callable[[int, Any], Iterable[Any]]) -> RDD[Any]:
    """Applies a function to every partition number and value."""

    def apply(part: int, values: Iterable[Any]) -> Iterator[Any]:
        for value in values:
            yield from work(part, value)

    return collection.mapPartitionsWithIndex(apply)


def from_batches(frame: DataFrame, work: Callable[[Iterator[pa.RecordBatch]], Any]) -> RDD[Any]:
    """Reduces the Arrow batches of every partition of a frame to one value."""
    from pyspark import RDD
    from pyspark.serializers import CPickleSerializer

    def pack(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        import pyarrow as pa

        yield pa.record_batch([pa.array([pickle.dumps(work(batches), 5)], pa.binary())], ["value"])

    packed_frame, context = in_arrow(frame, pack, "value binary"), frame.sparkSession.sparkContext
    # as plain bytes: rows would be written byte by byte in Java, and parsed again in Python
    java: Any = context._jvm
    binary_rdd = getattr(packed_frame._jdf, "as")(java.org.apache.spark.sql.Encoders.BINARY()).toJavaRDD()
    return RDD(binary_rdd, context, CPickleSerializer())


def in_arrow(
    frame: DataFrame, work: Callable[[Iterator[pa.RecordBatch]], Iterator[pa.RecordBatch]], to: Any
) -> DataFrame:
    """Maps the Arrow batches of a frame."""
    with warnings.catch_warnings():
        # pyspark warns about the version of pandas, which is not used
        warnings.simplefilter("ignore")
        return frame.mapInArrow(work, to)


def to_frame(spark: SparkSession, batches: RDD[Any], schema: Any) -> DataFrame:
    """Converts a collection of Arrow batches to a frame."""

    def unpack(blobs: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for blob in blobs:
            for value in blob.column(0):
                yield from pickle.loads(value.as_py())

    packed = batches.map(lambda batch: (pickle.dumps([batch], 5),))
    return in_arrow(spark.createDataFrame(packed, "value binary"), unpack, schema)
