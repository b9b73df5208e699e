"""Pages as objects, one after the other: files and folders of HTML, web archives, ZIP archives, JSON lines.

What holds pages is known by its name, else by how it begins:

    page.html page.htm page.xhtml   a page
    crawl.warc                      a web archive: the pages among its records
    pages.zip                       the pages among its files
    pages.jsonl                     a page a line: {"url": …, "html": …}
    folder                          the pages and web archives in it and below

All of them may be packed (.gz, .zst). Nothing is ever fetched, nothing a page says is followed, and
no link leads out of a folder that is read.
"""

from __future__ import annotations

import errno
import gzip
import io
import os
import sys
import zlib
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO, cast

from samestory.readers.articles import Problem
from samestory.readers.page import Origin, Page, pass_over
from samestory.readers.page_lines import listed, page_lines
from samestory.readers.parquet import name
from samestory.readers.warc import warc_pages
from samestory.readers.zipped import PAGES, zip_pages

#: The largest page that is read: that of the native core.
LARGEST = 64 << 20

#: How names end, small and without what they are packed with, of what holds pages.
_KINDS = dict.fromkeys(PAGES, "page") | {
    ".warc": "warc",
    ".zip": "zip",
    ".jsonl": "lines",
    ".ndjson": "lines",
    ".json": "lines",
}
_PACKED = (".gz", ".zst")
#: How bytes begin; what begins otherwise is a page.
_BEGINNINGS = {b"WARC/": "warc", b"PK\x03\x04": "zip", b"PK\x05\x06": "zip", b"{": "lines"}
_GZIP, _ZSTD = b"\x1f\x8b", b"\x28\xb5\x2f\xfd"

#: So many bytes are enough to know what a file holds.
_LOOK = 512

#: What can go wrong with something packed.
DAMAGE = (EOFError, zlib.error, gzip.BadGzipFile)


def pages(
    source: str | os.PathLike[str], passed: Counter[str] | None = None, *, largest: int = LARGEST
) -> Iterator[Page | Problem]:
    """The pages of a file, folder or archive ("-": standard input), and in their places the problems met on the way.

    What cannot be read never stops the rest: failures are values here. What is no page and need not be one (pictures
    in a folder, requests in a web archive) is counted in `passed`, by kind. A page with more than `largest` bytes is
    refused.
    """
    path = os.fspath(source)
    passed = Counter() if passed is None else passed
    if path != "-" and Path(path).is_dir():
        yield from _folder(path, passed, largest)
    else:
        yield from _file(path, passed, largest)


def listed_pages(
    list: str | os.PathLike[str], passed: Counter[str] | None = None, *, largest: int = LARGEST
) -> Iterator[Page | Problem]:
    """The pages of the files that a list names ("-": standard input), a path or a JSON line each.

    A line ``{"path": …, "url": …, "charset": …}`` is one page; a path alone is anything that `pages` reads.
    """
    path, nothing = os.fspath(list), True
    try:
        with _opened(path) as stream:
            for named in listed(unpacked(stream), name(path)):
                nothing = False
                if isinstance(named, Problem):
                    yield named
                elif named.url is None and named.charset is None:
                    yield from pages(named.path, passed, largest=largest)
                else:
                    yield page(named.path, named.url, named.charset, largest=largest)
    except OSError as error:
        yield Problem(name(path), 0, "unreadable", plain(error))
        return
    if nothing:
        yield Problem(name(path), 0, "unreadable", "an empty list")


def page(path: str, url: str | None = None, charset: str | None = None, *, largest: int = LARGEST) -> Page | Problem:
    """The one page that a file holds, whatever its name."""
    try:
        with _opened(path) as stream:
            return _page(stream, name(path), largest, url, charset)
    except OSError as error:
        return Problem(name(path), 0, "unreadable", plain(error))


def kind(path: str) -> str:
    """What a name says that a file holds: page, warc, zip or lines; nothing if it does not say.

    >>> kind("crawl.WARC.gz"), kind("index.html"), kind("photo.jpg")
    ('warc', 'page', '')
    """
    ends = [end for end in Path(path.lower()).suffixes[-2:] if end not in _PACKED]
    return _KINDS.get(ends[-1], "") if ends else ""


def plain(error: OSError | EOFError | zlib.error) -> str:
    """What went wrong, in plain words."""
    if isinstance(error, FileNotFoundError):
        return "no such file or folder"
    if isinstance(error, PermissionError):
        return "may not be read (permission denied)"
    if isinstance(error, DAMAGE):
        return "it breaks off" if isinstance(error, EOFError) else "it is damaged and cannot be unpacked"
    return (error.strerror or str(error)).lower()


