"""Candidate pairs to what they have to do with each other.

The home of a pair asks the homes of its articles for them; the signature of an article comes once to every home that
needs it. Both at hand, the keys that they share are counted exactly, and whoever shares enough is compared.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from samestory import _core
from samestory.model import Pairs, Signatures
from samestory.spark.blobs import deal, indexed, side_by_side
from samestory.spark.layout import Layout
from samestory.spark.meeting import Candidates
from samestory.spark.recipe import Recipe
from samestory.spark.signing import Home, column

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa
    from numpy.typing import NDArray
    from pyspark import RDD
    from pyspark.core.broadcast import Broadcast

    Numbers = NDArray[np.int64]


#: Numbers of `_core.WHYS` that mean a template.
TEMPLATE_WHYS = (2, 4)


@dataclass
class Compared:
    """The pairs of a home that were compared, and the articles, all sorted by number."""

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

    @property
    def templates(self) -> int:
        """How many pairs are reports from one template, with other facts or other figures."""
        import numpy as np

        return int(np.isin(self.whys, TEMPLATE_WHYS).sum())

    def rows(self, numbers: Numbers) -> NDArray[np.int64]:
        """The rows of these articles."""
        import numpy as np

        return np.searchsorted(self.numbers, numbers)


ABOUT = ("id", "published", "source", "words")


def requests(found: RDD[Candidates], layout: Broadcast[Layout], homes: int) -> RDD[Any]:
    """For every home the articles that homes ask for, itself among them: (home, originals, copies)."""

    def asked(home: int, value: Candidates) -> Iterator[Any]:
        at, also = layout.value.homes_of(value.originals), layout.value.homes_of(value.copies)
        for of in range(homes):
            originals, copies = value.originals[at == of], value.copies[also == of]
            if len(originals) or len(copies):
                yield of, (home, originals, copies)

    return deal(indexed(found, asked), homes)


def compare(
    found: RDD[Candidates],
    asked: RDD[Any],
    homes: RDD[Home],
    layout: Broadcast[Layout],
    recipe: Broadcast[Recipe],
    skipped: Broadcast[Any],
) -> RDD[Compared]:
    """What all candidate pairs have to do with each other."""

    def answered(home: int, both: tuple[list[Any], Home]) -> Iterator[Any]:
        for to, answer in _answers(home, *both, layout.value):
            if to != home:
                yield to, answer.packed()

    def compared(home: int, all_four: tuple[list[Any], Candidates, list[Any], Home]) -> Iterator[Compared]:
        told, wanted, requested, value = all_four
        own = _answers(home, [each for each in requested if each[0] == home], value, layout.value)
        answers = [*(Answer.unpacked(each) for each in told), *(answer for _, answer in own)]
        yield _compared(answers, wanted, recipe.value, skipped.value)

    dealt = deal(indexed(side_by_side(asked, homes), answered), homes.getNumPartitions())
    return indexed(side_by_side(dealt, found, asked, homes), compared)


class Answer(NamedTuple):
    """What a home tells of articles: their numbers, originals first; what is known of them; signatures of originals."""

    home: int
    numbers: Numbers
    about: pa.Table
    signatures: pa.Array

    def packed(self) -> tuple[Any, ...]:
        """For the way: words of signatures by their ranks."""
        values, offsets = column(self.signatures)
        if (offsets % 4).any():
            return self
        return (*self[:3], _core.pack_words(values, offsets))

    @classmethod
    def unpacked(cls, told: tuple[Any, ...]) -> Answer:
        """As it was."""
        import numpy as np

        home, numbers, about, signatures = told
        if isinstance(signatures, bytes):
            values, offsets = _core.unpack_words(signatures)
            signatures = Signatures.of(values, np.frombuffer(offsets, np.int64)).array
        return cls(home, numbers, about, signatures)


def _answers(home: int, requested: list[Any], value: Home, layout: Layout) -> Iterator[tuple[int, Answer]]:
    """What the home answers to each request."""
    import numpy as np

    numbers = value.numbers(layout, home)
    order = np.argsort(numbers)
    ids, signatures = value.ids(layout, home), value.articles["signature"].combine_chunks()
    for to, originals, copies in requested:
        mine, theirs = (order[np.searchsorted(numbers, some, sorter=order)] for some in (originals, copies))
        every = np.concatenate([mine, theirs])
        about = value.articles.select(ABOUT[1:]).take(every).add_column(0, "id", ids.take(every))
        yield to, Answer(home, numbers[every], about, signatures.take(mine))


def _compared(answers: list[Answer], found: Candidates, recipe: Recipe, skipped: Any) -> Compared:
    import numpy as np
    import pyarrow as pa

    detector = recipe.detector
    none = np.zeros(0, np.int64)
    signed = np.concatenate([none, *(each.numbers[: len(each.signatures)] for each in answers)])
    order = np.argsort(signed)
    every = pa.concat_arrays([pa.array([], pa.large_binary()), *(each.signatures for each in answers)])
    signatures = Signatures(every.take(order))
    signed = signed[order]
    # by the article that is asked about: a comparer takes it in once for all whom it is compared with
    turn = np.lexsort((found.left, found.right))
    pairs = Pairs(np.searchsorted(signed, found.right[turn]), np.searchsorted(signed, found.left[turn]))
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
    numbers = np.concatenate([none, *(each.numbers for each in answers)])
    order = np.argsort(numbers)
    tables = [each.about for each in answers]
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
