"""Keeps the strongest relations of each article to earlier ones, by the rule of one machine."""

from __future__ import annotations

from typing import TYPE_CHECKING

from samestory.model import CLOSEST_FIRST

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

#: Columns of relations that only their rank depends on: the later and the earlier article, and the source of that one.
RANK_COLUMNS = ("later", "earlier", "source")


def strongest(relations: DataFrame, limit: int) -> DataFrame:
    """Returns at most `limit` relations of each later article: the strongest of each source, then the second of each.

    The closest kinds are the strongest, then the highest scores.
    """
    from pyspark.sql import Window, functions

    kinds = functions.array(*(functions.lit(str(kind)) for kind in CLOSEST_FIRST))
    by_strength = [
        functions.array_position(kinds, functions.col("kind")),
        functions.col("score").desc(),
        functions.col("earlier"),
    ]
    in_source = Window.partitionBy("later", "source").orderBy(*by_strength)
    in_article = Window.partitionBy("later").orderBy("place", *by_strength)
    placed = relations.withColumn("place", functions.row_number().over(in_source))
    ranked = placed.withColumn("rank", functions.row_number().over(in_article))
    return ranked.filter(ranked["rank"] <= limit).drop("place", "rank", *RANK_COLUMNS)


def count_weaker(relations: DataFrame, limit: int) -> int:
    """Returns the number of relations that `strongest` leaves out."""
    from pyspark.sql import functions

    counts = relations.groupBy("later").count()
    weaker = counts.select(functions.sum(functions.greatest(functions.col("count") - limit, functions.lit(0)))).head()
    return int(weaker[0] or 0) if weaker else 0