def _file(path: str, passed: Counter[str], largest: int) -> Iterator[Page | Problem]:
    """The pages of one file; where its name does not say what it holds, its first bytes do."""
    file = name(path)
    try:
        with _opened(path) as stream:
            what = kind(path) or _look(stream)
            if what == "warc":
                # its own reader unpacks gzip, member by member
                is_gzip = stream.peek(2).startswith(_GZIP)
                yield from warc_pages(stream if is_gzip else unpacked(stream), file, largest, passed)
            elif what == "zip":
                yield from zip_pages(stream, file, largest, passed)
            elif what == "lines":
                yield from page_lines(unpacked(stream), file, largest)
            else:
                yield _page(stream, file, largest)
    except OSError as error:
        yield Problem(file, 0, "unreadable", plain(error))


def _page(
    stream: io.BufferedReader, file: str, largest: int, url: str | None = None, charset: str | None = None
) -> Page | Problem:
    raw, reader = b"", unpacked(stream)
    try:
        while len(raw) <= largest and (more := reader.read(largest + 1 - len(raw))):
            raw += more
    except (OSError, *DAMAGE) as error:
        return Problem(file, 0, "unreadable", plain(error))
    if len(raw) > largest:
        return Problem(file, 0, "too large", f"more than {largest} bytes")
    return Page(raw, url, charset, Origin(file))


class _Begun(io.RawIOBase):
    """A stream whose first bytes come together, however slowly somebody writes them: what it holds is known by them."""

    def __init__(self, stream: io.BufferedReader) -> None:
        self._stream, self._waits = stream, True

    def readable(self) -> bool:
        """It is there to be read."""
        return True

    def readinto(self, room: Any) -> int:
        """Fills as much of the room as is there."""
        some = self._stream.read1(len(room))
        while self._waits and 0 < len(some) < min(_LOOK, len(room)):
            more = self._stream.read1(len(room) - len(some))
            if not more:
                break
            some += more
        self._waits = False
        room[: len(some)] = some
        return len(some)


@contextmanager
def _opened(path: str) -> Iterator[io.BufferedReader]:
    if path == "-":
        if sys.stdin is None:
            raise OSError("standard input is closed")
        yield io.BufferedReader(_Begun(cast(io.BufferedReader, sys.stdin.buffer)))
        return
    with Path(path).open("rb") as stream:
        yield stream


def _look(stream: io.BufferedReader) -> str:
    """What a file holds, by how it begins."""
    begin = stream.peek(_LOOK)[:_LOOK]
    if begin.startswith(_GZIP):
        try:
            begin = zlib.decompressobj(31).decompress(begin, _LOOK)
        except zlib.error:
            return "page"
    if begin.startswith(_ZSTD):
        raise OSError(errno.EINVAL, "packed with zstd: its name must say what it holds, as in crawl.warc.zst")
    begin = begin.removeprefix(b"\xef\xbb\xbf").lstrip()
    return next((what for mark, what in _BEGINNINGS.items() if begin.startswith(mark)), "page")


def unpacked(stream: io.BufferedReader) -> BinaryIO:
    """The same bytes, unpacked if they are packed, whatever the name said."""
    begin = stream.peek(_LOOK)[:_LOOK]
    if begin.startswith(_GZIP):
        return cast(BinaryIO, gzip.GzipFile(fileobj=stream))
    if begin.startswith(_ZSTD):
        import pyarrow as pa

        return cast(BinaryIO, io.BufferedReader(pa.CompressedInputStream(stream, "zstd")))
    return stream


def _folder(root: str, passed: Counter[str], largest: int) -> Iterator[Page | Problem]:
    """The pages and web archives in a folder and below, in the order of their names; other files are counted."""
    inside, found = os.path.realpath(root), False
    for path, trouble in _below(root):
        what = kind(path)
        if trouble:
            yield Problem(name(path), 0, "unreadable", trouble)
        elif what not in ("page", "warc"):
            _other(path, passed)
            continue
        elif not Path(os.path.realpath(path)).is_relative_to(inside):
            yield Problem(name(path), 0, "unreadable", "a link that leads out of the folder")
        elif not Path(path).is_file():  # a pipe or a device may give nothing, or never end
            yield Problem(name(path), 0, "unreadable", "not a file")
        else:
            yield from _file(path, passed, largest)
        found = True
    if not found:
        yield Problem(name(root), 0, "unreadable", "a folder without pages (*.html) and web archives (*.warc.gz)")


def _below(root: str) -> Iterator[tuple[str, str]]:
    """Everything in a folder and below but folders; and why one cannot be looked into, where that is so.

    Links to folders are not followed: they may lead back here.
    """
    ready = [(root, True)]
    while ready:
        path, is_folder = ready.pop()
        if not is_folder:
            yield path, ""
            continue
        try:
            with os.scandir(path) as entries:
                there = [(entry.path, entry.is_dir(follow_symlinks=False)) for entry in entries]
        except OSError as error:
            yield path, plain(error)
            continue
        ready.extend(sorted(there, key=lambda entry: os.fsencode(entry[0]), reverse=True))


def _other(path: str, passed: Counter[str]) -> None:
    if not Path(path).name.startswith("."):  # what is hidden is nobody's news
        end = name(Path(path).suffix.lower())
        pass_over(passed, f"{end} file" if end else "file without an ending")
