"""What an archive was made with, in its table `meta`: the detectors, the window, and whether text is repaired."""

from __future__ import annotations

import base64
import json
from collections.abc import Sequence
from datetime import timedelta

from samestory.database import Session
from samestory.detectors import Detector, Native, parse
from samestory.errors import MismatchError

#: Text first: what both find is told by the one that finds text.
DETECTORS = ("reuse", "event")
WINDOW = timedelta(days=14)


def settled(
    session: Session, chosen: Sequence[Detector] | None, window: timedelta | None, as_is: bool = False
) -> tuple[list[str], timedelta | None, bool]:
    """The detectors and the window of an archive, and whether it compares texts as they are.

    They are its own, or those that are wanted for a new one.
    """
    sql = "SELECT name, value FROM meta WHERE name IN ('detectors', 'window', 'as_is')"
    kept: dict[str, str] = dict(session.rows(sql))
    if not kept:
        specs = [str(each) for each in chosen] if chosen else list(DETECTORS)
        width = WINDOW if window is None else window
        put(session, "detectors", json.dumps(specs))
        put(session, "window", str(width // timedelta(microseconds=1)))
        if as_is:
            put(session, "as_is", "1")
        return specs, width, as_is
    specs, width = json.loads(kept["detectors"]), timedelta(microseconds=int(kept["window"]))
    wanted = None if chosen is None else [str(each) for each in chosen]
    if wanted is not None and wanted != [str(parse(spec)) for spec in specs]:
        raise MismatchError(
            f"the archive was made with {', '.join(specs)}, not with {', '.join(wanted)}",
            "leave the detectors out, or rebuild it with others: samestory index rebuild DB -d DETECTOR",
        )
    if window is not None and window != width:
        raise MismatchError(f"the archive was made with a window of {width}, not of {window}")
    if as_is and "as_is" not in kept:
        raise MismatchError("the archive repairs texts before it compares them", "leave --as-is out, or make a new one")
    return specs, width, "as_is" in kept


def detectors_of(session: Session, specs: Sequence[str]) -> list[Detector]:
    """The detectors of an archive, calibrated on it if they have been."""
    out = []
    for number, spec in enumerate(specs):
        detector = parse(spec)
        if detector.calibrates:
            try:
                detector = detector.restore(
                    base64.b64decode(get(session, f"calibration {number}") or "", validate=True)
                )
                if isinstance(detector, Native):
                    _ = detector.native  # reads the calibration
            except (KeyError, ValueError):
                raise MismatchError(
                    f"the calibration of {spec} in this archive is damaged", "make it anew: samestory index rebuild DB"
                ) from None
        out.append(detector)
    return out


def keep_calibration(session: Session, detectors: Sequence[Detector], articles: int) -> None:
    """Stores the calibration of detectors, and how many articles the archive had when it was made."""
    for number, detector in enumerate(detectors):
        if detector.calibrates:
            put(session, f"calibration {number}", base64.b64encode(detector.state()).decode())
    put(session, "calibrated at", str(articles))


def calibrated_at(session: Session) -> int:
    """How many articles the archive had when its detectors were last calibrated; 0 before."""
    noted = get(session, "calibrated at") or "0"
    return int(noted) if noted.isdecimal() else 0


def put(session: Session, name: str, value: str) -> None:
    """Notes something under a name."""
    if not session.run("UPDATE meta SET value = ? WHERE name = ?", (value, name)):
        session.run("INSERT INTO meta (name, value) VALUES (?, ?)", (name, value))


def get(session: Session, name: str) -> str | None:
    """What is noted under a name."""
    row = session.one("SELECT value FROM meta WHERE name = ?", (name,))
    return row[0] if row else None
