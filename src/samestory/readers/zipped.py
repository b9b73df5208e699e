"""Pages in ZIP archives.

An archive may promise more than any disk holds. A file in it is read up to the largest page; one that shrinks beyond
all pages is refused; and an archive whose files are together larger than itself, since they overlap, as a whole. So a
whole archive unpacks to some hundred times its size at most.
"""

from __future__ import annotations

import gzip
import io
import lzma
import os
import zipfile
import zlib
from collections import Counter
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import BinaryIO

from samestory.readers.articles import Problem
from samestory.readers.page import Origin, Page, pass_over

#: How names of pages end, small.
PAGES = (".html", ".htm", ".xhtml", ".xht", ".shtml")

#: Pages shrink to a fiftieth at most when they are packed; deflate can do a thousandth of nothing.
_SHRINKS = 200
#: Smaller ones may shrink as they like.
_SMALL = 1 << 20

_DAMAGE = (zipfile.BadZipFile, EOFError, OSError, zlib.error, lzma.LZMAError, NotImplementedError, ValueError)


def zip_pages(stream: BinaryIO, file: str, largest: int, passed: Counter[str]) -> Iterator[Page | Problem]:
    """The pages of a ZIP archive, and in their places the problems; `passed` counts its other files."""
    if not stream.seekable():
        yield Problem(file, 0, "unreadable", "a ZIP archive is read from its end and cannot come from standard input")
        return
    size = stream.seek(0, os.SEEK_END)
    try:
        archive = zipfile.ZipFile(stream)
    except _DAMAGE as error:
        yield Problem(file, 0, "unreadable", f"no ZIP archive: {str(error).lower()}")
        return
    files = [info for info in archive.infolist() if not info.is_dir()]
    if sum(info.compress_size for info in files) > size:
        yield Problem(file, 0, "unreadable", "its files are larger than the archive: they overlap")
        return
    found = False
    for info in files:
        end = PurePosixPath(info.filename.lower().removesuffix(".gz")).suffix
        if end in PAGES:
            found = True
            yield _page(archive, info, f"{file}/{info.filename}", largest)
        else:
            pass_over(passed, f"{end} file" if end else "file without an ending")
    if not found:
        yield Problem(file, 0, "unreadable", "an archive without pages (*.html)")


def _page(archive: zipfile.ZipFile, info: zipfile.ZipInfo, name: str, largest: int) -> Page | Problem:
    too_large = Problem(name, 0, "too large", f"more than {largest} bytes")
    if info.flag_bits & 1:
        return Problem(name, 0, "unreadable", "it wants a password")
    if info.file_size > largest:
        return too_large
    if info.file_size > max(_SMALL, _SHRINKS * info.compress_size):
        return Problem(name, 0, "unreadable", f"{info.compress_size} bytes that promise {info.file_size}: no page")
    try:
        raw = archive.read(info)
        if raw.startswith(b"\x1f\x8b"):
            raw = gzip.GzipFile(fileobj=io.BytesIO(raw)).read(largest + 1)
    except _DAMAGE as error:
        why = str(error).lower().splitlines()
        return Problem(name, 0, "unreadable", f"it cannot be unpacked: {why[0] if why else 'it breaks off'}")
    return Page(raw, None, None, Origin(name)) if len(raw) <= largest else too_large
