"""The bootstrap: how much a figure would vary on other stories of the same kind.

A round draws as many units as there are, with replacement, and computes the measure of the sample. The interval is
bias-corrected and accelerated (BCa): percentiles of the rounds, shifted by the distance of their median from the value
and by how the spread changes with it. Plain percentiles are too narrow for shares near 1, where most of ours are.
Efron (1987), Better bootstrap confidence intervals. [efron1987]
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from math import copysign, inf
from statistics import NormalDist

import numpy as np

from samestory.errors import ParameterError
from samestory.lab.measures.data.base import Floats

#: Weights in memory at a time: 32 MB, whatever the number of units and rounds.
MAX_WEIGHTS = 2**22

#: An interval based on fewer units than this is called rough; see docs/concepts/intervals.md for why.
MIN_UNITS = 10

#: Values that differ by less than this, relative to 1 or the value, are equal up to rounding.
ROUNDING_TOLERANCE = 1e-9

_NORMAL = NormalDist()


def drawings(units: int, rounds: int, seed: int) -> Iterator[Floats]:
    """Yield how often each unit is drawn, one row per round, in batches of rounds; deterministic for a seed."""
    if rounds < 1 or isinstance(rounds, bool):
        raise ParameterError(f"bootstrap: rounds must be at least 1, got {rounds!r}")
    random = np.random.default_rng(seed)
    at_once = max(1, MAX_WEIGHTS // max(units, 1))
    for start in range(0, rounds, at_once):
        weights = np.empty((min(at_once, rounds - start), units))
        for row in weights:
            row[:] = np.bincount(random.integers(0, units, units), minlength=units)
        yield weights


@dataclass(frozen=True)
class Rounds:
    """The values of all rounds, the value itself, and the jackknife values (a unit or block of units left out)."""

    value: float
    drawn: Floats
    left_out: Floats
    units: int
    contributing: int
    """Units that contribute to the value: an article that is never reported adds nothing to precision."""

    @cached_property
    def defined(self) -> Floats:
        """The defined values of the rounds, sorted."""
        return np.sort(self.drawn[~np.isnan(self.drawn)])

    @cached_property
    def influence(self) -> Floats:
        """The influence of each unit on the value."""
        defined = self.left_out[~np.isnan(self.left_out)]
        return defined.mean() - defined if len(defined) else defined

    @cached_property
    def no_interval_reason(self) -> str | None:
        """Why there is no reliable interval; None if there is one."""
        if self.units < 2:
            return "all data is one unit: there is nothing to resample"
        if not len(self.defined) or self.defined[-1] - self.defined[0] <= self._rounding:
            # an interval of zero width would claim too much: 0 errors in n still allow a rate of 3/n (95 %)
            agreement = f"all {self.contributing} units agree" if self.contributing > 1 else "one unit decides"
            return f"{agreement}; up to {min(1.0, 3 / max(self.contributing, 1)):.2g} of others may not"
        return None

    @property
    def note(self) -> str | None:
        """A caveat on the interval, or the reason why there is none."""
        if self.no_interval_reason:
            return self.no_interval_reason
        notes = []
        undefined = len(self.drawn) - len(self.defined)
        if undefined:
            notes.append(f"undefined in {undefined} of {len(self.drawn)} rounds")
        if self.effective_units < MIN_UNITS:
            notes.append(f"based on about {max(1, round(self.effective_units))} units: rough")
        return "; ".join(notes) or None

    @property
    def effective_units(self) -> float:
        """Number of equal units with the same spread: small where one large unit or a few errors decide."""
        squares = self.influence**2
        return float(squares.sum()) ** 2 / float((squares**2).sum()) if squares.any() else 0.0

    @cached_property
    def _bias(self) -> float:
        return _NORMAL.inv_cdf(self._share_below(self.value))

    @cached_property
    def _acceleration(self) -> float:
        spread: float = float((self.influence**2).sum()) ** 1.5
        return float((self.influence**3).sum()) / (6 * spread) if spread else 0.0

    @property
    def _rounding(self) -> float:
        return ROUNDING_TOLERANCE * max(1.0, abs(self.value))

    def _share_below(self, value: float) -> float:
        """Return the share of rounds below a value, ties counted half; never 0 or 1, which no sample can prove."""
        rounds = len(self.defined)
        around = np.searchsorted(self.defined, [value - self._rounding, value + self._rounding])
        return min(max(float(around.mean()), 0.5), rounds - 0.5) / rounds

    def interval(self, confidence: float) -> tuple[float, float] | tuple[None, None]:
        """Return the confidence interval; (None, None) where there is no reliable one."""
        if not 0 < confidence < 1:
            raise ParameterError(f"bootstrap: confidence must be between 0 and 1, got {confidence!r}")
        if self.no_interval_reason:
            return None, None
        tail = _NORMAL.inv_cdf((1 + confidence) / 2)
        ends = [self._corrected(-tail), self._corrected(tail)]
        if self.effective_units < MIN_UNITS:
            # bias and skew of so few units are unreliable: take the wider of the intervals with and without them
            ends = [min(ends[0], -tail), max(ends[1], tail)]
        low, high = np.quantile(self.defined, [_NORMAL.cdf(end) for end in ends]).tolist()
        # widen the interval to the value where the rounds are so skewed that they exclude it
        return min(low, self.value), max(high, self.value)

    def _corrected(self, z: float) -> float:
        beyond = self._bias + z
        scale = 1 - self._acceleration * beyond
        return self._bias + beyond / scale if scale > 0 else copysign(inf, beyond)

    def p(self) -> float | None:
        """Return the two-sided p: 1 − the confidence at which the interval just reaches 0; never 0."""
        if self.no_interval_reason:
            return None
        plain = self._share_below(0.0)
        beyond = _NORMAL.inv_cdf(plain) - self._bias
        scale = 1 + self._acceleration * beyond
        tails = [_NORMAL.cdf(beyond / scale - self._bias if scale > 0 else copysign(inf, beyond))]
        if self.effective_units < MIN_UNITS:
            tails.append(plain)  # as for the interval
        return min(1.0, max(1 / (len(self.defined) + 1), *(2 * min(tail, 1 - tail) for tail in tails)))
