"""Calibrates the detectors of an archive on a sample of it, once it has enough articles and whenever it has doubled.

Relations found earlier are kept; `Archive.rebuild` computes all of them again.
"""

from __future__ import annotations

from collections.abc import Sequence

from samestory import _core
from samestory.archive import settings, stored
from samestory.archive.state import ArchiveState
from samestory.database import Database, Session
from samestory.detectors import Detector, parse
from samestory.detectors.engine import Sample
from samestory.index import Entries
from samestory.index.durable import Durable
from samestory.index.segments import drop_segments
from samestory.model import Signatures
from samestory.text import prepare

#: The fewest articles of an archive on which detectors are calibrated.
CALIBRATION_MINIMUM = 1000
#: The articles of a sample whose texts are in memory at a time.
ARTICLES_AT_ONCE = 1000


def is_due(session: Session, state: ArchiveState) -> bool:
    """Whether the archive has grown enough to calibrate now."""
    count = max((len(index) for index in state.indexes if index.detector.calibrates), default=0)
    return count >= CALIBRATION_MINIMUM and count >= 2 * settings.calibrated_at(session)


def calibrate(session: Session, database: Database, detectors: Sequence[Detector], as_is: bool) -> tuple[Detector, ...]:
    """Calibrates detectors and stores the result.

    Stored signatures stay as they are: the calibration is applied when they are indexed (`Finder.file`). Writing all of
    them at every doubling of the archive would take as long as storing them did.
    """
    ids = [id for (id,) in session.rows("SELECT id FROM articles")]
    drawn = [ids[at] for at in _core.detectors.drawn(ids)] if any(each.calibrates for each in detectors) else []
    drop_segments(session)  # their signatures and keys are of the last calibration
    out = []
    for number, each in enumerate(detectors):
        if each.calibrates:
            each = parse(str(each))
            stored_ones = Durable(database, str(number)).some(drawn) if each.recalibrates else None
            each = each.calibrate(_sample(session, each, drawn, stored_ones, len(ids), as_is))
        out.append(each)
    settings.save_calibration(session, out, len(ids))
    return tuple(out)


def _sample(
    session: Session, detector: Detector, drawn: Sequence[str], found: Entries | None, total: int, as_is: bool
) -> Sample:
    """Return the sample on which a detector is calibrated: articles with stored entries, and others, which it signs.

    The texts of a part of the others are in memory at a time.
    """
    ids, sources, signed = list[str](), list[int](), list[Signatures]()
    if found is not None and len(found):
        ids, sources, signed = list(found.ids), found.sources.tolist(), [found.signatures]
    known = set(ids)
    others = [id for id in drawn if id not in known]
    for start in range(0, len(others), ARTICLES_AT_ONCE):
        articles = stored.load(session, others[start : start + ARTICLES_AT_ONCE])
        features = prepare([each.article for each in articles.values()], as_is=as_is)
        ids += features.ids
        sources += [_core.detectors.source_hash(source or "") for source in features.sources]
        # an uncalibrated detector signs the sample, as in a batch run
        signed.append(detector.sign(features))
    return Sample(ids, Signatures.concat(signed), sources, total, as_is)
