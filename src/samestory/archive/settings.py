"""Settings of an archive, in its table `meta`: the detectors, the window, and whether texts are repaired."""

from __future__ import annotations

import base64
import json
from collections.abc import Sequence
from datetime import timedelta

from samestory.database import Session
from samestory.detectors import Detector
from samestory.detectors.spec import parse_stored
from samestory.errors import MismatchError, ParameterError, StoreError
from samestory.model import shown

#: The hint of errors about damage.
CHECK_HINT = "samestory index check --repair DB recomputes what depends on the texts; restore the rest from a backup"

#: Text detectors first: if both relate a pair, the first one wins.
DETECTORS = ("reuse", "event")
WINDOW = timedelta(days=14)


def load_or_create(
    session: Session, chosen: Sequence[Detector] | None, window: timedelta | None, as_is: bool = False
) -> tuple[list[str], timedelta | None, bool]:
    """Return the detector specs and the window of an archive, and whether it compares texts as they are.

    A new archive stores the given settings; for an existing one, different settings raise a MismatchError.
    """
    sql = "SELECT name, value FROM meta WHERE name IN ('detectors', 'window', 'as_is')"
    values: dict[str, str] = dict(session.rows(sql))
    if not values:
        specs = [str(each) for each in chosen] if chosen else list(DETECTORS)
        width = WINDOW if window is None else window
        put(session, "detectors", json.dumps(specs))
        put(session, "window", str(width // timedelta(microseconds=1)))
        if as_is:
            put(session, "as_is", "1")
        return specs, width, as_is
    try:
        specs, width = list(json.loads(values["detectors"])), timedelta(microseconds=int(values["window"]))
    except (KeyError, ValueError, TypeError, OverflowError):
        raise StoreError("the settings of the archive are damaged", "restore a backup") from None
    wanted = None if chosen is None else [str(each) for each in chosen]
    if wanted is not None and wanted != [str(stored_detector(spec)) for spec in specs]:
        raise MismatchError(
            f"the archive was created with {', '.join(specs)}, not with {', '.join(wanted)}",
            "omit the detectors, or rebuild the archive with others: samestory index rebuild DB -d DETECTOR",
        )
    if window is not None and window != width:
        raise MismatchError(f"the archive was created with a window of {width}, not of {window}")
    if as_is and "as_is" not in values:
        raise MismatchError(
            "the archive repairs texts before it compares them", "omit --as-is, or create a new archive"
        )
    return specs, width, "as_is" in values


def stored_detector(spec: str) -> Detector:
    """Return the detector with a stored spec; raise a StoreError if its class is not loaded or not installed."""
    try:
        return parse_stored(spec)
    except ParameterError as error:
        hint = error.hint or "install the package that has the detector"
        raise StoreError(f"the archive was made with a detector that is not available: {error.detail}", hint) from None


def load_detectors(session: Session, specs: Sequence[str]) -> list[Detector]:
    """Return the detectors of an archive, with their stored calibration if there is one."""
    out = []
    for number, spec in enumerate(specs):
        detector = stored_detector(spec)
        if detector.calibrates:
            try:
                detector = detector.restore(
                    base64.b64decode(get(session, f"calibration {number}") or "", validate=True)
                )
                _ = detector.native  # reads the calibration
            except (KeyError, ValueError):
                raise MismatchError(
                    f"the calibration of {spec} in this archive is damaged", "recreate it: samestory index rebuild DB"
                ) from None
        out.append(detector)
    return out


def save_calibration(session: Session, detectors: Sequence[Detector], articles: int) -> None:
    """Store the calibration of detectors, and the size of the archive at that time."""
    for number, detector in enumerate(detectors):
        if detector.calibrates:
            put(session, f"calibration {number}", base64.b64encode(detector.state()).decode())
    put(session, "calibrated at", str(articles))


def calibrated_at(session: Session) -> int:
    """Return the size of the archive when its detectors were last calibrated; 0 if never."""
    value = get(session, "calibrated at") or "0"
    return int(value) if value.isdecimal() else 0


def number(session: Session, name: str) -> int | None:
    """Return the number stored under a name, or None; raise a StoreError if it is damaged."""
    value = get(session, name)
    if value is not None and not value.isdecimal():
        raise StoreError(f"the {name} of the archive is damaged: {shown(value)}", CHECK_HINT)
    return None if value is None else int(value)


def put(session: Session, name: str, value: str) -> None:
    """Store a value under a name."""
    if not session.run("UPDATE meta SET value = ? WHERE name = ?", (value, name)):
        session.run("INSERT INTO meta (name, value) VALUES (?, ?)", (name, value))


def get(session: Session, name: str) -> str | None:
    """Return the value stored under a name, or None."""
    row = session.one("SELECT value FROM meta WHERE name = ?", (name,))
    return row[0] if row else None
