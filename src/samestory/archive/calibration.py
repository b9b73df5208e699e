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
from samestory.index.durable import Durable
from samestory.index.segments import drop_segments
from samestory.text import prepare

#: The fewest articles of an archive on which detectors are calibrated.
CALIBRATION_MINIMUM = 1000


def is_due(session: Session, state: ArchiveState) -> bool:
    """Whether the archive has grown enough to calibrate now."""
    count = max((len(index) for index in state.indexes if index.detector.calibrates), default=0)
    return count >= CALIBRATION_MINIMUM and count >= 2 * settings.calibrated_at(session)


def calibrate(session: Session, database: Database, detectors: Sequence[Detector], as_is: bool) -> tuple[Detector, ...]:
    """Calibrates detectors, stores the result, and completes the stored signatures accordingly."""
    # an uncalibrated detector signs the sample, as in a batch run
    plain = [parse(str(each)) if each.calibrates else each for each in detectors]
    ids = [id for (id,) in session.rows("SELECT id FROM articles")]
    found = (
        stored.load(session, [ids[at] for at in _core.detectors.drawn(ids)]) if any(p.calibrates for p in plain) else {}
    )
    features = prepare([each.article for each in found.values()], as_is=as_is)
    sources = [_core.detectors.source_hash(source or "") for source in features.sources]
    out = []
    drop_segments(session)  # with signatures that are completed now
    for number, each in enumerate(plain):
        if each.calibrates and found:
            each = each.calibrate(Sample(features.ids, each.sign(features), sources, len(ids), as_is))
            Durable(database, str(number)).rewrite(each.apply_calibration)
        out.append(each)
    settings.save_calibration(session, out, len(ids))
    return tuple(out)
