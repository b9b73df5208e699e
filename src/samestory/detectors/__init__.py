"""Detectors: one file a method, one table of them all."""

from samestory.detectors.base import Detector
from samestory.detectors.exact import Exact
from samestory.detectors.minhash import MinHash
from samestory.detectors.native import Native
from samestory.detectors.reuse import Reuse
from samestory.detectors.spec import parse
from samestory.specs import Table

#: Every detector under the word that names it in specs.
DETECTORS: Table[Detector] = Table(
    "samestory.detectors",
    {
        "cedar": "cedar.Cedar",
        "codet": "codet.CoDet",
        "cooper": "cooper.Cooper",
        "cops": "cops.Cops",
        "cosine": "cosine.Cosine",
        "ddd": "ddd.Ddd",
        "dsc": "dsc.SyntacticClustering",
        "dsc-ss": "dsc_ss.SuperShingles",
        "dsc-varol": "dsc_varol.SampledFingerprint",
        "event": "event.Event",
        "exact": "exact.Exact",
        "exhaustive": "exhaustive.Exhaustive",
        "ffp": "ffp.FullFingerprint",
        "fusion": "fusion.Fusion",
        "henzinger": "henzinger.Henzinger",
        "imatch-idf": "imatch.IMatch",
        "imatch-rand": "imatch.IMatchRandom",
        "imatch-top10": "imatch.IMatchTop",
        "koala": "koala.Koala",
        "md5-exact": "exact_hash.Md5Exact",
        "mega": "mega.MegaShingles",
        "minhash": "minhash.MinHash",
        "park": "park.Park",
        "resemblance": "resemblance.Resemblance",
        "reuse": "reuse.Reuse",
        "sanderson": "sanderson.Sanderson",
        "scam": "scam.Scam",
        "semshort": "semshort.Semshort",
        "sha1-exact": "exact_hash.Sha1Exact",
        "sif": "sif.Sif",
        "simhash": "simhash.SimHash",
        "spotsigs": "spotsigs.SpotSigs",
        "tweezer": "tweezer.Tweezer",
        "tweezer-set": "tweezer.TweezerSet",
        "vectors": "vectors.Vectors",
        "winnow": "winnow.Winnow",
    },
)

#: Other names under which people look for them.
ALIASES = {"imatch": "imatch-idf"}

__all__ = ["ALIASES", "DETECTORS", "Detector", "Exact", "MinHash", "Native", "Reuse", "parse"]
