"""Tweezer with the names of an external model: spaCy, Stanza, or one of the user.

    detector = parse("tweezer-set").named_by(load("spacy:en_core_web_sm"))
    samestory.relate(articles, detector=detector)

The model names the entities in batches of articles; signatures, keys and comparison are those of the inner detector.
Not in the table of detectors: a model cannot be part of a spec.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from samestory import _core
from samestory.detectors.base import Detector
from samestory.detectors.native import sign
from samestory.detectors.shared_names import Shingle, alone, evidence
from samestory.entities.models import Model, named
from samestory.model import Evidence, Features, Kind, Overlap, Overlaps, Pairs, Ragged, Signatures, Span

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from samestory.detectors.tweezer import NameShingles


@dataclass(frozen=True)
class Modelled(Detector):
    """A variant of Tweezer with the names of a model."""

    name: ClassVar[str] = "modelled"
    summary: ClassVar[str] = "what a variant of Tweezer finds, with the names of a model"
    reports: ClassVar[frozenset[Kind]] = frozenset(Kind) - {Kind.NONE}

    inner: NameShingles
    model: Model

    def _native(self, features: Features) -> _core.detectors.Detector:
        """Returns the inner detector with the names of the model in these articles."""
        texts = features.compared
        names = named(self.model, texts, features.languages)
        return self.inner.native_with(_core.html.Recogniser([], list(zip(texts, names, strict=True))))

    def sign(self, features: Features) -> Signatures:
        return sign(self._native(features), features)

    def keys(self, signatures: Signatures) -> Ragged:
        return self.inner.keys(signatures)

    def quorum(self, fewer: NDArray[np.int64]) -> NDArray[np.int64]:
        return self.inner.quorum(fewer)

    def compare(self, left: Signatures, right: Signatures, pairs: Pairs) -> Overlaps:
        return self.inner.compare(left, right, pairs)

    def describe(self, overlap: Overlap, left: str, right: str) -> str:
        return self.inner.describe(overlap, left, right)

    def _shingles(self, features: Features) -> list[Shingle]:
        return self.inner.shingles(features, self._native(features))

    def explain(self, left: Features, right: Features) -> list[Evidence]:
        return evidence(left, right, self._shingles)

    def alone(self, left: Features, right: Features, evidence: Sequence[Evidence]) -> tuple[list[Span], list[Span]]:
        return alone(left, right, evidence, self._shingles)

    def fingerprint(self) -> str:
        """Returns a hash of the inner detector and the name of the model; a changed model needs a new name."""
        return f"{self.inner.fingerprint()}-{getattr(self.model, '__qualname__', type(self.model).__qualname__)}"
