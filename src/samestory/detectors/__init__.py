"""Detectors: one file a method, one table of them all."""

from samestory.detectors.base import Detector
from samestory.detectors.codet import CoDet
from samestory.detectors.dsc import SyntacticClustering
from samestory.detectors.dsc_ss import SuperShingles
from samestory.detectors.dsc_varol import SampledFingerprint
from samestory.detectors.cops import Cops
from samestory.detectors.exact import Exact
from samestory.detectors.exact_hash import Md5Exact, Sha1Exact
from samestory.detectors.exhaustive import Exhaustive
from samestory.detectors.ffp import FullFingerprint
from samestory.detectors.henzinger import Henzinger
from samestory.detectors.imatch import IMatch, IMatchTop
from samestory.detectors.mega import MegaShingles
from samestory.detectors.koala import Koala
from samestory.detectors.minhash import MinHash
from samestory.detectors.native import Native
from samestory.detectors.resemblance import Resemblance
from samestory.detectors.reuse import Reuse
from samestory.detectors.sif import Sif
from samestory.detectors.spec import parse
from samestory.detectors.spotsigs import SpotSigs
from samestory.detectors.winnow import Winnow

#: Every detector under the word that names it in specs.
DETECTORS: dict[str, type[Detector]] = {
    cls.name: cls
    for cls in (
        CoDet,
        Cops,
        Exact,
        Exhaustive,
        FullFingerprint,
        Henzinger,
        IMatch,
        IMatchTop,
        Md5Exact,
        MegaShingles,
        Koala,
        MinHash,
        Resemblance,
        Reuse,
        SampledFingerprint,
        Sha1Exact,
        SuperShingles,
        SyntacticClustering,
        Sif,
        SpotSigs,
        Winnow,
    )
}

#: Other names under which people look for them.
ALIASES = {"imatch": "imatch-idf"}

__all__ = ["ALIASES", "DETECTORS", "Detector", "Exact", "MinHash", "Native", "Reuse", "parse"]
