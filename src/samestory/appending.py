"""Appends lines to files that hold people's work, such as decisions: nothing acknowledged is lost.

locked       processes that append at the same time wait for each other
checked      the file as a whole is valid with the new line, or is not changed
whole        a line is written completely, or the file is cut back to its former size
on disk      the file, and the folder if the file is new, are synchronised before `append_line` returns
"""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from samestory.errors import InputError


def append_line(path: str | Path, line: bytes, check: Callable[[bytes], object]) -> None:
    """Appends a line to a file, which is created if missing; `check` raises an error if the new content is invalid."""
    place = Path(path)
    with _locked(place) as (fd, is_new):
        before = _read(fd)
        addition = line + b"\n" if not before or before.endswith(b"\n") else b"\n" + line + b"\n"
        try:
            check(before + addition)
            _write(fd, addition, len(before))
        except BaseException:
            if is_new and not before:
                place.unlink(missing_ok=True)
            raise
        if is_new:
            sync_folder(place.resolve().parent)


def sync_folder(folder: Path) -> None:
    """Waits until the entries of a folder are on disk."""
    if os.name == "nt":
        return  # folders cannot be opened there
    fd = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)


@contextmanager
def _locked(path: Path) -> Iterator[tuple[int, bool]]:
    """Opens a file and locks it; yields its descriptor and whether it was created."""
    while True:
        is_new = not path.exists()
        try:
            fd = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND | getattr(os, "O_CLOEXEC", 0), 0o666)
        except OSError as error:
            raise InputError(f"cannot be written: {(error.strerror or str(error)).lower()}", place=path) from None
        try:
            if not stat.S_ISREG(os.fstat(fd).st_mode):
                raise InputError("expected a file", place=path)
            with _exclusive(fd):
                # while this process waited, the file may have been replaced by an editor or removed
                if _is_at(fd, path):
                    yield fd, is_new
                    return
        finally:
            os.close(fd)


@contextmanager
def _exclusive(fd: int) -> Iterator[None]:
    """Holds an exclusive lock on an open file; Windows has none of this kind."""
    if sys.platform == "win32":
        yield
        return
    import fcntl

    fcntl.flock(fd, fcntl.LOCK_EX)
    try:
        yield
    finally:
        fcntl.flock(fd, fcntl.LOCK_UN)  # closing is not enough if another process has inherited the descriptor


def _is_at(fd: int, path: Path) -> bool:
    """Returns whether an open file still has this path."""
    try:
        return os.path.samestat(os.fstat(fd), path.stat())
    except FileNotFoundError:
        return False


def _read(fd: int) -> bytes:
    out = bytearray()
    while piece := os.read(fd, 1 << 20):
        out += piece
    return bytes(out)


def _write(fd: int, data: bytes, size: int) -> None:
    """Appends data to a file of this size; if that fails, cuts the file back to it."""
    try:
        written = 0
        while written < len(data):
            written += os.write(fd, data[written:])
        os.fsync(fd)
    except BaseException:
        os.ftruncate(fd, size)
        raise
