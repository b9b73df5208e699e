"""What hangs together, by large and small stars.

    large star: every article joins its larger neighbours to the smallest of itself and all its neighbours
    small star: every article joins its smaller neighbours and itself to the smallest of them

By turns, until nothing changes: then every component is a star around its smallest article. Both keep what hangs
together together, and no article ever has all of a component to hold.
Kiveris and others (2014), Connected components in MapReduce and beyond. [kiveris2014]

Every task makes stars of its own edges first. Where that leaves few, the driver puts them together in one step.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from samestory import _core
from samestory.errors import SamestoryError
from samestory.spark.blobs import from_batches, indexed, to_frame

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa
    from numpy.typing import NDArray
    from pyspark import RDD
    from pyspark.sql import DataFrame, SparkSession

    Numbers = NDArray[np.int64]

#: So many edges the driver puts together: 16 bytes each, a few seconds. Stars by turns take twenty jobs for any number.
FEW = 4_000_000

#: Far more turns than any number of articles can need: log2 squared of those that fit in 64 bits.
MOST_TURNS = 64


def components(spark: SparkSession, edges: RDD[tuple[Numbers, Numbers]], few: int = FEW) -> RDD[Any]:
    """For every article of the edges, but the smallest of each component: itself and its component, named by that.

    Of two columns a partition, two columns a partition.
    """
    stars = edges.map(_stars)
    count = stars.map(lambda star: len(star[0])).sum()
    if count > few:
        return from_batches(_by_turns(frame_of(spark, stars)), columns)
    node, least = _stars(_joined(stars.collect()))
    parts = edges.getNumPartitions()
    cut = [len(node) * part // parts for part in range(parts + 1)]
    slices = [(node[begin:end], least[begin:end]) for begin, end in pairwise(cut)]
    return spark.sparkContext.parallelize(slices, parts)


def columns(batches: Iterator[pa.RecordBatch]) -> tuple[Numbers, Numbers]:
    """Two columns of numbers, whole."""
    return _joined([(batch.column(0).to_numpy(), batch.column(1).to_numpy()) for batch in batches])


def _joined(pairs: list[tuple[Numbers, Numbers]]) -> tuple[Numbers, Numbers]:
    import numpy as np

    none = np.zeros(0, np.int64)
    return np.concatenate([none, *(some[0] for some in pairs)]), np.concatenate([none, *(some[1] for some in pairs)])


def _stars(edges: tuple[Numbers, Numbers]) -> tuple[Numbers, Numbers]:
    import numpy as np

    node, least = (np.frombuffer(column, np.int64) for column in _core.stars(*edges))
    return node, least


def frame_of(spark: SparkSession, stars: RDD[tuple[Numbers, Numbers]]) -> DataFrame:
    """Stars as a frame: `node` and `other`, the article that its component is named by."""

    def batch(_: int, star: tuple[Numbers, Numbers]) -> Iterator[pa.RecordBatch]:
        import pyarrow as pa

        yield pa.record_batch([pa.array(star[0]), pa.array(star[1])], ["node", "other"])

    return to_frame(spark, indexed(stars, batch), "node long, other long")


def _by_turns(edges: DataFrame) -> DataFrame:
    """Edges (`node`, `other`, of which `other` is smaller), until every component is a star."""
    current = edges.distinct().localCheckpoint()
    before = _digest(current)
    for _ in range(MOST_TURNS):
        turned = _small_star(_large_star(current)).distinct().localCheckpoint()
        current.unpersist()
        current, digest = turned, _digest(turned)
        if digest == before:
            return current
        before = digest
    raise SamestoryError("components: they do not come to rest")


def _digest(edges: DataFrame) -> tuple[int, ...]:
    """Changes when the edges do."""
    row = edges.selectExpr(
        "count(*)", "coalesce(bit_xor(xxhash64(node, other)), 0)", "coalesce(bit_xor(xxhash64(other, node)), 0)"
    ).first()
    return tuple(map(int, row)) if row is not None else ()


def _large_star(edges: DataFrame) -> DataFrame:
    """From edges (larger, smaller): every larger neighbour of an article goes to the least it knows."""
    both = edges.union(edges.selectExpr("other as node", "node as other"))
    least = both.groupBy("node").agg({"other": "min"}).selectExpr("node", "least(node, `min(other)`) as least")
    joined = both.filter("other > node").join(least, "node")
    return joined.selectExpr("other as node", "least as other").filter("node != other")


def _small_star(edges: DataFrame) -> DataFrame:
    """From edges (larger, smaller): every smaller neighbour of an article, and itself, goes to the least of them."""
    least = edges.groupBy("node").agg({"other": "min"}).withColumnRenamed("min(other)", "least")
    joined = edges.join(least, "node")
    neighbours = joined.selectExpr("other as node", "least as other").filter("node != other")
    return neighbours.union(least.selectExpr("node", "least as other"))
