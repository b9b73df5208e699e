"""Detectors: one file a method, one table of them all."""

from samestory.detectors.base import Detector
from samestory.detectors.cooper import Cooper
from samestory.detectors.cosine import Cosine
from samestory.detectors.ddd import Ddd
from samestory.detectors.exact import Exact
from samestory.detectors.exhaustive import Exhaustive
from samestory.detectors.ffp import FullFingerprint
from samestory.detectors.imatch import IMatch, IMatchRandom, IMatchTop
from samestory.detectors.minhash import MinHash
from samestory.detectors.native import Native
from samestory.detectors.park import Park
from samestory.detectors.reuse import Reuse
from samestory.detectors.sanderson import Sanderson
from samestory.detectors.scam import Scam
from samestory.detectors.simhash import SimHash
from samestory.detectors.spec import parse

#: Every detector under the word that names it in specs.
DETECTORS: dict[str, type[Detector]] = {
    cls.name: cls
    for cls in (
        Cooper,
        Cosine,
        Ddd,
        Exact,
        Exhaustive,
        FullFingerprint,
        IMatch,
        IMatchRandom,
        IMatchTop,
        MinHash,
        Park,
        Reuse,
        Sanderson,
        Scam,
        SimHash,
    )
}

#: Other names under which people look for them.
ALIASES = {"imatch": "imatch-idf"}

__all__ = ["ALIASES", "DETECTORS", "Detector", "Exact", "MinHash", "Native", "Reuse", "parse"]
