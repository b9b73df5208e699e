"""Exceptions in detectors of the user's own, reported with the detector and its method."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from samestory.detectors.entry_points import spec_name
from samestory.errors import DetectorError, SamestoryError
from samestory.specs import Spec


@contextmanager
def reported(detector: Spec, method: str) -> Iterator[None]:
    """Raises a DetectorError for an exception in a method of a detector that is not part of this package."""
    try:
        yield
    except (SamestoryError, MemoryError):
        raise
    except Exception as error:
        cls = type(detector)
        if cls.__module__.startswith(f"{__package__}."):
            raise
        import traceback

        last = traceback.extract_tb(error.__traceback__)[-1]
        what = f"{type(error).__name__}: {error} ({Path(last.filename).name}:{last.lineno})"
        raise DetectorError(f"{method}: {what}", place=f"detector {spec_name(cls)}") from error
