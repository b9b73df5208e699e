"""What goes out: files whole or not at all, and texts that people can be shown."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

#: Control characters, each as an escape that can be read; what people see must not steer their terminal or page.
CONTROLS = {code: f"\\x{code:02x}" for code in (*range(9), 11, 12, *range(14, 32), *range(127, 160))}
ONE_LINE = CONTROLS | {9: " ", 10: " ", 13: " "}


class Outputs:
    """Files that appear together, whole, when everything is done; or not at all.

    Each is written beside its place under a passing name. Pipes and devices are written to as they are, at the end.
    """

    def __init__(self) -> None:
        self._ready: list[tuple[Path, Path | bytes]] = []

    def __enter__(self) -> Outputs:
        return self

    def add(self, path: str, data: bytes) -> None:
        """Makes a file ready."""
        given = Path(path)
        if given.exists() and not given.is_file():
            self._ready.append((given, data))
            return
        place = given.resolve()
        trial = _trial(place)
        self._ready.append((place, trial))
        with _named(path):
            trial.write_bytes(data)
            _keep_mode(place, trial)

    @contextmanager
    def stream(self, path: str | None = None) -> Iterator[Callable[[bytes], object]]:
        """Takes a result piece by piece: to standard output, a pipe or a device as it comes; or for a file.

        The file is ready when the last piece is there, and forgotten if something goes wrong before.
        """
        if not path:
            yield write_out
            return
        given = Path(path)
        if given.exists() and not given.is_file():
            with given.open("wb") as handle:
                yield handle.write
            return
        place = given.resolve()
        trial = _trial(place)
        try:
            with _named(path, trial), trial.open("wb") as file:
                yield file.write
        except BaseException:
            trial.unlink(missing_ok=True)
            raise
        self._ready.append((place, trial))
        _keep_mode(place, trial)

    def commit(self) -> None:
        """Puts all files into their places."""
        while self._ready:
            place, ready = self._ready[0]
            if isinstance(ready, bytes):
                place.write_bytes(ready)
            else:
                with _named(str(place)):
                    ready.replace(place)
            del self._ready[0]

    def __exit__(self, *how: object) -> None:
        for _, ready in self._ready:
            if isinstance(ready, Path):
                ready.unlink(missing_ok=True)

    def deliver(self, data: bytes, path: str | None = None) -> None:
        """Writes the result to standard output; the files follow even if whoever reads it has seen enough.

        With a path the result is a file among the others.
        """
        if path:
            self.add(path, data)
            return
        try:
            write_out(data)
        except BrokenPipeError:
            self.commit()
            raise


def _trial(place: Path) -> Path:
    """The passing name of a file."""
    return place.with_name(f"{place.name}.{os.getpid()}.part")


@contextmanager
def _named(path: str, only: Path | None = None) -> Iterator[None]:
    """Faults of the file under a passing name are told of the file that somebody asked for."""
    try:
        yield
    except OSError as error:
        if only is None or error.filename == str(only):
            error.filename, error.filename2 = path, None
        raise


def _keep_mode(place: Path, trial: Path) -> None:
    """What is written over an old file has its permissions."""
    if place.exists():
        trial.chmod(stat.S_IMODE(place.stat().st_mode))


def write_file(path: str | Path, data: bytes) -> None:
    """Writes one file: it is there whole or not at all."""
    with Outputs() as outputs:
        outputs.add(str(path), data)
        outputs.commit()


def write_out(data: bytes) -> None:
    """Writes to standard output."""
    sys.stdout.flush()
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


def printable(text: str, one_line: bool = True) -> str:
    """A text as it may be shown to people.

    >>> printable("news\\x1b[2J")
    'news\\\\x1b[2J'
    """
    return text.translate(ONE_LINE if one_line else CONTROLS)
