"""A whole batch at once, for detectors that know which pairs to compare without keys (`Detector.pairs`).

The same relations as an index gives, without a store, and without a list of all pairs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from samestory import _core
from samestory.detectors import Detector
from samestory.index.index import Index, relation
from samestory.model import KINDS, Features, Overlap, Relation

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Columns(NamedTuple):
    """Related pairs in columns: numbers of articles, left the later one of a batch, with kinds, shares and scores."""

    left: NDArray[np.int64]
    right: NDArray[np.int64]
    kinds: NDArray[np.uint8]
    forward: NDArray[np.float64]
    backward: NDArray[np.float64]
    scores: NDArray[np.float64]


class Related(NamedTuple):
    """The related pairs of a batch, and what was counted on the way."""

    columns: Columns
    compared: int
    unsigned: int
    """Articles with too little in them for the detector to go by."""


def related(detector: Detector, features: Features, since: int = 0, linked: bool = False) -> Related | None:
    """The related pairs of a batch, the later article being at least row `since`; None where only keys can tell.

    With `linked`, only as many as hang together as all of them do, where the detector knows them.
    """
    import numpy as np

    signatures = detector.sign(features)
    links = detector.links(signatures) if linked and not since else None
    blocks = detector.pairs(signatures, since) if links is None else iter([links])
    if blocks is None:
        return None
    columns: list[list[NDArray[Any]]] = [[] for _ in range(6)]
    compared = 0
    for pairs in blocks:
        found = detector.compare(signatures, signatures, pairs)
        compared += len(pairs.left)
        kept = found.kinds > 0
        block = [pairs.left, pairs.right, found.kinds, found.forward, found.backward, found.score]
        for column, part in zip(columns, block, strict=True):
            column.append(np.asarray(part)[kept])
    types = (np.int64, np.int64, np.uint8, np.float64, np.float64, np.float64)
    joined = (np.concatenate([np.zeros(0, kind), *column]) for column, kind in zip(columns, types, strict=True))
    unsigned = int((detector.keys(signatures).lengths() == 0).sum())
    return Related(Columns(*joined), compared, unsigned)


def relations(detector: Detector, features: Features, found: Columns) -> list[Relation]:
    """Related pairs as relations."""
    ids, times, spec = features.ids, features.microseconds, str(detector)
    about = [(ids[at], _core.source_hash(source or ""), times[at]) for at, source in enumerate(features.sources)]
    rows = zip(*(column.tolist() for column in found), strict=True)
    return [relation(about[a], about[b], KINDS[k], Overlap(f, g), spec, s) for a, b, k, f, g, s in rows]


def relate_batch(
    detector: Detector, old: Features, new: Features, linked: bool = False
) -> tuple[list[Relation], Related | None]:
    """New articles related to old ones and to each other; and what was counted on the way.

    A detector without statistics takes those of all of them.
    """
    parts = [part for part in (old, new) if len(part)]
    if not parts:
        return [], None
    fitted = detector if detector.fitted else detector.fit(parts)
    whole = Features.concat(parts)
    found = related(fitted, whole, len(old), linked)
    if found is not None:
        return relations(fitted, whole, found.columns), found
    index = Index(fitted)
    if len(old):
        index.add(old)
    return (index.add(new) if len(new) else []), None
