"""The main jobs on frames of Spark: relate, find, group, in the words of the one-machine library."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from samestory.detectors import Detector
from samestory.explanation import chosen_or_default
from samestory.groups import Choice
from samestory.groups import group as group_here
from samestory.model import Kind
from samestory.spark.blobs import from_batches, to_frame
from samestory.spark.components import columns, components, frame_of
from samestory.spark.job import Job
from samestory.spark.lines import group_batches, group_schema
from samestory.spark.reading import Input
from samestory.spark.session import session

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import DataFrame

#: What a relation is, as columns.
RELATION = ("left", "right", "kind", "forward", "backward", "detector", "score")


def job(
    articles: DataFrame | str,
    detector: Detector | str | None = None,
    against: DataFrame | str | None = None,
    parts: int = 0,
    fields: Mapping[str, str] | None = None,
) -> Job:
    """A job over frames or paths, for those who want its relations, its groups and its summary.

    The columns of a frame are known by the same names as fields of files. A frame has no other order than that of its
    partitions and rows: of articles with one id the first stays.
    """
    inputs = [] if against is None else [Input(against, False, 0)]
    return Job(session(), chosen_or_default(detector), [*inputs, Input(articles, True, 1)], fields or {}, parts=parts)


def relate(
    articles: DataFrame | str,
    detector: Detector | str | None = None,
    against: DataFrame | str | None = None,
    parts: int = 0,
    fields: Mapping[str, str] | None = None,
) -> DataFrame:
    """What articles have to do with each other and with older ones: left, right, kind, shares, detector, score."""
    return job(articles, detector, against, parts, fields).relations().select(*RELATION)


def find(
    articles: DataFrame | str,
    detector: Detector | str | None = None,
    against: DataFrame | str | None = None,
    choice: Choice | None = None,
    parts: int = 0,
    fields: Mapping[str, str] | None = None,
) -> DataFrame:
    """Groups of articles that are one story, articles alone among them, each with its certificate."""
    work = job(articles, detector, against, parts, fields)
    return frame_of_groups(work, choice or Choice(work.detector.grouping))


def frame_of_groups(work: Job, choice: Choice) -> DataFrame:
    """The groups of a job as a frame."""
    from pyspark.sql.pandas.types import from_arrow_schema

    batches = work.groups(choice).mapPartitions(lambda rows: group_batches(iter(rows)))
    return to_frame(work.spark, batches, from_arrow_schema(group_schema()))


def group(relations: DataFrame, choice: Choice | None = None, articles: DataFrame | None = None) -> DataFrame:
    """Groups of relations that were made elsewhere, component by component.

    The article with most relations stands for its group. With `articles`, a frame with a column `id`, those without
    relations come as groups of one.
    """
    from pyspark.sql.pandas.types import from_arrow_schema

    how = choice or Choice()
    names = tuple(name for name in RELATION if name != "score" or name in relations.columns)
    told = relations.selectExpr(*names, "xxhash64(left) as a", "xxhash64(right) as b")
    kinds = ", ".join(f"'{kind}'" for kind in Kind if kind is not Kind.NONE)
    edges = from_batches(told.filter(f"kind in ({kinds})").select("a", "b"), columns)
    spark = relations.sparkSession
    labels = frame_of(spark, components(spark, edges))
    placed = told.join(labels, told["b"] == labels["node"], "left").drop("node")
    placed = placed.selectExpr(*names, "coalesce(other, b) as component")

    def grouped(table: pa.Table) -> pa.Table:
        import pyarrow as pa

        rows = table.select(list(names)).to_pylist()
        rows.sort(key=lambda row: (row["left"], row["right"]))
        return pa.Table.from_batches(_batches(group_here(rows, how)), schema=group_schema())

    out = placed.groupBy("component").applyInArrow(grouped, from_arrow_schema(group_schema()))
    if articles is None:
        return out
    named = relations.selectExpr("left as id").union(relations.selectExpr("right as id"))
    alone = (
        articles.select("id").join(named, "id", "left_anti").selectExpr("id as representative", "array(id) as members")
    )
    return out.unionByName(alone, allowMissingColumns=True)


def _batches(groups: list[Any]) -> Iterator[pa.RecordBatch]:
    """Groups of the library as batches of a frame."""
    import pyarrow as pa

    rows = []
    for each in groups:
        row = each.as_dict(0)
        link = each.weakest and {
            "left": each.weakest.left,
            "right": each.weakest.right,
            **each.weakest.overlap._asdict(),
        }
        outside = each.nearest and {"id": each.nearest.id, "why": each.nearest.why, **each.nearest.overlap._asdict()}
        row.update(weakest=link, nearest=outside, forced=each.forced)
        del row["group"]
        rows.append(row)
    yield pa.RecordBatch.from_pylist(rows, schema=group_schema())
