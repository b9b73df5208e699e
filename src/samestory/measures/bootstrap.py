"""The bootstrap: how far a figure could lie from what other stories, of the same kind, would have given.

A round draws as many units as there are, with replacement, and takes the measure of what was drawn. The interval is
bias-corrected and accelerated (BCa): the percentiles of the rounds, moved by how far their middle lies from the value,
and by how much the spread grows with it. Plain percentiles are too narrow for shares near 1, and most of ours are.
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
from samestory.measures.data.base import Floats

#: Numbers held at a time: 32 MB of weights, whatever the number of units and rounds.
CELLS = 2**22

#: An interval that rests on fewer units than this is called rough; see docs/concepts/intervals.md for why.
ENOUGH = 10

#: Rounds that lie no further apart than this, beside 1 or the value, are the same but for rounding.
ROUNDING = 1e-9

_NORMAL = NormalDist()


def drawings(units: int, rounds: int, seed: int) -> Iterator[Floats]:
    """How often each unit is drawn, a row a round, some rounds at a time; the same for the same seed."""
    if rounds < 1 or isinstance(rounds, bool):
        raise ParameterError(f"bootstrap: rounds must be at least 1, got {rounds!r}")
    random = np.random.default_rng(seed)
    at_once = max(1, CELLS // max(units, 1))
    for start in range(0, rounds, at_once):
        weights = np.empty((min(at_once, rounds - start), units))
        for row in weights:
            row[:] = np.bincount(random.integers(0, units, units), minlength=units)
        yield weights


@dataclass(frozen=True)
class Rounds:
    """What the rounds came to, beside the value itself and the values with a unit (or block of units) left out."""

    value: float
    drawn: Floats
    left_out: Floats
    units: int
    carriers: int
    """Units that the value is taken of: an article that is never reported says nothing about precision."""

    @cached_property
    def defined(self) -> Floats:
        """The rounds that gave a value, in order."""
        return np.sort(self.drawn[~np.isnan(self.drawn)])

    @cached_property
    def influence(self) -> Floats:
        """How much each unit moves the value."""
        defined = self.left_out[~np.isnan(self.left_out)]
        return defined.mean() - defined if len(defined) else defined

    @cached_property
    def hindrance(self) -> str | None:
        """Why there is no honest interval, if there is none."""
        if self.units < 2:
            return "everything hangs together: there is nothing to draw from"
        if not len(self.defined) or self.defined[-1] - self.defined[0] <= self._rounding:
            # an interval of no width would claim to know what was never seen: none in n still allows 3/n (95 %)
            told = f"all {self.carriers} units agree" if self.carriers > 1 else "one unit decides"
            return f"{told}; up to {min(1.0, 3 / max(self.carriers, 1)):.2g} of others may not"
        return None

    @property
    def note(self) -> str | None:
        """What must be said beside the interval, or instead of it."""
        if self.hindrance:
            return self.hindrance
        notes = []
        undefined = len(self.drawn) - len(self.defined)
        if undefined:
            notes.append(f"undefined in {undefined} of {len(self.drawn)} rounds")
        if self.carrying < ENOUGH:
            notes.append(f"rests on about {max(1, round(self.carrying))} units: rough")
        return "; ".join(notes) or None

    @property
    def carrying(self) -> float:
        """How many equal units would spread as much: few, where one large unit or a handful of errors decides."""
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
        return ROUNDING * max(1.0, abs(self.value))

    def _share_below(self, value: float) -> float:
        """The share of rounds below a value, half of those at it; never all or none, which no drawing can prove."""
        rounds = len(self.defined)
        around = np.searchsorted(self.defined, [value - self._rounding, value + self._rounding])
        return min(max(float(around.mean()), 0.5), rounds - 0.5) / rounds

    def interval(self, confidence: float) -> tuple[float, float] | tuple[None, None]:
        """The interval in which the value of other such stories lies so often; none where that would not be honest."""
        if not 0 < confidence < 1:
            raise ParameterError(f"bootstrap: confidence must lie between 0 and 1, got {confidence!r}")
        if self.hindrance:
            return None, None
        tail = _NORMAL.inv_cdf((1 + confidence) / 2)
        ends = [self._moved(-tail), self._moved(tail)]
        if self.carrying < ENOUGH:
            # bias and skew of so few units are guesses: the interval reaches as far with them as without
            ends = [min(ends[0], -tail), max(ends[1], tail)]
        low, high = np.quantile(self.defined, [_NORMAL.cdf(end) for end in ends]).tolist()
        # where the rounds lean so far to one side that they leave the value out, the interval is widened to it
        return min(low, self.value), max(high, self.value)

    def _moved(self, z: float) -> float:
        beyond = self._bias + z
        stretch = 1 - self._acceleration * beyond
        return self._bias + beyond / stretch if stretch > 0 else copysign(inf, beyond)

    def p(self) -> float | None:
        """Two-sided: what confidence lacks to 1 when the interval just reaches 0; never 0, which nothing can prove."""
        if self.hindrance:
            return None
        plain = self._share_below(0.0)
        beyond = _NORMAL.inv_cdf(plain) - self._bias
        stretch = 1 + self._acceleration * beyond
        tails = [_NORMAL.cdf(beyond / stretch - self._bias if stretch > 0 else copysign(inf, beyond))]
        if self.carrying < ENOUGH:
            tails.append(plain)  # as for the interval
        return min(1.0, max(1 / (len(self.defined) + 1), *(2 * min(tail, 1 - tail) for tail in tails)))
