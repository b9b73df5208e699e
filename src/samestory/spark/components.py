"""What hangs together, by large and small stars.

    large star: every article joins its larger neighbours to the smallest of itself and all its neighbours
    small star: every article joins its smaller neighbours and itself to the smallest of them

By turns, until nothing changes: then every component is a star around its smallest article. Both keep what hangs
together together, and no article ever has all of a component to hold.
Kiveris and others (2014), Connected components in MapReduce and beyond. [kiveris2014]
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from samestory.errors import SamestoryError

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

#: Far more turns than any number of articles can need: log2 squared of those that fit in 64 bits.
MOST_TURNS = 64


def components(edges: DataFrame) -> DataFrame:
    """For every article of the edges (`left`, `right`), but the smallest of each component: its component, named by it.

    Columns `node`, `component`.
    """
    apart = edges.filter("left != right").selectExpr("greatest(left, right) as node", "least(left, right) as other")
    current = apart.distinct().localCheckpoint()
    before = _digest(current)
    for _ in range(MOST_TURNS):
        turned = _small_star(_large_star(current)).distinct().localCheckpoint()
        current.unpersist()
        current, digest = turned, _digest(turned)
        if digest == before:
            return current.withColumnRenamed("other", "component")
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
