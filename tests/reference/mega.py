"""Mega-shingles: 84 min-hashes are six super-shingles of 14; two articles are near where two of the six agree.

For resemblance s one super-shingle agrees with p = s^14, and two or more of six with

    P = 1 − (1−p)^6 − 6p(1−p)^5

The hashes themselves are random, so there is no oracle for them.
"""

from __future__ import annotations


def probability(resemblance: float, supers: int = 6, values: int = 14) -> float:
    """How likely two or more super-shingles agree."""
    p = resemblance**values
    none: float = (1 - p) ** supers
    one: float = supers * p * (1 - p) ** (supers - 1)
    return 1 - none - one
