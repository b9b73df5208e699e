"""Detectors that are implemented in the native core."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Self

from samestory import _core
from samestory.detectors.base import Detector
from samestory.model import Features, Kind, Overlaps, Pairs, Ragged, Signatures
from samestory.specs import parameter
from samestory.text import Counter, Counting

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


#: The kinds that detectors of containment report.
CONTAINMENT = frozenset({Kind.NEAR, Kind.PART_OF, Kind.HAS_PART})


def stemming_parameter(default: str) -> Any:
    """Declares the stemming of words."""
    return parameter(default, "'F5' keeps the first five letters of a word, 'none' all of it", ("none", "F5"))


def stop_words_parameter(default: bool) -> Any:
    """Declares whether stop words are left out."""
    return parameter(default, "leave the most common words of the language out")


def sign(native: _core.detectors.Detector, features: Features) -> Signatures:
    """The signatures of articles by a detector of the native core."""
    if native.wants_text:
        rows = native.sign(
            features.microseconds,
            texts=features.compared,
            titles=features.compared_titles,
            languages=features.languages,
        )
    else:
        tokens = features.tokens
        rows = native.sign(features.microseconds, tokens=(tokens.values, tokens.offsets))
    return Signatures.from_core(rows)


class Native(Detector):
    """A detector that the native core has under the same name, with the same parameters."""

    signs_exactly: ClassVar[bool] = True
    recalibrates: ClassVar[bool] = True
    has_segments: ClassVar[bool] = True
    _row_format: ClassVar[bytes] = b""

    @cached_property
    def native(self) -> _core.detectors.Detector:
        """The detector of the native core."""
        return _core.detectors.Detector(self.name, self.arguments())

    def arguments(self) -> dict[str, object]:
        """The parameters by name."""
        return {each.name: getattr(self, each.name) for each in fields(self) if each.repr}

    def counter(self) -> Counting:
        """Returns the counter of the terms whose frequencies it needs before it signs; most detectors need none."""
        return Counter()

    def weighed(self, counts: Any) -> Self:
        """Returns this detector with the counts."""
        return self

    @property
    def ceiling(self) -> int:
        return self.native.ceiling

    def apply_calibration(self, signatures: Signatures) -> Signatures:
        return self.engine.apply_calibration(signatures)

    def with_boilerplate(self, signatures: Signatures) -> Sequence[int]:
        return self.engine.with_boilerplate(signatures)

    def malformed_rows(self, rows: Signatures) -> Sequence[int]:
        return ()  # the core refuses them

    def signature_rows(self, features: Features) -> Signatures:
        return self.sign(features)

    def sign(self, features: Features) -> Signatures:
        return sign(self.native, features)

    def keys(self, signatures: Signatures) -> Ragged:
        return self.engine.keys(signatures)

    def quorum(self, fewer: NDArray[np.int64]) -> NDArray[np.int64]:
        return self.engine.quorum(fewer)

    def admits(
        self, left: Signatures, right: Signatures, pairs: Pairs, shared: NDArray[np.int64], fewer: NDArray[np.int64]
    ) -> NDArray[np.bool_]:
        return self.engine.admits(left, right, pairs, shared, fewer)

    def compare(self, left: Signatures, right: Signatures, pairs: Pairs) -> Overlaps:
        return self.engine.compare(left, right, pairs)
