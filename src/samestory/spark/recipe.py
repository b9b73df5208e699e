"""The serialised form of a detector for tasks: spec and statistics, restored once per process."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from samestory.detectors import Detector, parse
from samestory.detectors.engine import EngineDetector
from samestory.errors import SamestoryError


@dataclass(frozen=True)
class Recipe:
    """Everything needed to restore a detector."""

    spec: str
    state: bytes
    custom: Detector | None = None
    """A detector that cannot be restored from a spec, pickled."""
    within: int | None = None
    """Most days between related articles."""

    @classmethod
    def from_detector(cls, detector: Detector, within: int | None = None) -> Recipe:
        """Returns the recipe of a detector, with its statistics if it is fitted."""
        state = detector.state() if detector.fitted else b""
        try:
            if parse(str(detector)) == detector:
                return cls(str(detector), state, within=within)
        except SamestoryError:
            pass
        return cls(str(detector), state, detector, within)

    @property
    def detector(self) -> Detector:
        """The restored detector."""
        return _restore(self)

    @property
    def engine(self) -> EngineDetector:
        """The restored detector by the rows of the engine: signatures of tasks are such rows."""
        return self.detector.engine


@lru_cache(maxsize=4)
def _restore(recipe: Recipe) -> Detector:
    detector = recipe.custom or parse(recipe.spec)
    detector = detector.restore(recipe.state) if recipe.state else detector
    return detector.within(recipe.within)
