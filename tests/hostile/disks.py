"""Small file systems in memory, for tests of full disks and of read-only mounts."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


class CannotMountError(Exception):
    """No file system can be mounted here: only root may, and not in every container."""


@contextmanager
def mounted(place: Path, size: str) -> Iterator[Path]:
    """Mount a tmpfs of a size such as `64m` at a new folder; raises a CannotMountError where that is not allowed."""
    place.mkdir(exist_ok=True)
    try:
        done = subprocess.run(
            ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", place], capture_output=True, check=False
        )
    except FileNotFoundError as error:
        raise CannotMountError("there is no command mount") from error
    if done.returncode:
        raise CannotMountError(done.stderr.decode().strip())
    try:
        yield place
    finally:
        subprocess.run(["umount", "--lazy", place], check=True)
