"""Evidence that articles in two languages report one event: the cosine of their vectors, relative to its level.

    log odds = slope · (cosine − level) − intercept

The level measures the cosines of unrelated articles: for an article, the 0.9 quantile of its cosines with up to 200
articles in the other's language; for a pair, the mean of both. A model places some languages nearer to each other than
others, so that every pair of languages has its own level. The reference articles are those with the smallest id hashes,
independent of the order of the articles.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, Self

from samestory.detectors.quantised import QuantisedVectors
from samestory.errors import InputError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

QUANTILE = 0.9
MAX_REFERENCES = 200
#: With fewer articles in a language, the default level of the model is used.
MIN_REFERENCES = 50


class CrossLanguageModel(NamedTuple):
    """The coefficients of an embedding model (benchmarks/across_languages.py)."""

    slope: float
    intercept: float
    level: float
    """The mean level in judged collections."""


#: Models that are aligned across languages; other models relate articles of one language only. Learned on pairs in one
#: language, for lack of others, and tested on German–English ones.
ALIGNED = {"usem3": CrossLanguageModel(9.0, 2.1, 0.245)}

_COUNTS = struct.Struct("<HHI")
_INVALID = "expected reference vectors by language"


@dataclass(frozen=True, eq=False)
class References:
    """The vectors of reference articles, by language number."""

    by_language: dict[int, NDArray[np.int8]]

    @classmethod
    def from_sample(cls, languages: Sequence[int] | NDArray[np.int64], vectors: NDArray[np.int8]) -> Self:
        """Selects the references from a sample that is ordered by id hash."""
        import numpy as np

        numbers = np.asarray(languages)
        return cls({int(n): vectors[numbers == n][:MAX_REFERENCES] for n in np.unique(numbers)})

    def level(self, language: int, vectors: QuantisedVectors, default: float) -> NDArray[np.float64]:
        """Returns the level of every vector against the articles of a language."""
        import numpy as np

        references = self.by_language.get(language)
        if references is None or len(references) < MIN_REFERENCES:
            return np.full(len(vectors.rows), default)
        return np.quantile(vectors.all_cosines(QuantisedVectors.from_int8(references)), QUANTILE, axis=1)

    def to_bytes(self) -> bytes:
        """Serialises the references."""
        parts = [len(self.by_language).to_bytes(4, "little")]
        for language, rows in sorted(self.by_language.items()):
            parts += [_COUNTS.pack(language, len(rows), rows.shape[1]), rows.tobytes()]
        return b"".join(parts)

    @classmethod
    def from_bytes(cls, data: bytes) -> Self:
        """Parses the bytes of `to_bytes`; raises InputError for any others."""
        import numpy as np

        by_language, at = {}, 4
        try:
            for _ in range(int.from_bytes(data[:4], "little")):
                language, count, width = _COUNTS.unpack_from(data, at)
                at += _COUNTS.size
                by_language[language] = np.frombuffer(data, np.int8, count * width, at).reshape(count, width)
                at += count * width
        except (struct.error, ValueError) as error:
            raise InputError(f"{_INVALID}: {error}") from None
        if at != len(data):
            raise InputError(f"{_INVALID}: the length is wrong")
        return cls(by_language)
