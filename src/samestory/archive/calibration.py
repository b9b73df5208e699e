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
    """Calibrates detectors, stores the result, and completes the stored signatures accordingly."""
    ids = [id for (id,) in session.rows("SELECT id FROM articles")]
    samples = _samples(session, ids, detectors, as_is)
    drop_segments(session)  # with signatures that are completed now
    out = []
    for number, (each, sample) in enumerate(zip(detectors, samples, strict=True)):
        if sample is not None:
            each = parse(str(each)).calibrate(sample)
            Durable(database, str(number)).rewrite(each.apply_calibration)
        out.append(each)
    settings.save_calibration(session, out, len(ids))
    return tuple(out)


def _samples(session: Session, ids: list[str], detectors: Sequence[Detector], as_is: bool) -> list[Sample | None]:
    """Return for each detector the sample of the archive that it is calibrated on, None if it is not.

    The texts of a part of the sample are in memory at a time, and the signatures of all of it.
    """
    # an uncalibrated detector signs the sample, as in a batch run
    plain = [parse(str(each)) if each.calibrates else None for each in detectors]
    drawn = [ids[at] for at in _core.detectors.drawn(ids)] if any(plain) else []
    signed_ids, sources = list[str](), list[int]()
    parts: list[list[Signatures]] = [[] for _ in plain]
    for start in range(0, len(drawn), ARTICLES_AT_ONCE):
        found = stored.load(session, drawn[start : start + ARTICLES_AT_ONCE])
        features = prepare([each.article for each in found.values()], as_is=as_is)
        signed_ids += features.ids
        sources += [_core.detectors.source_hash(source or "") for source in features.sources]
        for each, part in zip(plain, parts, strict=True):
            if each is not None:
                part.append(each.sign(features))
    signed = [Signatures.concat(part) if part else None for part in parts]
    return [None if each is None else Sample(signed_ids, each, sources, len(ids), as_is) for each in signed]
