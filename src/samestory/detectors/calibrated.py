"""Native detectors that are calibrated on the collection: see `Detector.calibrate`."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Self

from samestory import _core
from samestory.detectors.engine import Sample
from samestory.detectors.native import Native
from samestory.model import Features, Signatures


@dataclass(frozen=True)
class Calibrated(Native):
    """A native detector whose decisions depend on the collection.

    A batch run calibrates it after reading. An index, a stream and single comparisons use its stored calibration.
    """

    calibration: bytes = field(default=b"", repr=False, compare=False, kw_only=True)

    @cached_property
    def native(self) -> _core.detectors.Detector:
        return _core.detectors.Detector(self.name, self.arguments(), calibration=self.calibration)

    @property
    def calibrates(self) -> bool:
        return True

    def fit(self, corpus: Iterable[Features]) -> Self:
        """Returns this detector, calibrated on a corpus."""
        signed = [(features, self.sign(features)) for features in corpus]
        ids = [id for features, _ in signed for id in features.ids]
        if not ids:
            return self
        sources = [_core.detectors.source_hash(source or "") for features, _ in signed for source in features.sources]
        return self.calibrate(Sample(ids, Signatures.concat([part for _, part in signed]), sources, len(ids)))

    def calibrate(self, sample: Sample) -> Self:
        return self.restore(self.engine.calibration(sample))

    def state(self) -> bytes:
        return self.calibration

    def restore(self, state: bytes) -> Self:
        return replace(self, calibration=state) if state else self
