"""What others have too: ids, signatures and keys are asked about in a dozen bits each, before any of them moves.

Most keys of an article are its own, most ids and signatures come once. Every home asks the parts who else has what it
has; only what somebody else may have, or what is there twice, is worth a way.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from samestory import _core
from samestory.model import Ragged, Signatures
from samestory.spark.blobs import deal, indexed, side_by_side
from samestory.spark.layout import Layout
from samestory.spark.recipe import Recipe
from samestory.spark.signing import Home, column

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa
    from numpy.typing import NDArray
    from pyspark import RDD
    from pyspark.core.broadcast import Broadcast

#: How many things an article is asked about for, about.
THINGS = 64


@dataclass
class Shared:
    """Of the articles of a home, row by row: may somebody else have the id, the signature; each of the keys?"""

    ids: NDArray[np.bool_]
    signatures: NDArray[np.bool_]
    keys: NDArray[np.uint8]
    """Eight to a byte, row after row."""

    def of_keys(self, keys: Ragged) -> pa.Array:
        """The same of the keys, as rows that stand beside theirs."""
        import numpy as np

        every = np.unpackbits(self.keys, count=len(keys.values))
        return Ragged.of(every, keys.offsets).array


def ask_around(
    homes: RDD[Home], layout: Broadcast[Layout], recipe: Broadcast[Recipe], articles: int, parts: int
) -> RDD[Shared]:
    """Asks, and hears."""
    bits = _core.bits_for(THINGS * articles)
    count = homes.getNumPartitions()

    def asked(home: int, value: Home) -> Iterator[Any]:
        hashes = _hashes(home, value, layout.value, recipe.value)
        for part, parcel in enumerate(_core.ask(hashes, bits, parts)):
            yield part, (home, parcel)

    def answered(part: int, dealt: list[Any]) -> Iterator[Any]:
        answers = _core.answer([parcel for _, parcel in dealt])
        for (home, _), answer in zip(dealt, answers, strict=True):
            yield home, (part, answer)

    def heard(home: int, both: tuple[list[Any], Home]) -> Iterator[Shared]:
        import numpy as np

        answers, value = both
        hashes = _hashes(home, value, layout.value, recipe.value)
        known = np.frombuffer(_core.heard(hashes, bits, [answer for _, answer in answers]), np.uint8)
        rows = len(value.articles)
        yield Shared(known[:rows] > 0, known[rows : 2 * rows] > 0, np.packbits(known[2 * rows :]))

    answers = deal(indexed(deal(indexed(homes, asked), parts), answered), count)
    return indexed(side_by_side(answers, homes), heard)


def _hashes(home: int, value: Home, layout: Layout, recipe: Recipe) -> NDArray[np.uint64]:
    """Of the ids, of the signatures, of the keys."""
    import numpy as np
    import pyarrow as pa

    signatures = Signatures(value.articles["signature"].combine_chunks())
    keys = np.ascontiguousarray(recipe.detector.keys(signatures).values, np.int64)
    whole = (value.ids(layout, home).cast(pa.binary()), signatures.array)
    return np.concatenate([*(prints(each)[:, 0] for each in whole), np.frombuffer(_core.hashes_of(keys), np.uint64)])


def prints(rows: pa.Array) -> NDArray[np.uint64]:
    """Two numbers for every row of bytes: the same for the same bytes, and for no others."""
    import numpy as np

    return np.frombuffer(_core.prints(*column(rows)), np.uint64).reshape(-1, 2)
