"""Specs of detectors, as in `minhash(bands=20, rows=5)`."""

from __future__ import annotations

from samestory import specs
from samestory.detectors.base import Detector


def parse(spec: str) -> Detector:
    """The detector that a spec names.

    >>> parse("minhash(threshold=0.5)") == parse("minhash(threshold = 0.5, rows=8)")
    True
    """
    from samestory.detectors import ALIASES, DETECTORS

    return specs.parse(spec, DETECTORS.also(ALIASES), what="detector", example="minhash(bands=20, rows=5)")
