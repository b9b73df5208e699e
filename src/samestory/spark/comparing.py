"""Candidate pairs to what they have to do with each other.

The part of a pair asks the homes of its articles for them; the signature of an article comes once to every part that
needs it. Both at hand, the keys that they share are counted exactly, and whoever shares enough is compared.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from samestory import _core
from samestory.model import Pairs, Signatures
from samestory.spark.blobs import deal, indexed, side_by_side
from samestory.spark.layout import Layout
from samestory.spark.meeting import Candidates
from samestory.spark.recipe import Recipe
from samestory.spark.signing import Home

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa
    from numpy.typing import NDArray
    from pyspark import RDD
    from pyspark.core.broadcast import Broadcast

    Numbers = NDArray[np.int64]


@dataclass
class Compared:
    """The pairs of a part that were compared, and the articles, all sorted by number."""

    numbers: Numbers
    about: pa.Table
    """Id, time, source and words of each."""
    left: Numbers
    right: Numbers
    shared: NDArray[np.uint8]
    """How many keys they share, as far as a byte goes."""
    forward: NDArray[np.float64]
    backward: NDArray[np.float64]
    kinds: NDArray[np.uint8]
    whys: NDArray[np.uint8]
    scores: NDArray[np.float64]
    compared: int

    def rows(self, numbers: Numbers) -> NDArray[np.int64]:
        """The rows of these articles."""
        import numpy as np

        return np.searchsorted(self.numbers, numbers)


ABOUT = ("id", "published", "source", "words")


def requests(found: RDD[Candidates], layout: Broadcast[Layout], homes: int) -> RDD[Any]:
    """For every home the articles that the parts ask for: (part, originals, copies)."""

    def asked(part: int, value: Candidates) -> Iterator[Any]:
        at, also = layout.value.homes_of(value.originals), layout.value.homes_of(value.copies)
        for home in range(homes):
            originals, copies = value.originals[at == home], value.copies[also == home]
            if len(originals) or len(copies):
                yield home, (part, originals, copies)

    return deal(indexed(found, asked), homes)


def compare(
    found: RDD[Candidates],
    asked: RDD[Any],
    homes: RDD[Home],
    layout: Broadcast[Layout],
    recipe: Broadcast[Recipe],
    skipped: Broadcast[Any],
    parts: int,
) -> RDD[Compared]:
    """What all candidate pairs have to do with each other."""
    import numpy as np

    def answered(home: int, both: tuple[list[Any], Home]) -> Iterator[Any]:
        requested, value = both
        numbers = value.numbers(layout.value, home)
        order = np.argsort(numbers)
        ids = value.ids(layout.value, home)
        for part, originals, copies in requested:
            mine, theirs = (order[np.searchsorted(numbers, some, sorter=order)] for some in (originals, copies))
            every = np.concatenate([mine, theirs])
            about = value.articles.select(ABOUT[1:]).take(every).add_column(0, "id", ids.take(every))
            yield part, (home, numbers[every], about, value.articles["signature"].take(mine))

    def compared(part: int, both: tuple[list[Any], Candidates]) -> Iterator[Compared]:
        yield _compared(*both, recipe.value, skipped.value)

    dealt = deal(indexed(side_by_side(asked, homes), answered), parts)
    return indexed(side_by_side(dealt, found), compared)


def _compared(answers: list[Any], found: Candidates, recipe: Recipe, skipped: Any) -> Compared:
    import numpy as np
    import pyarrow as pa

    detector = recipe.detector
    none = np.zeros(0, np.int64)
    signed = np.concatenate([none, *(numbers[: len(signatures)] for _, numbers, _, signatures in answers)])
    column = pa.chunked_array([chunk for *_, some in answers for chunk in some.chunks], pa.large_binary())
    order = np.argsort(signed)
    signatures = Signatures(pa.concat_arrays([pa.array([], pa.large_binary()), *column.chunks]).take(order))
    signed = signed[order]
    pairs = Pairs(np.searchsorted(signed, found.right), np.searchsorted(signed, found.left))
    keys = detector.keys(signatures)
    lengths = keys.lengths()
    fewer = np.minimum(lengths[pairs.left], lengths[pairs.right])
    columns = (np.ascontiguousarray(keys.values, np.int64), keys.offsets)
    shared = np.frombuffer(_core.shared_keys(columns, pairs, skipped), np.uint32).astype(np.int64)
    itself = pairs.left == pairs.right
    enough = itself | (shared >= detector.quorum(fewer))
    pairs = Pairs(pairs.left[enough], pairs.right[enough])
    itself, shared, fewer = itself[enough], shared[enough], fewer[enough]
    worth = itself | detector.admits(signatures, signatures, pairs, shared, fewer)
    pairs, shared = Pairs(pairs.left[worth], pairs.right[worth]), shared[worth]
    overlaps = detector.compare(signatures, signatures, pairs)
    whys = np.zeros(len(shared), np.uint8) if overlaps.whys is None else overlaps.whys
    numbers = np.concatenate([none, *(each[1] for each in answers)])
    order = np.argsort(numbers)
    tables = [each[2] for each in answers]
    about = pa.concat_tables(tables).take(order) if tables else about_schema().empty_table()
    return Compared(
        numbers[order],
        about.combine_chunks(),
        signed[pairs.left],
        signed[pairs.right],
        np.minimum(shared, 255).astype(np.uint8),
        np.asarray(overlaps.forward, np.float64),
        np.asarray(overlaps.backward, np.float64),
        overlaps.kinds,
        whys,
        np.asarray(overlaps.score, np.float64),
        int(worth.sum()),
    )


def about_schema() -> pa.Schema:
    """What is known of an article beside its signature."""
    import pyarrow as pa

    return pa.schema([("id", pa.string()), ("published", pa.int64()), ("source", pa.uint64()), ("words", pa.uint32())])
