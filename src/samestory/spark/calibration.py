"""Calibration of a detector on the whole collection, from a sample of signatures selected by the hashes of ids."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from samestory import _core
from samestory.detectors.engine import Sample
from samestory.model import Signatures
from samestory.spark.collection import BroadcastCollection
from samestory.spark.partitions import map_indexed
from samestory.spark.recipe import Recipe
from samestory.spark.signing import SignedPartition

if TYPE_CHECKING:
    from pyspark import RDD
    from pyspark.core.broadcast import Broadcast


def sample(partitions: RDD[SignedPartition], collection: Broadcast[BroadcastCollection], as_is: bool) -> Sample:
    """Draws a sample from all partitions; replaced and duplicate articles are left out."""
    import pyarrow as pa

    def draw(partition: int, value: SignedPartition) -> Iterator[Any]:
        rows = collection.value.present(partition, value)
        ids = value.ids(collection.value.layout, partition).take(rows).to_pylist()
        places = _core.detectors.drawn(ids)
        signatures = value.articles["signature"].combine_chunks().take(rows[places])
        sources = value.articles["source"].to_numpy()[rows[places]].tolist()
        yield [ids[at] for at in places], signatures, sources, len(ids)

    parts = map_indexed(partitions, draw).collect()
    ids = [id for part in parts for id in part[0]]
    signatures = pa.concat_arrays([pa.array([], pa.large_binary()), *(part[1] for part in parts)])
    sources = [source for part in parts for source in part[2]]
    return Sample(ids, Signatures(signatures), sources, sum(part[3] for part in parts), as_is)


def with_boilerplate(partitions: RDD[SignedPartition], collection: Broadcast[BroadcastCollection]) -> int:
    """Counts the articles with boilerplate that comparisons ignore; replaced and duplicate articles are left out."""

    def count(partition: int, value: SignedPartition) -> Iterator[int]:
        rows = collection.value.present(partition, value)
        signatures = Signatures(value.articles["signature"].combine_chunks().take(rows))
        yield len(collection.value.recipe.engine.with_boilerplate(signatures))

    return sum(map_indexed(partitions, count).collect())


def apply_calibration(partition: SignedPartition, recipe: Recipe) -> SignedPartition:
    """Fills in the calibrated fields of the signatures of a partition."""
    signed = recipe.engine.apply_calibration(Signatures(partition.articles["signature"].combine_chunks()))
    at = partition.articles.schema.get_field_index("signature")
    return replace(partition, articles=partition.articles.set_column(at, "signature", signed.array))
