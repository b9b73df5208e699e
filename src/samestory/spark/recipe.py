"""A detector on its way to the tasks: its spec and its statistics, from which each makes it again, once a process."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from samestory.detectors import Detector, Native, parse
from samestory.errors import SamestoryError


@dataclass(frozen=True)
class Recipe:
    """What a detector is made of."""

    spec: str
    state: bytes
    own: Detector | None = None
    """A detector of somebody else, which no spec names."""
    within: int | None = None
    """The most days between related articles."""

    @classmethod
    def of(cls, detector: Detector, within: int | None = None) -> Recipe:
        """That of a detector; its statistics, if it has them already."""
        state = detector.state() if detector.fitted else b""
        try:
            if parse(str(detector)) == detector:
                return cls(str(detector), state, within=within)
        except SamestoryError:
            pass
        return cls(str(detector), state, detector, within)

    @property
    def detector(self) -> Detector:
        """The detector."""
        return _made(self)

    @property
    def is_native(self) -> bool:
        """Is its work done in the native core?"""
        return isinstance(self.detector, Native)


@lru_cache(maxsize=4)
def _made(recipe: Recipe) -> Detector:
    made = recipe.own or parse(recipe.spec)
    made = made.restore(recipe.state) if recipe.state else made
    return made.within(recipe.within) if isinstance(made, Native) else made
