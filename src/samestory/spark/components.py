"""Connected components, by large and small stars.

    large star: every article links its larger neighbours to the smallest of itself and all its neighbours
    small star: every article links its smaller neighbours and itself to the smallest of them

The two alternate until nothing changes: then every component is a star around its smallest article. Both preserve the
components, and no task ever needs the edges of a whole component.
Kiveris and others (2014), Connected components in MapReduce and beyond. [kiveris2014]

Every task first reduces its own edges to stars. If few edges remain, the driver merges them in one step.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from samestory import _core
from samestory.errors import SamestoryError
from samestory.model import record_batch
from samestory.spark.partitions import from_batches, map_indexed, send, to_frame

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark import RDD
    from pyspark.sql import DataFrame, SparkSession

#: Most edges that the driver merges: 16 bytes each, a few seconds. Alternating stars take twenty jobs for any number.
MAX_DRIVER_EDGES = 4_000_000

#: Far more rounds than any number of articles can need: log2 squared of those that fit in 64 bits.
MAX_ROUNDS = 64


def components(spark: SparkSession, edges: RDD[pa.Table], max_driver_edges: int = MAX_DRIVER_EDGES) -> DataFrame:
    """Returns every article of the edges (`node`) except the smallest of its component, and that one (`other`)."""
    stars = edges.map(_stars)
    merged = _merge(stars, max_driver_edges)
    return _alternate_stars(_frame(spark, stars)) if merged is None else spark.createDataFrame(merged)


def labels(spark: SparkSession, edges: RDD[pa.Table], max_driver_edges: int = MAX_DRIVER_EDGES) -> RDD[pa.Table]:
    """Returns the articles of every partition of edges (`node`) and their labels (`other`), perhaps with others."""
    stars = edges.map(_stars)
    merged = _merge(stars, max_driver_edges)
    if merged is not None:
        pairs = spark.sparkContext.broadcast(merged)
        return edges.map(lambda _: pairs.value)

    def articles(part: int, some: pa.Table) -> Iterator[pa.RecordBatch]:
        import pyarrow as pa
        import pyarrow.compute as pc

        nodes = pc.unique(pa.chunked_array([*some["node"].chunks, *some["other"].chunks], pa.int64()))
        yield pa.RecordBatch.from_pydict({"node": nodes, "part": pa.array([part] * len(nodes), pa.int64())})

    def by_part(batches: Iterator[pa.RecordBatch]) -> list[tuple[int, pa.Table]]:
        import pyarrow.compute as pc

        rows = table(batches, "part", "node", "other")
        own = ((part, rows.filter(pc.equal(rows["part"], part))) for part in pc.unique(rows["part"]).to_pylist())
        return [(part, some.select(["node", "other"])) for part, some in own]

    nodes = to_frame(spark, map_indexed(edges, articles), "node long, part long")
    joined = nodes.join(_alternate_stars(_frame(spark, stars)), "node").select("part", "node", "other")
    received = send(from_batches(joined, by_part), lambda _, rows: rows, edges.getNumPartitions())
    return received.map(lambda some: _concatenate([pairs for _, pairs in some]))


def table(batches: Iterable[pa.RecordBatch], *names: str) -> pa.Table:
    """Returns batches of article numbers as a table, with these names of columns; there may be no batches."""
    import pyarrow as pa

    schema = pa.schema([(name, pa.int64()) for name in names])
    return pa.Table.from_batches([batch.rename_columns(names).cast(schema) for batch in batches], schema)


def _merge(stars: RDD[pa.Table], max_driver_edges: int) -> pa.Table | None:
    """Merges the stars of all partitions on the driver, unless they are too many."""
    count = stars.map(len).sum()
    return _stars(_concatenate(stars.collect())) if count <= max_driver_edges else None


def _concatenate(tables: list[pa.Table]) -> pa.Table:
    import pyarrow as pa

    return pa.concat_tables([table([], "node", "other"), *tables])


def _stars(edges: pa.Table) -> pa.Table:
    return table([record_batch(_core.exchange.stars(edges))], "node", "other")


def _frame(spark: SparkSession, stars: RDD[pa.Table]) -> DataFrame:
    return to_frame(spark, stars.flatMap(lambda star: star.to_batches()), "node long, other long")


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
