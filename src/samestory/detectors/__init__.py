"""Detectors: one file a method, one table of them all."""

from samestory.detectors.base import Detector
from samestory.detectors.cedar import Cedar
from samestory.detectors.codet import CoDet
from samestory.detectors.cooper import Cooper
from samestory.detectors.cops import Cops
from samestory.detectors.cosine import Cosine
from samestory.detectors.ddd import Ddd
from samestory.detectors.dsc import SyntacticClustering
from samestory.detectors.dsc_ss import SuperShingles
from samestory.detectors.dsc_varol import SampledFingerprint
from samestory.detectors.event import Event
from samestory.detectors.exact import Exact
from samestory.detectors.exact_hash import Md5Exact, Sha1Exact
from samestory.detectors.exhaustive import Exhaustive
from samestory.detectors.ffp import FullFingerprint
from samestory.detectors.fusion import Fusion
from samestory.detectors.henzinger import Henzinger
from samestory.detectors.imatch import IMatch, IMatchRandom, IMatchTop
from samestory.detectors.koala import Koala
from samestory.detectors.mega import MegaShingles
from samestory.detectors.minhash import MinHash
from samestory.detectors.native import Native
from samestory.detectors.park import Park
from samestory.detectors.resemblance import Resemblance
from samestory.detectors.reuse import Reuse
from samestory.detectors.sanderson import Sanderson
from samestory.detectors.scam import Scam
from samestory.detectors.semshort import Semshort
from samestory.detectors.sif import Sif
from samestory.detectors.simhash import SimHash
from samestory.detectors.spec import parse
from samestory.detectors.spotsigs import SpotSigs
from samestory.detectors.tweezer import Tweezer, TweezerSet
from samestory.detectors.vectors import Vectors
from samestory.detectors.winnow import Winnow

#: Every detector under the word that names it in specs.
DETECTORS: dict[str, type[Detector]] = {
    cls.name: cls
    for cls in (
        Cedar,
        CoDet,
        Cooper,
        Cops,
        Cosine,
        Ddd,
        Event,
        Exact,
        Exhaustive,
        FullFingerprint,
        Fusion,
        Henzinger,
        IMatch,
        IMatchRandom,
        IMatchTop,
        Koala,
        Md5Exact,
        MegaShingles,
        MinHash,
        Park,
        Resemblance,
        Reuse,
        SampledFingerprint,
        Sanderson,
        Scam,
        Semshort,
        Sha1Exact,
        Sif,
        SimHash,
        SpotSigs,
        SuperShingles,
        SyntacticClustering,
        Tweezer,
        TweezerSet,
        Vectors,
        Winnow,
    )
}

#: Other names under which people look for them.
ALIASES = {"imatch": "imatch-idf"}

__all__ = ["ALIASES", "DETECTORS", "Detector", "Exact", "MinHash", "Native", "Reuse", "parse"]
