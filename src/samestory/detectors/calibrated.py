"""Native detectors that are calibrated on the collection: see `Detector.calibrate`."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Self

from samestory import _core
from samestory.detectors.base import Sample
from samestory.detectors.native import Native
from samestory.model import Features, Signatures


def calibration_of(native: _core.Detector, sample: Sample) -> bytes:
    """The calibration of a native detector on a sample."""
    columns = list(sample.ids), sample.signatures.columns, list(sample.sources)
    return native.calibrate(*columns, sample.total, sample.as_is)


@dataclass(frozen=True)
class Calibrated(Native):
    """A native detector whose decisions depend on the collection.

    A batch run calibrates it after reading. An index, a stream and single comparisons use the calibration that it has.
    """

    calibration: bytes = field(default=b"", repr=False, compare=False, kw_only=True)

    @cached_property
    def native(self) -> _core.Detector:
        """See the base."""
        return _core.Detector(self.name, self.arguments(), calibration=self.calibration)

    @property
    def calibrates(self) -> bool:
        """See the base."""
        return True

    def fit(self, corpus: Iterable[Features]) -> Self:
        """See the base: calibrates it on that corpus."""
        signed = [(features, self.sign(features)) for features in corpus]
        ids = [id for features, _ in signed for id in features.ids]
        if not ids:
            return self
        sources = [_core.source_hash(source or "") for features, _ in signed for source in features.sources]
        return self.calibrate(Sample(ids, Signatures.concat([part for _, part in signed]), sources, len(ids)))

    def calibrate(self, sample: Sample) -> Self:
        """See the base."""
        return self.restore(calibration_of(self.native, sample))

    def state(self) -> bytes:
        """See the base."""
        return self.calibration

    def restore(self, state: bytes) -> Self:
        """See the base."""
        return replace(self, calibration=state) if state else self
