"""Specs of measures, as in `pair_f(beta=2)`."""

from __future__ import annotations

from typing import Any

from samestory import specs
from samestory.measures.measure import Measure


def parse(spec: str) -> Measure[Any]:
    """The measure that a spec names.

    >>> parse("pair_f") == parse("pair_f(beta=1)")
    True
    """
    from samestory.measures import MEASURES

    return specs.parse(spec, MEASURES, what="measure", example="pair_f(beta=2)")
