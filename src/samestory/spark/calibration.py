"""What a detector calibrates of the whole collection: from a sample of the signatures, drawn by the hashes of ids."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from samestory import _core
from samestory.detectors.base import Sample
from samestory.model import Signatures
from samestory.spark.blobs import indexed
from samestory.spark.census import Census
from samestory.spark.layout import Layout
from samestory.spark.recipe import Recipe
from samestory.spark.signing import Home

if TYPE_CHECKING:
    from pyspark import RDD
    from pyspark.core.broadcast import Broadcast


def sample(homes: RDD[Home], layout: Broadcast[Layout], census: Broadcast[Census], as_is: bool) -> Sample:
    """Draws a sample from all partitions; replaced and duplicate articles are left out."""
    import numpy as np
    import pyarrow as pa

    def draw(home: int, value: Home) -> Iterator[Any]:
        here = np.flatnonzero(~census.value.is_gone(value.numbers(layout.value, home)))
        ids = value.ids(layout.value, home).take(here).to_pylist()
        places = _core.drawn(ids)
        signatures = value.articles["signature"].combine_chunks().take(here[places])
        sources = value.articles["source"].to_numpy()[here[places]].tolist()
        yield [ids[at] for at in places], signatures, sources, len(ids)

    parts = indexed(homes, draw).collect()
    ids = [id for part in parts for id in part[0]]
    signatures = pa.concat_arrays([pa.array([], pa.large_binary()), *(part[1] for part in parts)])
    sources = [source for part in parts for source in part[2]]
    places = _core.drawn(ids)
    drawn = Signatures(signatures.take(places))
    total = sum(part[3] for part in parts)
    return Sample([ids[at] for at in places], drawn, [sources[at] for at in places], total, as_is)


def with_boilerplate(
    homes: RDD[Home], layout: Broadcast[Layout], census: Broadcast[Census], recipe: Broadcast[Recipe]
) -> int:
    """How many articles have boilerplate that comparisons leave out; replaced and duplicate articles do not count."""
    import numpy as np

    def count(home: int, value: Home) -> Iterator[int]:
        here = np.flatnonzero(~census.value.is_gone(value.numbers(layout.value, home)))
        signatures = Signatures(value.articles["signature"].combine_chunks().take(here))
        yield len(recipe.value.detector.with_boilerplate(signatures))

    return sum(indexed(homes, count).collect())


def apply_calibration(home: Home, recipe: Recipe) -> Home:
    """The articles of a partition with the calibrated fields of their signatures filled in."""
    signed = recipe.detector.apply_calibration(Signatures(home.articles["signature"].combine_chunks()))
    at = home.articles.schema.get_field_index("signature")
    return replace(home, articles=home.articles.set_column(at, "signature", signed.array))
