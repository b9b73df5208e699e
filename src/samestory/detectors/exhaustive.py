"""Exhaustive: another detector without its keys; all pairs are compared.

Signatures and comparison are those of the inner detector. Relations that only this one
reports were missed by the keys of the inner one.
Keys: one for all articles, so that time is quadratic in the number of articles. For measuring, not for production.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, ClassVar, Self

from samestory import _core
from samestory.detectors.engine import Sample
from samestory.detectors.native import Native
from samestory.errors import ParameterError
from samestory.model import Features, Kind, Overlap
from samestory.specs import parameter
from samestory.text import Counting


@dataclass(frozen=True)
class Exhaustive(Native):
    """Finds what another detector would find if its keys missed no pair.

    >>> str(Exhaustive(inner="ffp(threshold=0.5)"))
    "exhaustive(inner='ffp(threshold=0.5)')"
    """

    name: ClassVar[str] = "exhaustive"
    summary: ClassVar[str] = "what another detector finds if all pairs are compared"
    reports: ClassVar[frozenset[Kind]] = frozenset(Kind) - {Kind.NONE}

    inner: str = parameter("ffp", "the spec of the detector whose keys are not used")
    fitted_inner: Native | None = field(default=None, repr=False, compare=False)

    def __post_init__(self) -> None:
        super().__post_init__()
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
    def native(self) -> _core.detectors.Detector:
        return _core.detectors.Detector(self.name, {}, inner=self.detector.native)

    @property
    def days_limit(self) -> int | None:
        return self.detector.days_limit

    @property
    def fitted(self) -> bool:
        return self.detector.fitted

    @property
    def calibrates(self) -> bool:
        return self.detector.calibrates

    def calibrate(self, sample: Sample) -> Self:
        return self.restore(self.engine.calibration(sample))

    def reasons(self, left: Features, right: Features) -> tuple[str, ...]:
        return self.detector.reasons(left, right)

    def describe(self, overlap: Overlap, left: str, right: str) -> str:
        return self.detector.describe(overlap, left, right)

    def counter(self) -> Counting:
        return self.detector.counter()

    def weighed(self, counts: Any) -> Self:
        return replace(self, fitted_inner=self.detector.weighed(counts))

    def fit(self, corpus: Iterable[Features]) -> Self:
        return replace(self, fitted_inner=self.detector.fit(corpus))

    def state(self) -> bytes:
        return self.detector.state()

    def restore(self, state: bytes) -> Self:
        return replace(self, fitted_inner=self.detector.restore(state))
