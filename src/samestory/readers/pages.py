"""Reads pages one at a time: HTML files and folders, web archives, ZIP archives, JSON lines.

The format is detected by file name, else by the first bytes:

    page.html page.htm page.xhtml   a page
    crawl.warc                      a web archive: the pages among its records
    pages.zip                       the pages among its files
    pages.jsonl                     one page per line: {"url": …, "html": …}
    folder                          the pages and web archives in it and its subfolders

All of them may be compressed (.gz, .zst). Nothing is fetched, no reference in a page is followed, and symbolic links
that lead out of the folder are rejected.
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

from samestory.old_arguments import accept_old_arguments
from samestory.readers.articles import UNREADABLE, Problem
from samestory.readers.page import Origin, Page, pass_over
from samestory.readers.page_lines import listed, page_lines
from samestory.readers.parquet import name
from samestory.readers.warc import warc_pages
from samestory.readers.zipped import PAGES, zip_pages

#: The largest page that is read: that of the native core.
MAX_PAGE_BYTES = 64 << 20

#: Formats by lower-case suffix, without the suffix of a compression.
_KINDS = dict.fromkeys(PAGES, "page") | {
    ".warc": "warc",
    ".zip": "zip",
    ".jsonl": "lines",
    ".ndjson": "lines",
    ".json": "lines",
}
_PACKED = (".gz", ".zst")
#: Formats by first bytes; anything else is a page.
_BEGINNINGS = {b"WARC/": "warc", b"PK\x03\x04": "zip", b"PK\x05\x06": "zip", b"{": "lines"}
_GZIP, _ZSTD = b"\x1f\x8b", b"\x28\xb5\x2f\xfd"

#: Bytes needed to detect the format.
_HEAD_BYTES = 512

#: Errors of damaged compressed data.
DAMAGE = (EOFError, zlib.error, gzip.BadGzipFile)


@accept_old_arguments("skipped", passed="skipped")
def pages(
    source: str | os.PathLike[str], *, skipped: Counter[str] | None = None, largest: int = MAX_PAGE_BYTES
) -> Iterator[Page | Problem]:
    """Yields the pages and problems of a file, folder or archive ("-": standard input), in order.

    Problems are yielded, not raised, so that an unreadable page does not stop reading. Inputs that are not meant to be
    pages (images in a folder, requests in a web archive) are counted in `skipped`, by kind. A page with more than
    `largest` bytes is rejected.
    """
    path = os.fspath(source)
    skipped = Counter() if skipped is None else skipped
    if path != "-" and Path(path).is_dir():
        yield from _folder(path, skipped, largest)
    else:
        yield from _file(path, skipped, largest)


@accept_old_arguments("skipped", passed="skipped")
def listed_pages(
    list: str | os.PathLike[str], *, skipped: Counter[str] | None = None, largest: int = MAX_PAGE_BYTES
) -> Iterator[Page | Problem]:
    """Yields the pages of the files in a list ("-": standard input), one path or JSON object per line.

    A line ``{"path": …, "url": …, "charset": …}`` is one page; a plain path is anything that `pages` reads.
    """
    path, is_empty = os.fspath(list), True
    try:
        with _opened(path) as stream:
            for named in listed(unpacked(stream), name(path)):
                is_empty = False
                if isinstance(named, Problem):
                    yield named
                elif named.url is None and named.charset is None:
                    yield from pages(named.path, skipped=skipped, largest=largest)
                else:
                    yield page(named.path, named.url, named.charset, largest=largest)
    except OSError as error:
        yield Problem(name(path), 0, UNREADABLE, plain(error))
        return
    if is_empty:
        yield Problem(name(path), 0, "empty", "a list without files")


def page(
    path: str, url: str | None = None, charset: str | None = None, *, largest: int = MAX_PAGE_BYTES
) -> Page | Problem:
    """Reads a file as one page, whatever its name."""
    try:
        with _opened(path) as stream:
            return _page(stream, name(path), largest, url, charset)
    except OSError as error:
        return Problem(name(path), 0, UNREADABLE, plain(error))


def kind(path: str) -> str:
    """Returns the format by file name: page, warc, zip or lines; empty if unknown.

    >>> kind("crawl.WARC.gz"), kind("index.html"), kind("photo.jpg")
    ('warc', 'page', '')
    """
    ends = [end for end in Path(path.lower()).suffixes[-2:] if end not in _PACKED]
    return _KINDS.get(ends[-1], "") if ends else ""


def plain(error: OSError | EOFError | zlib.error) -> str:
    """Describes an error in plain words."""
    if isinstance(error, FileNotFoundError):
        return "no such file or folder"
    if isinstance(error, PermissionError):
        return "permission denied"
    if isinstance(error, DAMAGE):
        return "truncated" if isinstance(error, EOFError) else "damaged, cannot be decompressed"
    return (error.strerror or str(error)).lower()


def _file(path: str, skipped: Counter[str], largest: int) -> Iterator[Page | Problem]:
    """Yields the pages of one file; its format is detected by name, else by its first bytes."""
    file = name(path)
    try:
        with _opened(path) as stream:
            if path.lower().endswith(_PACKED) and not stream.peek(1):
                raise OSError(errno.ENODATA, "the compressed file is empty")
            what = kind(path) or _look(stream)
            if what == "warc":
                # the WARC reader decompresses gzip members itself
                is_gzip = stream.peek(2).startswith(_GZIP)
                yield from warc_pages(stream if is_gzip else unpacked(stream), file, largest, skipped)
            elif what == "zip":
                yield from zip_pages(stream, file, largest, skipped)
            elif what == "lines":
                yield from page_lines(unpacked(stream), file, largest)
            else:
                yield _page(stream, file, largest)
    except OSError as error:
        yield Problem(file, 0, UNREADABLE, plain(error))


def _page(
    stream: io.BufferedReader, file: str, largest: int, url: str | None = None, charset: str | None = None
) -> Page | Problem:
    raw, reader = b"", unpacked(stream)
    try:
        while len(raw) <= largest and (more := reader.read(largest + 1 - len(raw))):
            raw += more
    except (OSError, *DAMAGE) as error:
        return Problem(file, 0, UNREADABLE, plain(error))
    if len(raw) > largest:
        return Problem(file, 0, "too large", f"more than {largest} bytes")
    return Page(raw, url, charset, Origin(file))


class _PrimedStream(io.RawIOBase):
    """A stream whose first read blocks until enough bytes for format detection have arrived."""

    def __init__(self, stream: io.BufferedReader) -> None:
        self._stream, self._waits = stream, True

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        some = self._stream.read1(len(buffer))
        while self._waits and 0 < len(some) < min(_HEAD_BYTES, len(buffer)):
            more = self._stream.read1(len(buffer) - len(some))
            if not more:
                break
            some += more
        self._waits = False
        buffer[: len(some)] = some
        return len(some)


@contextmanager
def _opened(path: str) -> Iterator[io.BufferedReader]:
    if path == "-":
        if sys.stdin is None:
            raise OSError("standard input is closed")
        yield io.BufferedReader(_PrimedStream(cast(io.BufferedReader, sys.stdin.buffer)))
        return
    with Path(path).open("rb") as stream:
        yield stream


def _look(stream: io.BufferedReader) -> str:
    """Detects the format by the first bytes."""
    begin = stream.peek(_HEAD_BYTES)[:_HEAD_BYTES]
    if begin.startswith(_GZIP):
        try:
            begin = zlib.decompressobj(31).decompress(begin, _HEAD_BYTES)
        except zlib.error:
            return "page"
    if begin.startswith(_ZSTD):
        raise OSError(errno.EINVAL, "compressed with zstd: the file name must include the format, as in crawl.warc.zst")
    begin = begin.removeprefix(b"\xef\xbb\xbf").lstrip()
    return next((what for mark, what in _BEGINNINGS.items() if begin.startswith(mark)), "page")


def unpacked(stream: io.BufferedReader) -> BinaryIO:
    """Returns the stream, decompressed if its first bytes are gzip or zstd."""
    begin = stream.peek(_HEAD_BYTES)[:_HEAD_BYTES]
    if begin.startswith(_GZIP):
        return cast(BinaryIO, gzip.GzipFile(fileobj=stream))
    if begin.startswith(_ZSTD):
        import pyarrow as pa

        return cast(BinaryIO, io.BufferedReader(pa.CompressedInputStream(stream, "zstd")))
    return stream


def _folder(root: str, skipped: Counter[str], largest: int) -> Iterator[Page | Problem]:
    """Yields the pages and web archives of a folder tree in the order of their names; other files are counted."""
    inside, found = os.path.realpath(root), False
    for path, error in _walk(root):
        what = kind(path)
        if error:
            yield Problem(name(path), 0, UNREADABLE, error)
        elif what not in ("page", "warc"):
            _other(path, skipped)
            continue
        elif not Path(os.path.realpath(path)).is_relative_to(inside):
            why = "leads out of the folder; to read it, specify the file itself"
            yield Problem(name(path), 0, "outside link", why)
        elif not Path(path).exists():
            yield Problem(name(path), 0, UNREADABLE, "a broken link")
        elif not Path(path).is_file():  # a pipe or device may block or never end
            yield Problem(name(path), 0, "not a page", "a pipe or device")
        else:
            yield from _file(path, skipped, largest)
        found = True
    if not found:
        yield Problem(name(root), 0, UNREADABLE, "no pages (*.html) or web archives (*.warc.gz) in the folder")


def _walk(root: str) -> Iterator[tuple[str, str]]:
    """Yields all non-folders of a folder tree with an empty text, and unreadable folders with the error.

    Links to folders are not followed, since they may form cycles.
    """
    stack = [(root, True)]
    while stack:
        path, is_folder = stack.pop()
        if not is_folder:
            yield path, ""
            continue
        try:
            with os.scandir(path) as entries:
                found = [(entry.path, entry.is_dir(follow_symlinks=False)) for entry in entries]
        except OSError as error:
            yield path, plain(error)
            continue
        stack.extend(sorted(found, key=lambda entry: os.fsencode(entry[0]), reverse=True))


def _other(path: str, skipped: Counter[str]) -> None:
    if not Path(path).name.startswith("."):  # hidden files are not counted
        end = name(Path(path).suffix.lower())
        pass_over(skipped, f"{end} file" if end else "file without a suffix")
