"""Tweezer with names that a model tells: spaCy, Stanza, or whatever a user has.

    detector = parse("tweezer-set").named_by(load("spacy:en_core_web_sm"))
    samestory.relate(articles, detector)

It works through an index, batch by batch, since a model lives in Python; signatures, keys and comparison are those of
the inner detector. Not in the table of detectors: a model cannot be written in a spec.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from samestory import _core
from samestory.detectors.base import Detector
from samestory.detectors.shared_names import Shingle, alone, evidence
from samestory.detectors.tweezer import NameShingles
from samestory.entities.models import Model, named
from samestory.model import Evidence, Features, Kind, Overlap, Overlaps, Pairs, Ragged, Signatures, Span

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True)
class Modelled(Detector):
    """A form of Tweezer whose names a model tells."""

    name: ClassVar[str] = "modelled"
    sees: ClassVar[str] = "what a form of Tweezer sees, with the names of a model"
    reports: ClassVar[frozenset[Kind]] = frozenset(Kind) - {Kind.NONE}

    inner: NameShingles
    model: Model

    def _names(self, features: Features) -> _core.Recogniser:
        texts = features.compared
        return _core.Recogniser.given(texts, named(self.model, texts, features.languages))

    def sign(self, features: Features) -> Signatures:
        """See the base."""
        import numpy as np

        native = self.inner.native_with(self._names(features))
        values, offsets = native.sign_texts(
            features.compared, features.compared_titles, features.languages, features.microseconds
        )
        return Signatures.of(values, np.frombuffer(offsets, np.int64))

    def keys(self, signatures: Signatures) -> Ragged:
        """See the base."""
        return self.inner.keys(signatures)

    def quorum(self, fewer: NDArray[np.int64]) -> NDArray[np.int64]:
        """See the base."""
        return self.inner.quorum(fewer)

    def compare(self, left: Signatures, right: Signatures, pairs: Pairs) -> Overlaps:
        """See the base."""
        return self.inner.compare(left, right, pairs)

    def told(self, overlap: Overlap, left: str, right: str) -> str:
        """See the base."""
        return self.inner.told(overlap, left, right)

    def _shingles(self, features: Features) -> list[Shingle]:
        return self.inner.shingles(features, self._names(features))

    def explain(self, left: Features, right: Features) -> list[Evidence]:
        """See the base."""
        return evidence(left, right, self._shingles)

    def alone(self, left: Features, right: Features, evidence: Sequence[Evidence]) -> tuple[list[Span], list[Span]]:
        """See the base."""
        return alone(left, right, evidence, self._shingles)

    def fingerprint(self) -> str:
        """See the base; whoever changes the model must tell by its name."""
        return f"{self.inner.fingerprint()}-{getattr(self.model, '__qualname__', type(self.model).__qualname__)}"
