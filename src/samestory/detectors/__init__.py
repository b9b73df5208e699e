"""Detectors, one file per method; `base` is their interface, and `table`, which is generated, finds them by name.

Classes are imported when they are used: importing all of them takes longer than a small job.
"""

import typing as _typing

from samestory.detectors.base import Detector
from samestory.detectors.spec import ALIASES, DETECTORS, parse
from samestory.detectors.table import PLACES as _PLACES

# Begin of the generated imports: make detector-table
if _typing.TYPE_CHECKING:
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
    from samestory.detectors.spotsigs import SpotSigs
    from samestory.detectors.tweezer import Tweezer, TweezerSet
    from samestory.detectors.vectors import Vectors
    from samestory.detectors.winnow import Winnow
# End of the generated imports

if not _typing.TYPE_CHECKING:  # type checkers read the imports above

    def __getattr__(name: str) -> type[Detector]:
        if name == "Native":
            from samestory.detectors.native import Native

            return Native
        for detector, place in _PLACES.items():
            if place.rpartition(".")[2] == name:
                return DETECTORS[detector]
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


# Begin of the generated names: make detector-table
__all__ = [
    "ALIASES",
    "DETECTORS",
    "Cedar",
    "CoDet",
    "Cooper",
    "Cops",
    "Cosine",
    "Ddd",
    "Detector",
    "Event",
    "Exact",
    "Exhaustive",
    "FullFingerprint",
    "Fusion",
    "Henzinger",
    "IMatch",
    "IMatchRandom",
    "IMatchTop",
    "Koala",
    "Md5Exact",
    "MegaShingles",
    "MinHash",
    "Native",
    "Park",
    "Resemblance",
    "Reuse",
    "SampledFingerprint",
    "Sanderson",
    "Scam",
    "Semshort",
    "Sha1Exact",
    "Sif",
    "SimHash",
    "SpotSigs",
    "SuperShingles",
    "SyntacticClustering",
    "Tweezer",
    "TweezerSet",
    "Vectors",
    "Winnow",
    "parse",
]
# End of the generated names
