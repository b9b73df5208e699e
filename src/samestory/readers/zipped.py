"""Pages in ZIP archives.

Protects against ZIP bombs: a file is read up to the maximum page size; one with an implausible compression ratio is
rejected; an archive whose files add up to more than its own size, because they overlap, is rejected as a whole. An
archive therefore expands to some hundred times its size at most.
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

from samestory.readers.articles import DAMAGED, UNREADABLE, Problem
from samestory.readers.page import Origin, Page, pass_over

#: Lower-case suffixes of page files.
PAGES = (".html", ".htm", ".xhtml", ".xht", ".shtml")

#: Maximum compression ratio: pages reach 50 at most, deflate reaches 1,000 on empty data.
_MAX_RATIO = 200
#: Size in bytes up to which the ratio is not checked.
_UNCHECKED_BYTES = 1 << 20

_DAMAGE = (zipfile.BadZipFile, EOFError, OSError, zlib.error, lzma.LZMAError, NotImplementedError, ValueError)


def zip_pages(stream: BinaryIO, file: str, largest: int, skipped: Counter[str]) -> Iterator[Page | Problem]:
    """Yields the pages and problems of a ZIP archive, in order; `skipped` counts its other files."""
    if not stream.seekable():
        yield Problem(
            file, 0, UNREADABLE, "a ZIP archive cannot be read from standard input, because its index is at the end"
        )
        return
    size = stream.seek(0, os.SEEK_END)
    try:
        archive = zipfile.ZipFile(stream)
    except _DAMAGE as error:
        yield Problem(file, 0, UNREADABLE, f"not a ZIP archive: {str(error).lower()}")
        return
    files = [info for info in archive.infolist() if not info.is_dir()]
    if sum(info.compress_size for info in files) > size:
        yield Problem(file, 0, UNREADABLE, "its files overlap: together they are larger than the archive")
        return
    found = False
    for info in files:
        end = PurePosixPath(info.filename.lower().removesuffix(".gz")).suffix
        if end in PAGES:
            found = True
            yield _page(archive, info, f"{file}/{info.filename}", largest)
        else:
            pass_over(skipped, f"{end} file" if end else "file without a suffix")
    if not found:
        yield Problem(file, 0, UNREADABLE, "no pages (*.html) in the archive")


def _page(archive: zipfile.ZipFile, info: zipfile.ZipInfo, name: str, largest: int) -> Page | Problem:
    too_large = Problem(name, 0, "too large", f"more than {largest} bytes")
    if info.flag_bits & 1:
        return Problem(name, 0, "locked", "protected by a password")
    if info.file_size > largest:
        return too_large
    if info.file_size > max(_UNCHECKED_BYTES, _MAX_RATIO * info.compress_size):
        why = f"implausible compression: {info.compress_size} bytes expand to {info.file_size}"
        return Problem(name, 0, "too large", why)
    try:
        raw = archive.read(info)
        if raw.startswith(b"\x1f\x8b"):
            raw = gzip.GzipFile(fileobj=io.BytesIO(raw)).read(largest + 1)
    except _DAMAGE as error:
        lines = str(error).lower().splitlines()
        return Problem(name, 0, DAMAGED, f"cannot be decompressed: {lines[0] if lines else 'truncated'}")
    return Page(raw, None, None, Origin(name)) if len(raw) <= largest else too_large
