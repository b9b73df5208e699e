"""F: the weighted harmonic mean of precision and recall, from counts.

    F = (1 + β²) P R / (β² P + R) = (1 + β²) hits / ((1 + β²) hits + β² misses + wrong)

The second form stays defined where P is 0/0 or P + R = 0: a system that finds no duplicate has F = 0. F is undefined
only where there was nothing to find and nothing was found.
"""

from __future__ import annotations

from typing import Any

from samestory.lab.measures.data.base import Floats
from samestory.lab.measures.measure import share
from samestory.specs import Range, parameter


def beta_parameter() -> Any:
    """Declares the weight of recall."""
    return parameter(1.0, "how many times recall weighs as much as precision", Range(0, 1000))


def f_measure(hits: Floats, wrong: Floats, misses: Floats, beta: float) -> Floats:
    """Compute F from counts; nan where all are 0."""
    square = beta**2
    return share((1 + square) * hits, (1 + square) * hits + square * misses + wrong)
