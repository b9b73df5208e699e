"""The main jobs on Spark frames: relate, find and group, with the arguments of the library."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from samestory import _core
from samestory.detectors import Detector
from samestory.explanation import chosen_or_default
from samestory.groups import GroupingOptions
from samestory.groups import group as group_here
from samestory.model import Group, Kind
from samestory.old_arguments import accept_old_arguments
from samestory.spark.components import components, table
from samestory.spark.job import Job
from samestory.spark.lines import group_batches, group_schema
from samestory.spark.partitions import from_batches, to_frame
from samestory.spark.reading import Input
from samestory.spark.session import session

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import DataFrame

#: The columns of a relation.
RELATION = ("left", "right", "kind", "forward", "backward", "detector", "score")


@accept_old_arguments("detector", "against", "parts", "fields")
def job(
    articles: DataFrame | str,
    *,
    detector: Detector | str = "reuse",
    against: DataFrame | str | None = None,
    parts: int = 0,
    fields: Mapping[str, str] | None = None,
) -> Job:
    """Returns a job over frames or paths, with relations, groups and a summary.

    Columns of a frame have the same names as fields of files. The order of a frame is that of its partitions and rows:
    of several articles with one id the first is kept.
    """
    inputs = [] if against is None else [Input(against, False, 0)]
    return Job(session(), chosen_or_default(detector), [*inputs, Input(articles, True, 1)], fields or {}, parts=parts)


@accept_old_arguments("detector", "against", "parts", "fields")
def relate(
    articles: DataFrame | str,
    *,
    detector: Detector | str = "reuse",
    against: DataFrame | str | None = None,
    parts: int = 0,
    fields: Mapping[str, str] | None = None,
    max_relations: int | None = None,
) -> DataFrame:
    """Returns the relations between articles, and to older ones: left, right, kind, shares, detector, score.

    `max_relations`: how many relations to earlier articles each article keeps, the strongest, evenly by source; None:
    all.
    """
    work = job(articles, detector=detector, against=against, parts=parts, fields=fields)
    return work.relations(max_relations).select(*RELATION)


@accept_old_arguments("detector", "against", "grouping", "parts", "fields", choice="grouping")
def find(
    articles: DataFrame | str,
    *,
    detector: Detector | str = "reuse",
    against: DataFrame | str | None = None,
    grouping: str | GroupingOptions | None = None,
    representative: str = "longest",
    prefer: Sequence[str] = (),
    parts: int = 0,
    fields: Mapping[str, str] | None = None,
) -> DataFrame:
    """Returns the groups of articles that are the same story, with their certificates; groups of one included."""
    work = job(articles, detector=detector, against=against, parts=parts, fields=fields)
    return frame_of_groups(
        work, GroupingOptions.from_arguments(grouping, representative, prefer, work.detector.grouping)
    )


def frame_of_groups(work: Job, options: GroupingOptions) -> DataFrame:
    """Returns the groups of a job as a frame."""
    from pyspark.sql.pandas.types import from_arrow_schema

    batches = work.groups(options).mapPartitions(group_batches)
    return to_frame(work.spark, batches, from_arrow_schema(group_schema()))


@accept_old_arguments("grouping", "articles", choice="grouping")
def group(
    relations: DataFrame,
    *,
    articles: DataFrame | None = None,
    grouping: str | GroupingOptions | None = None,
) -> DataFrame:
    """Groups given relations, component by component.

    The article with the most relations represents its group. With `articles`, a frame with a column `id`, those without
    relations become groups of one.
    """
    from pyspark.sql.pandas.types import from_arrow_schema

    options = GroupingOptions.from_arguments(grouping, "longest", ())
    names = tuple(name for name in RELATION if name != "score" or name in relations.columns)
    numbered = relations.selectExpr(*names, "xxhash64(left) as a", "xxhash64(right) as b")
    kinds = ", ".join(f"'{kind}'" for kind in Kind if kind is not Kind.NONE)
    related = numbered.filter(f"kind in ({kinds})").select("a", "b")
    edges = from_batches(related, lambda batches: table(batches, "node", "other"))
    spark = relations.sparkSession
    labels = components(spark, edges)
    placed = numbered.join(labels, numbered["b"] == labels["node"], "left").drop("node")
    placed = placed.selectExpr(*names, "coalesce(other, b) as component")

    def grouped(table: pa.Table) -> pa.Table:
        import pyarrow as pa

        rows = table.select(list(names)).to_pylist()
        rows.sort(key=lambda row: (row["left"], row["right"]))
        return pa.Table.from_batches(group_batches(map(_native, group_here(rows, grouping=options))))

    out = placed.groupBy("component").applyInArrow(grouped, from_arrow_schema(group_schema()))
    if articles is None:
        return out
    named = relations.selectExpr("left as id").union(relations.selectExpr("right as id"))
    alone = (
        articles.select("id").join(named, "id", "left_anti").selectExpr("id as representative", "array(id) as members")
    )
    return out.unionByName(alone, allowMissingColumns=True)


def _native(group: Group) -> _core.exchange.Group:
    """Converts a group of the library."""
    weakest = nearest = None
    if link := group.weakest:
        weakest = link.left, link.right, str(link.kind), link.overlap.forward, link.overlap.backward
    if near := group.nearest:
        nearest = near.id, near.overlap.forward, near.overlap.backward, near.why
    return _core.exchange.Group(b"", list(group.members), weakest, nearest, group.forced)
