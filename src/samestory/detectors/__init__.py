"""Detectors: one file a method, one table of them all."""

from samestory.detectors.base import Detector
from samestory.detectors.exact import Exact
from samestory.detectors.minhash import MinHash
from samestory.detectors.native import Native
from samestory.detectors.reuse import Reuse
from samestory.detectors.spec import parse

#: Every detector under the word that names it in specs.
DETECTORS: dict[str, type[Detector]] = {cls.name: cls for cls in (Exact, MinHash, Reuse)}

__all__ = ["DETECTORS", "Detector", "Exact", "MinHash", "Native", "Reuse", "parse"]
