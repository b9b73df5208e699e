"""F: the weighted harmonic mean of precision and recall, from counts.

    F = (1 + β²) P R / (β² P + R) = (1 + β²) hits / ((1 + β²) hits + β² misses + wrong)

The second form stays defined where P is 0/0 or P + R = 0: a system that finds nothing of what there is has F = 0. Only
where there was nothing to find and nothing was found is F undefined.
"""

from __future__ import annotations

from samestory.measures.data.base import Floats
from samestory.measures.measure import share


def f_measure(hits: Floats, wrong: Floats, misses: Floats, beta: float) -> Floats:
    """F of counts; nan where all are 0."""
    square = beta**2
    return share((1 + square) * hits, (1 + square) * hits + square * misses + wrong)
