"""Connected components, by large and small stars.

    large star: every article links its larger neighbours to the smallest of itself and all its neighbours
    small star: every article links its smaller neighbours and itself to the smallest of them

The two alternate until nothing changes: then every component is a star around its smallest article. Both preserve the
components, and no task ever needs the edges of a whole component.
Kiveris and others (2014), Connected components in MapReduce and beyond. [kiveris2014]

Every task first reduces its own edges to stars. If few edges remain, the driver merges them in one step.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from samestory import _core
from samestory.errors import SamestoryError
from samestory.spark.partitions import from_batches, map_indexed, send, to_frame

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa
    from numpy.typing import NDArray
    from pyspark import RDD
    from pyspark.sql import DataFrame, SparkSession

    #: Two columns of article numbers.
    Columns = tuple[NDArray[np.int64], NDArray[np.int64]]

#: Most edges that the driver merges: 16 bytes each, a few seconds. Alternating stars take twenty jobs for any number.
MAX_DRIVER_EDGES = 4_000_000

#: Far more rounds than any number of articles can need: log2 squared of those that fit in 64 bits.
MAX_ROUNDS = 64


def components(spark: SparkSession, edges: RDD[Columns], max_driver_edges: int = MAX_DRIVER_EDGES) -> DataFrame:
    """Returns every article of the edges (`node`) except the smallest of its component, and that one (`other`)."""
    import pyarrow as pa

    stars = edges.map(_stars)
    merged = _merge(stars, max_driver_edges)
    if merged is None:
        return _alternate_stars(_frame(spark, stars))
    return spark.createDataFrame(pa.table(list(merged), names=["node", "other"]))


def labels(spark: SparkSession, edges: RDD[Columns], max_driver_edges: int = MAX_DRIVER_EDGES) -> RDD[bytes]:
    """Returns the labels of the articles of every partition of edges as pairs (article, label), perhaps with others."""
    import numpy as np

    stars = edges.map(_stars)
    merged = _merge(stars, max_driver_edges)
    if merged is not None:
        pairs = spark.sparkContext.broadcast(np.column_stack(merged).tobytes())
        return edges.map(lambda _: pairs.value)

    def articles(part: int, some: Columns) -> Iterator[pa.RecordBatch]:
        import pyarrow as pa

        node = np.unique(np.concatenate(some))
        yield pa.record_batch([pa.array(node), pa.array(np.full(len(node), part))], ["node", "part"])

    def by_part(batches: Iterator[pa.RecordBatch]) -> list[tuple[int, bytes]]:
        none = np.zeros((0, 3), np.int64)
        rows = np.concatenate([none, *(np.column_stack([column.to_numpy() for column in some]) for some in batches)])
        return [(part, rows[rows[:, 0] == part, 1:].tobytes()) for part in np.unique(rows[:, 0]).tolist()]

    nodes = to_frame(spark, map_indexed(edges, articles), "node long, part long")
    joined = nodes.join(_alternate_stars(_frame(spark, stars)), "node").select("part", "node", "other")
    received = send(from_batches(joined, by_part), lambda _, rows: rows, edges.getNumPartitions())
    return received.map(lambda some: b"".join(pairs for _, pairs in some))


def _merge(stars: RDD[Columns], max_driver_edges: int) -> Columns | None:
    """Merges the stars of all partitions on the driver, unless they are too many."""
    count = stars.map(lambda star: len(star[0])).sum()
    return _stars(_concatenate(stars.collect())) if count <= max_driver_edges else None


def columns(batches: Iterator[pa.RecordBatch]) -> Columns:
    """Concatenates the first two columns of batches."""
    return _concatenate([(batch.column(0).to_numpy(), batch.column(1).to_numpy()) for batch in batches])


def _concatenate(pairs: list[Columns]) -> Columns:
    import numpy as np

    none = np.zeros(0, np.int64)
    return np.concatenate([none, *(some[0] for some in pairs)]), np.concatenate([none, *(some[1] for some in pairs)])


def _stars(edges: Columns) -> Columns:
    import numpy as np

    node, least = (np.frombuffer(column, np.int64) for column in _core.exchange.stars(*edges))
    return node, least


def _frame(spark: SparkSession, stars: RDD[Columns]) -> DataFrame:
    def batch(_: int, star: Columns) -> Iterator[pa.RecordBatch]:
        import pyarrow as pa

        yield pa.record_batch([pa.array(star[0]), pa.array(star[1])], ["node", "other"])

    return to_frame(spark, map_indexed(stars, batch), "node long, other long")


def _alternate_stars(edges: DataFrame) -> DataFrame:
    """Alternates large and small stars on edges (`node`, smaller `other`) until every component is a star."""
    current = edges.distinct().localCheckpoint()
    previous_digest = _digest(current)
    for _ in range(MAX_ROUNDS):
        next_edges = _small_star(_large_star(current)).distinct().localCheckpoint()
        current.unpersist()
        current, digest = next_edges, _digest(next_edges)
        if digest == previous_digest:
            return current
        previous_digest = digest
    raise SamestoryError(f"components: no convergence after {MAX_ROUNDS} rounds")


def _digest(edges: DataFrame) -> tuple[int, ...]:
    """Returns a hash of the set of edges."""
    row = edges.selectExpr(
        "count(*)", "coalesce(bit_xor(xxhash64(node, other)), 0)", "coalesce(bit_xor(xxhash64(other, node)), 0)"
    ).first()
    return tuple(map(int, row)) if row is not None else ()


def _large_star(edges: DataFrame) -> DataFrame:
    """Links every larger neighbour of an article to the least of the article and its neighbours."""
    both = edges.union(edges.selectExpr("other as node", "node as other"))
    least = both.groupBy("node").agg({"other": "min"}).selectExpr("node", "least(node, `min(other)`) as least")
    joined = both.filter("other > node").join(least, "node")
    return joined.selectExpr("other as node", "least as other").filter("node != other")


def _small_star(edges: DataFrame) -> DataFrame:
    """Links every smaller neighbour of an article, and the article itself, to the least of them."""
    least = edges.groupBy("node").agg({"other": "min"}).withColumnRenamed("min(other)", "least")
    joined = edges.join(least, "node")
    neighbours = joined.selectExpr("other as node", "least as other").filter("node != other")
    return neighbours.union(least.selectExpr("node", "least as other"))
