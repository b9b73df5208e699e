"""Henzinger's combination: mega-shingles find pairs, which a random projection of the words must confirm.

    stage 1    two of six super-shingles agree, over runs of eight words        (as `mega`)
    stage 2    bit i = 1 where Σ ± tf(t) > 0, + if bit i of t's hash is 1;  355 of 384 bits agree

Shingles capture the order of words, the projection their frequencies: pairs that only one of them finds (a common menu,
a list in another order) are not reported. Both shares are the share of equal bits, independent of stage 1; unrelated
texts agree in half of them.

Keys: the pairs of super-shingles. No pair that the rule relates is missed.
Henzinger (2006), Finding near-duplicate web pages: a large-scale evaluation of algorithms. [henzinger2006]
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from samestory.detectors.native import Native
from samestory.errors import ParameterError
from samestory.model import Kind
from samestory.specs import Range, parameter


@dataclass(frozen=True)
class Henzinger(Native):
    """Finds articles that are nearly the same in their word runs and in their words.

    >>> str(Henzinger(agreeing=370))
    'henzinger(agreeing=370)'
    """

    name: ClassVar[str] = "henzinger"
    summary: ClassVar[str] = "articles that are nearly the same, in their word runs and in their words"
    share_phrase: ClassVar[str] = "of the bits of their words agree"
    reports: ClassVar[frozenset[Kind]] = frozenset({Kind.NEAR})
    paper: ClassVar[str] = "henzinger2006"

    shingle: int = parameter(8, "words in a run", Range(1, 100))
    bits: int = parameter(384, "bits of the projection", Range(1, 65536))
    agreeing: int = parameter(355, "bits that must agree", Range(0, 65536))

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.agreeing > self.bits:
            raise ParameterError(f"{self.name}: agreeing must be in [0, {self.bits}], got {self.agreeing!r}")
