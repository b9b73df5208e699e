"""Exhaustive: another detector without its keys; everybody meets everybody.

Signatures and comparison are those of the inner detector. What it reports and the inner one does not was lost by keys.
Keys: one for all, so that time grows with the square of the number of articles. For measuring, not for use.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, ClassVar, Self

from samestory import _core
from samestory.detectors.base import Sample
from samestory.detectors.calibrated import calibration_of
from samestory.detectors.native import Native
from samestory.errors import ParameterError
from samestory.model import Features, Kind, Overlap
from samestory.specs import parameter
from samestory.text import Counting


@dataclass(frozen=True)
class Exhaustive(Native):
    """What a detector would find if its keys lost nothing.

    >>> str(Exhaustive(inner="ffp(threshold=0.5)"))
    "exhaustive(inner='ffp(threshold=0.5)')"
    """

    name: ClassVar[str] = "exhaustive"
    sees: ClassVar[str] = "what another detector finds, every pair compared"
    reports: ClassVar[frozenset[Kind]] = frozenset(Kind) - {Kind.NONE}

    inner: str = parameter("ffp", "the spec of the detector whose keys are set aside")
    fitted_inner: Native | None = field(default=None, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "inner", str(self._parsed()).removesuffix("()"))

    def _parsed(self) -> Native:
        from samestory.detectors.spec import parse

        inner = parse(self.inner)
        if not isinstance(inner, Native) or isinstance(inner, Exhaustive):
            raise ParameterError(f"{self.name}: inner must be the spec of a native detector, got {self.inner!r}")
        return inner

    @cached_property
    def detector(self) -> Native:
        """The inner detector."""
        return self.fitted_inner or self._parsed()

    @cached_property
    def native(self) -> _core.Detector:
        """See the base."""
        return _core.Detector.exhaustive(self.detector.native)

    @property
    def fitted(self) -> bool:
        """See the base."""
        return self.detector.fitted

    @property
    def calibrates(self) -> bool:
        """See the base."""
        return self.detector.calibrates

    def calibrate(self, sample: Sample) -> Self:
        """See the base."""
        return self.restore(calibration_of(self.native, sample))

    def reasons(self, left: Features, right: Features) -> tuple[str, ...]:
        """See the base."""
        return self.detector.reasons(left, right)

    def told(self, overlap: Overlap, left: str, right: str) -> str:
        """See the base."""
        return self.detector.told(overlap, left, right)

    def counter(self) -> Counting:
        """See the base."""
        return self.detector.counter()

    def weighed(self, counts: Any) -> Self:
        """See the base."""
        return replace(self, fitted_inner=self.detector.weighed(counts))

    def fit(self, corpus: Iterable[Features]) -> Self:
        """See the base."""
        return replace(self, fitted_inner=self.detector.fit(corpus))

    def state(self) -> bytes:
        """See the base."""
        return self.detector.state()

    def restore(self, state: bytes) -> Self:
        """See the base."""
        return replace(self, fitted_inner=self.detector.restore(state))
