"""Atomic creation of files: a file is complete and on disk, or does not exist."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from samestory.errors import InputError

#: What SQLite writes beside a database: its log, the index of the log, and the rollback journal.
SIDE_FILES = ("-wal", "-shm", "-journal")


@contextmanager
def new_file(path: str | Path) -> Iterator[Path]:
    """Yield a temporary path beside `path`; at the end the file written there is renamed to it.

    Raises an InputError if `path` exists, at the beginning or at the end: a file that appeared meanwhile is kept.
    """
    final = Path(path).absolute()
    if final.exists() or final.is_symlink():
        raise InputError("already exists", hint="name a new file", place=path)
    if not final.parent.is_dir():
        raise InputError(f"there is no folder {final.parent}", hint=f"mkdir -p '{final.parent}'", place=path)
    # a name that no killed process left behind
    temporary = final.with_name(f"{final.name}.{secrets.token_hex(4)}.part")
    try:
        yield temporary
        _flush(temporary)
        _rename(temporary, final)
        _flush(final.parent)
    except FileExistsError as error:
        raise InputError("already exists", hint="name a new file", place=path) from error
    except OSError as error:
        raise InputError(str(error.strerror or error), place=path) from error
    finally:
        for end in ("", *SIDE_FILES):
            temporary.with_name(f"{temporary.name}{end}").unlink(missing_ok=True)


def side_files(path: Path) -> list[Path]:
    """Return the files beside a database that SQLite would read as parts of it; empty ones have no meaning."""
    beside = (path.with_name(f"{path.name}{end}") for end in SIDE_FILES)
    return [each for each in beside if each.exists() and each.stat().st_size]


def _rename(temporary: Path, final: Path) -> None:
    """Rename a file without overwriting one that was created meanwhile."""
    try:
        os.link(temporary, final)
    except FileExistsError:
        raise
    except OSError:  # a file system without links: the name is claimed first
        os.close(os.open(final, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o666))
        temporary.replace(final)


def _flush(path: Path) -> None:
    """Write a file or folder through to the disk."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
