"""New files that are there whole, and safe on disk, or not at all."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from samestory.errors import InputError


@contextmanager
def new_file(path: str | Path, over_empty: bool = False) -> Iterator[Path]:
    """A passing name beside a place where no file is; what was written there has its own name in the end."""
    place = Path(path).absolute()
    if place.exists() and not (over_empty and place.is_file() and not place.stat().st_size):
        raise InputError(f"{path}: there is one already", hint="name a file that is not there yet")
    if not place.parent.is_dir():
        raise InputError(f"{path}: there is no folder {place.parent}", hint=f"mkdir -p '{place.parent}'")
    trial = place.with_name(f"{place.name}.{os.getpid()}.part")
    try:
        yield trial
        _flush(trial)
        if over_empty:
            trial.replace(place)
        else:
            _name(trial, place)
        _flush(place.parent)
    except FileExistsError as error:
        raise InputError(f"{path}: there is one already", hint="name a file that is not there yet") from error
    except OSError as error:
        raise InputError(f"{path}: {error.strerror or error}") from error
    finally:
        for left in (trial, trial.with_name(f"{trial.name}-journal")):
            left.unlink(missing_ok=True)


def _name(trial: Path, place: Path) -> None:
    """Gives a file its own name, never that of a file that came meanwhile."""
    try:
        os.link(trial, place)
    except FileExistsError:
        raise
    except OSError:  # a file system without links
        if place.exists():
            raise FileExistsError(place) from None
        trial.replace(place)


def _flush(path: Path) -> None:
    """What was written to a file or folder is on disk when this returns."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
