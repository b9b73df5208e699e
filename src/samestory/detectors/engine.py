"""A detector as the native engine runs it, whether it is written in Rust or in Python."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from samestory import _core
from samestory.model import Overlaps, Pairs, Ragged, Signatures

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True)
class Sample:
    """Signed articles of a collection: those with the smallest hashes of their ids (`_core.detectors.drawn`)."""

    ids: Sequence[str]
    signatures: Signatures
    sources: Sequence[int]
    """Hashes of the sources (`_core.detectors.source_hash`)."""
    total: int
    """Number of articles of the whole collection."""
    as_is: bool = False
    """Whether texts are compared without repairs."""


def limited_to(native: _core.detectors.Detector, days: int) -> _core.detectors.Detector:
    """A native detector for articles at most so many days apart."""
    return _core.detectors.Detector("within", {"days": days}, inner=native)


@dataclass(frozen=True)
class EngineDetector:
    """Compares signatures that are rows of the engine (`Detector.signature_rows`)."""

    native: _core.detectors.Detector

    def keys(self, signatures: Signatures) -> Ragged:
        """Returns the keys of every signature."""
        return Ragged.from_core(self.native.keys(*signatures.columns))

    def quorum(self, fewer: NDArray[np.int64]) -> NDArray[np.int64]:
        """Returns how many keys two articles must share, by the smaller of their numbers of keys."""
        import numpy as np

        return np.asarray(self.native.quorum(np.ascontiguousarray(fewer, np.int64)))

    def admits(
        self, left: Signatures, right: Signatures, pairs: Pairs, shared: NDArray[np.int64], fewer: NDArray[np.int64]
    ) -> NDArray[np.bool_]:
        """Returns which candidates are compared."""
        import numpy as np

        found = self.native.admits(left.columns, right.columns, row_pairs(pairs), shared, fewer)
        return np.asarray(found).view(np.bool_)

    def compare(self, left: Signatures, right: Signatures, pairs: Pairs) -> Overlaps:
        """Compares pairs of rows."""
        return Overlaps.from_core(self.native.compare(left.columns, right.columns, row_pairs(pairs)))

    def calibration(self, sample: Sample) -> bytes:
        """Returns its calibration on a sample; empty if it does not calibrate."""
        columns = list(sample.ids), sample.signatures.columns, list(sample.sources)
        return self.native.calibrate(*columns, sample.total, sample.as_is)

    def apply_calibration(self, signatures: Signatures) -> Signatures:
        """Returns the signatures with their calibrated fields filled in."""
        values, offsets = signatures.columns
        return Signatures.from_offsets(self.native.apply_calibration(values, offsets).values, offsets)

    def with_boilerplate(self, signatures: Signatures) -> Sequence[int]:
        """Returns the rows of the articles with boilerplate that comparisons ignore."""
        return self.native.apply_calibration(*signatures.columns).with_boilerplate


def row_pairs(pairs: Pairs) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Pairs as the native core reads them."""
    import numpy as np

    return np.ascontiguousarray(pairs.left, np.int64), np.ascontiguousarray(pairs.right, np.int64)
