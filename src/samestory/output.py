"""Output: files and streams that are written completely or fail, and text that is safe to show."""

from __future__ import annotations

import errno
import io
import os
import select
import stat
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, TextIO

#: Control characters, and those that reverse the letters of a text, mapped to readable escapes, so that shown text
#: cannot control a terminal or page.
CONTROLS = {code: f"\\x{code:02x}" for code in (*range(9), *range(11, 32), *range(127, 160))} | {
    code: f"\\u{code:04x}" for code in (0x202D, 0x202E)
}
ONE_LINE = CONTROLS | {9: " ", 10: " ", 13: " "}


class Outputs:
    """A set of files, each of which appears complete or not at all, and none before all of them are written.

    Each is written next to its target under a temporary name, and renamed on `commit`. Pipes and devices are written
    directly, on commit.
    """

    def __init__(self) -> None:
        self._ready: list[tuple[Path, Path | bytes]] = []

    def __enter__(self) -> Outputs:
        return self

    def add(self, path: str, data: bytes) -> None:
        """Stages a file for commit."""
        given = Path(path)
        if given.exists() and not given.is_file():
            self._ready.append((given, data))
            return
        target = given.resolve()
        temporary = _temporary(target)
        self._ready.append((target, temporary))
        with _named(path):
            temporary.write_bytes(data)
            _keep_mode(target, temporary)

    @contextmanager
    def stream(self, path: str | None = None) -> Iterator[Callable[[bytes], object]]:
        """Yields a function that writes a result in pieces: directly to standard output, a pipe or device, else staged.

        A file is staged when the block ends, and discarded if it raises.
        """
        if not path:
            yield write_out
            return
        given = Path(path)
        if given.exists() and not given.is_file():
            with _opened(path, given) as write:
                yield write
            return
        target = given.resolve()
        temporary = _temporary(target)
        try:
            with _opened(path, temporary) as write:
                yield write
        except BaseException:
            temporary.unlink(missing_ok=True)
            raise
        self._ready.append((target, temporary))
        _keep_mode(target, temporary)

    def commit(self) -> None:
        """Moves all staged files to their targets."""
        while self._ready:
            target, ready = self._ready[0]
            with _named(str(target)):
                if isinstance(ready, bytes):
                    target.write_bytes(ready)
                else:
                    ready.replace(target)
            del self._ready[0]

    def __exit__(self, *how: object) -> None:
        for _, ready in self._ready:
            if isinstance(ready, Path):
                ready.unlink(missing_ok=True)

    def deliver(self, data: bytes, path: str | None = None) -> None:
        """Writes the result to standard output; if its reader closes the pipe, the staged files are still committed.

        With a path, the result is staged as a file instead.
        """
        if path:
            self.add(path, data)
            return
        try:
            write_out(data)
        except BrokenPipeError:
            self.commit()
            raise


def _temporary(target: Path) -> Path:
    """Returns the temporary name of a file."""
    return target.with_name(f"{target.name}.{os.getpid()}.part")


@contextmanager
def _named(path: str) -> Iterator[None]:
    """Reports an OSError of a file under the requested path."""
    try:
        yield
    except OSError as error:
        error.filename, error.filename2 = path, None
        raise


@contextmanager
def _opened(path: str, place: Path) -> Iterator[Callable[[bytes], object]]:
    """Yields a function that writes to a file; its errors name the requested path."""
    with _named(path):
        file = place.open("wb")

    def write(data: bytes) -> None:
        with _named(path):
            file.write(data)

    try:
        yield write
    finally:
        with _named(path):
            file.close()


def _keep_mode(target: Path, temporary: Path) -> None:
    """Copies the permissions of the file that is replaced."""
    if target.exists():
        temporary.chmod(stat.S_IMODE(target.stat().st_mode))


def write_file(path: str | Path, data: bytes) -> None:
    """Writes one file atomically."""
    with Outputs() as outputs:
        outputs.add(str(path), data)
        outputs.commit()


def write_out(data: bytes) -> None:
    """Writes to standard output."""
    sys.stdout.flush()
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


#: Bytes per write: Linux writes less than 2 GiB at once.
_WRITE_BYTES = 1 << 30


class CompleteWriter(io.RawIOBase):
    """A file descriptor to which every write is complete, or raises an OSError.

    A pipe may accept a part of the data, and none while it is full and the process at its other end has made it
    non-blocking. The unbuffered streams of Python drop the rest in silence.
    """

    def __init__(self, fd: int) -> None:
        self._fd = fd

    def fileno(self) -> int:
        return self._fd

    def isatty(self) -> bool:
        return os.isatty(self._fd)

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        """Writes all of the data; waits while the descriptor accepts none."""
        with memoryview(data) as view, view.cast("B") as whole:
            written = 0
            while written < len(whole):
                try:
                    count = os.write(self._fd, whole[written : written + _WRITE_BYTES])
                except BlockingIOError:
                    _wait_until_writable(self._fd)
                    continue
                if not count:
                    raise OSError(errno.EIO, "the device accepts no data")
                written += count
            return written


def _wait_until_writable(fd: int) -> None:
    """Waits until a descriptor accepts data or its other end is closed."""
    poll = select.poll()
    poll.register(fd, select.POLLOUT)
    poll.poll()


@contextmanager
def complete_streams() -> Iterator[None]:
    """Makes standard output and standard error write completely, as far as they are files of the operating system."""
    before = sys.stdout, sys.stderr
    sys.stdout, sys.stderr = _complete(sys.stdout), _complete(sys.stderr, line_buffering=True)
    try:
        yield
    finally:
        for stream in (sys.stdout, sys.stderr):
            with suppress(OSError, ValueError):  # the command has flushed them, or has failed already
                stream.flush()
        sys.stdout, sys.stderr = before


def _complete(stream: TextIO, line_buffering: bool = False) -> TextIO:
    if not isinstance(stream, io.TextIOWrapper) or not stream.writable():
        return stream
    try:
        fd = stream.fileno()
    except OSError:
        return stream  # in memory
    stream.flush()
    return io.TextIOWrapper(
        io.BufferedWriter(CompleteWriter(fd)),
        stream.encoding,
        stream.errors,
        line_buffering=line_buffering or stream.line_buffering,
        write_through=stream.write_through,
    )


def printable(text: str, one_line: bool = True) -> str:
    """Escapes control characters in a text.

    >>> printable("news\\x1b[2J")
    'news\\\\x1b[2J'
    """
    return text.translate(ONE_LINE) if one_line else text.replace("\r\n", "\n").translate(CONTROLS)
