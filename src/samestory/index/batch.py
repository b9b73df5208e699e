"""A whole batch at once, for detectors that know which pairs to compare without keys (`Detector.pairs`).

The same relations as an index gives, without a store, and without a list of all pairs.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Any, NamedTuple

from samestory import _core
from samestory.detectors import Detector
from samestory.detectors.base import Sample
from samestory.index.index import Index, relation
from samestory.index.lots import Columns, Lots
from samestory.model import KINDS, NO_TIME, Features, Overlap, Pairs, Relation, Signatures

#: In microseconds.
DAY = 24 * 3600 * 10**6


class Related(NamedTuple):
    """The related pairs of a batch, and what was counted on the way."""

    columns: Columns
    compared: int
    unsigned: int
    """Articles with too little in them for the detector to go by."""
    lots: Lots | None = None
    """Whose copies were left out, but for one relation to what stands for each."""


def related(
    detector: Detector,
    features: Features,
    since: int = 0,
    linked: bool = False,
    folded: bool = False,
    alone: Collection[str] = (),
) -> Related | None:
    """The related pairs of a batch, the later article being at least row `since`; None where only keys can tell.

    With `linked`, only as many as hang together as all of them do, where the detector knows them. With `folded`, those
    of articles that stand for their copies, and of every copy one; who is `alone`, by id, has no copies.
    """
    import numpy as np

    signatures = detector.sign(features)
    if detector.calibrates and not detector.is_calibrated:
        sources = [_core.source_hash(source or "") for source in features.sources]
        detector = detector.calibrate(Sample(features.ids, signatures, sources, len(features)))
        signatures = detector.apply_calibration(signatures)
    unsigned = int((detector.keys(signatures).lengths() == 0).sum())
    links = detector.links(signatures) if linked and not since else None
    if links is not None:
        found, compared = _compared(detector, signatures, iter([links]))
        return Related(found, compared, unsigned)
    lots = Lots.of(signatures, features, since, alone)
    thinned = lots.thinned(signatures)
    blocks = detector.pairs(thinned, int(np.searchsorted(lots.kept, since)))
    if blocks is None:
        return None
    found, compared = _compared(detector, thinned, blocks)
    found = found._replace(left=lots.kept[found.left], right=lots.kept[found.right])
    copies = lots.copies
    # a lot is related to itself as two copies are
    several = np.unique(lots.stands[copies])
    selves, more = _compared(detector, signatures, iter([Pairs(several, several)]))
    if folded:
        told = selves.at(np.searchsorted(several, lots.stands[copies]))._replace(left=copies)
        return Related(_joined([found, told]), compared + more, unsigned, lots)
    return Related(lots.spread(_joined([found, selves])), compared + more, unsigned)


def _compared(detector: Detector, signatures: Signatures, blocks: Iterator[Pairs]) -> tuple[Columns, int]:
    """The pairs that are related, and how many were compared."""

    parts, compared = [], 0
    for pairs in blocks:
        found = detector.compare(signatures, signatures, pairs)
        compared += len(pairs.left)
        whole = Columns(pairs.left, pairs.right, found.kinds, found.forward, found.backward, found.score)
        parts.append(whole.at(found.kinds > 0))
    return _joined(parts), compared


def _joined(parts: Sequence[Columns]) -> Columns:
    import numpy as np

    none, unit = np.zeros(0, np.int64), np.zeros(0)
    columns = zip(Columns(none, none, np.zeros(0, np.uint8), unit, unit, unit), *parts, strict=True)
    joined: list[Any] = [np.concatenate(column) for column in columns]
    return Columns(*joined)


def relations(detector: Detector, features: Features, found: Columns) -> list[Relation]:
    """Related pairs as relations."""
    ids, times, spec = features.ids, features.microseconds, str(detector)
    about = [(ids[at], _core.source_hash(source or ""), times[at]) for at, source in enumerate(features.sources)]
    rows = zip(*(column.tolist() for column in found), strict=True)
    return [relation(about[a], about[b], KINDS[k], Overlap(f, g), spec, s) for a, b, k, f, g, s in rows]


def relate_batch(
    detector: Detector,
    old: Features,
    new: Features,
    linked: bool = False,
    folded: bool = False,
    alone: Collection[str] = (),
    within: int | None = None,
) -> tuple[list[Relation], Related | None]:
    """New articles related to old ones and to each other; and what was counted on the way.

    The choices are those of `related`. A detector without statistics takes those of all of them. Articles more than
    `within` calendar days (UTC) apart are not related.
    """
    parts = [part for part in (old, new) if len(part)]
    if not parts:
        return [], None
    fitted = detector if detector.fitted else detector.fit(parts)
    whole = Features.concat(parts)
    # neither fewer links nor copies say which articles lie within the days
    found = related(fitted, whole, len(old), linked and within is None, folded and within is None, alone)
    if found is not None:
        return _within(relations(fitted, whole, found.columns), whole, within), found
    index = Index(fitted)
    if len(old):
        index.add(old)
    return _within(index.add(new) if len(new) else [], whole, within), None


def _within(found: list[Relation], features: Features, days: int | None) -> list[Relation]:
    """The relations of articles at most so many days apart."""
    if days is None:
        return found
    day = {id: time // DAY for id, time in zip(features.ids, features.microseconds, strict=True) if time != NO_TIME}
    return [
        each
        for each in found
        if each.left not in day or each.right not in day or abs(day[each.left] - day[each.right]) <= days
    ]
