"""Detectors written in Python as the native engine calls them: many articles, or many pairs, at a time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from samestory import _core
from samestory.detectors.user_errors import reported
from samestory.model import Article, Features, Overlaps, Pairs, Signatures
from samestory.text import Counting, prepare

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from samestory.detectors.base import Detector

#: Bytes of signatures or numbers, and where each begins.
Columns = tuple[bytes, Any, Any, Any]
#: Id, title, text, date, source and language of an article; text and title are repaired.
Row = tuple[str, str | None, str, str | None, str | None, str]


def features_of(rows: Sequence[Row]) -> Features:
    """The features of articles that the engine has read and repaired."""
    named = (
        Article(id, text, title=title, published=published, source=source, lang=language or None)
        for id, title, text, published, source, language in rows
    )
    return prepare(named, as_is=True)


class Adapter:
    """A detector as the engine calls it; the engine reads the attributes once."""

    def __init__(self, detector: Detector, has_pairs: bool, has_admits: bool) -> None:
        """Adapts a detector; `has_pairs` and `has_admits`: whether it overrides `pairs` and `admits`."""
        self.detector = detector
        self.days = detector.days_limit
        self.ceiling = detector.ceiling
        self.calibrates, self.is_calibrated = detector.calibrates, detector.is_calibrated
        self.has_pairs, self.has_admits = has_pairs, has_admits

    def sign(self, rows: Sequence[Row]) -> Columns:
        """Signs articles; returns the columns of their signatures and of their keys."""
        import numpy as np

        with reported(self.detector, "sign"):
            signatures = self.detector.sign(features_of(rows))
        with reported(self.detector, "keys"):
            keys = self.detector.keys(signatures)
        return (*signatures.columns, keys.values.astype(np.int64), keys.offsets)

    def compare(self, rows: _core.Rows, left: _core.Column, right: _core.Column) -> tuple[NDArray[Any], ...]:
        """Compares pairs of rows; returns shares, kinds, reasons and scores."""
        import numpy as np

        signatures = Signatures.from_core(rows)
        pairs = Pairs(np.asarray(left), np.asarray(right))
        with reported(self.detector, "compare"):
            found: Overlaps = self.detector.compare(signatures, signatures, pairs)
            return found.columns

    def admits(self, rows: _core.Rows, shared: _core.Column, fewer: _core.Column) -> bytes:
        """Returns for the first row and each of the others whether the pair is compared."""
        import numpy as np

        signatures = Signatures.from_core(rows)
        counts = np.asarray(shared), np.asarray(fewer)
        rights = np.arange(1, len(signatures))
        with reported(self.detector, "admits"):
            admits = self.detector.admits(signatures, signatures, Pairs(np.zeros_like(rights), rights), *counts)
            return np.asarray(admits, np.uint8).tobytes()

    def quorum(self, fewer: int) -> int:
        """Returns how many keys two articles must share."""
        import numpy as np

        with reported(self.detector, "quorum"):
            return int(self.detector.quorum(np.array([fewer], np.int64))[0])

    def candidate_pairs(self, rows: _core.Rows, for_components: bool) -> tuple[NDArray[np.int64], ...]:
        """Returns the candidate pairs of all rows; `for_components`: only a spanning forest, if it is known."""
        import numpy as np

        signatures = Signatures.from_core(rows)
        with reported(self.detector, "links"):
            links = self.detector.links(signatures) if for_components else None
        with reported(self.detector, "pairs"):
            blocks = list(self.detector.pairs(signatures) or ()) if links is None else [links]
        none = np.zeros(0, np.int64)
        columns = zip(Pairs(none, none), *blocks, strict=True)
        return tuple(np.ascontiguousarray(np.concatenate(column), np.int64) for column in columns)

    def calibrate(
        self, ids: Sequence[str], rows: _core.Rows, sources: Sequence[int], total: int, as_is: bool
    ) -> Adapter:
        """Returns the adapter of the detector, calibrated on a sample."""
        from samestory.detectors.engine import Sample

        calibrated = self.detector.calibrate(Sample(ids, Signatures.from_core(rows), sources, total, as_is))
        return Adapter(calibrated, self.has_pairs, self.has_admits)

    def state(self) -> bytes:
        """Returns the calibration of the detector."""
        return self.detector.state()

    def apply_calibration(self, signature: bytes) -> bytes:
        """Returns a signature with its calibrated fields filled in."""
        import numpy as np

        one = Signatures.from_offsets(signature, np.array([0, len(signature)], np.int64))
        return self.detector.apply_calibration(one)[0]


class FeatureCollector(Counting):
    """Collects the features of articles, for detectors that are fitted on a collection: signs nothing."""

    is_sum = False
    days, ceiling, calibrates, is_calibrated, has_pairs, has_admits = None, 0, False, False, False, False

    def __init__(self) -> None:
        self.native = _core.detectors.Detector("python", {}, inner=self)
        self._batches: list[Features] = []

    def sign(self, rows: Sequence[Row]) -> Columns:
        """Keeps the features of articles."""
        import numpy as np

        self._batches.append(features_of(rows))
        none = np.zeros(len(rows) + 1, np.int64)
        return b"", none, none[:0], none

    def add(self, features: Features) -> None:
        self._batches.append(features)

    def counts(self) -> list[Features]:
        """Returns the features of all articles, in batches."""
        return self._batches
