"""Specs of measures, such as `pair_f(beta=2)`."""

from __future__ import annotations

from typing import Any

from samestory import specs
from samestory.lab.measures.measure import Measure
from samestory.lab.measures.table import MEASURES


def parse(spec: str) -> Measure[Any]:
    """Return the measure of a spec.

    >>> parse("pair_f") == parse("pair_f(beta=1)")
    True
    """
    return specs.parse(spec, MEASURES, what="measure", example="pair_f(beta=2)")
