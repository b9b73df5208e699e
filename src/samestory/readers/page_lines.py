"""Pages in JSON Lines as written by crawlers, ``{"url": …, "html": …}``, and lists of page files."""

from __future__ import annotations

import json
import os
import zlib
from collections.abc import Iterator
from typing import Any, BinaryIO, NamedTuple

from samestory.model import flaw, shown
from samestory.readers.articles import UNREADABLE, Problem
from samestory.readers.page import Origin, Page

#: Field names of the page and of its URL, best first.
HTML = ("html", "raw_html")
URL = ("url", "link")

#: Characters per character escaped in JSON, and bytes for other fields.
_ESCAPE_FACTOR, _OTHER_FIELDS_BYTES = 2, 1 << 20


class InputLine(NamedTuple):
    """A line of a file, counted from 1, without its line break; or its fault."""

    number: int
    content: bytes
    fault: tuple[str, str] | None = None


def lines(stream: BinaryIO, max_bytes: int) -> Iterator[InputLine]:
    """Yields the non-blank lines; a line that is too long is reported and not kept in memory."""
    number = 0
    try:
        while line := stream.readline(max_bytes + 1):
            number += 1
            if len(line) > max_bytes and not line.endswith(b"\n"):
                while (rest := stream.readline(1 << 20)) and not rest.endswith(b"\n"):
                    pass
                yield InputLine(number, b"", ("too large", f"a line of more than {max_bytes} bytes"))
            elif content := (line.removeprefix(b"\xef\xbb\xbf") if number == 1 else line).strip():
                yield InputLine(number, content)
    except (OSError, EOFError, zlib.error) as error:
        yield InputLine(number + 1, b"", (UNREADABLE, f"reading stopped: {str(error).lower()}"))


def page_lines(stream: BinaryIO, file: str, largest: int) -> Iterator[Page | Problem]:
    """Yields the pages and problems of a JSON Lines file, in order."""
    is_empty = True
    for number, content, fault in lines(stream, _ESCAPE_FACTOR * largest + _OTHER_FIELDS_BYTES):
        is_empty = False
        origin = Origin(file, number)
        yield Problem(*origin, *fault) if fault else _page(content, origin, largest)
    if is_empty:
        yield Problem(file, 0, "empty", "a file without lines")


def _page(content: bytes, origin: Origin, largest: int) -> Page | Problem:
    row = _object(content)
    if isinstance(row, str):
        return Problem(*origin, "broken line", row)
    html = next((row[name] for name in HTML if row.get(name) is not None), None)
    url = next((row[name] for name in URL if row.get(name) is not None), None)
    if html is None:
        return Problem(*origin, "no page", f"no field {' or '.join(map(repr, HTML))} among {_names(row)}")
    for role, text in (("html", html), ("url", "" if url is None else url)):
        if not isinstance(text, str):
            return Problem(*origin, "broken line", f"{role}: expected a text, got {shown(text)}")
        if wrong := flaw(text):
            return Problem(*origin, "broken line", f"{role}: {wrong}")
    raw = html.encode()
    if len(raw) > largest:
        return Problem(*origin, "too large", f"more than {largest} bytes")
    # the crawler has already decoded it, whatever charset the page declares
    return Page(raw, url or None, "utf-8", origin)


def _object(content: bytes) -> dict[str, Any] | str:
    try:
        row = json.loads(content)
    except RecursionError:
        return "nested too deep"
    except UnicodeDecodeError:
        return "bytes that are not UTF-8"
    except json.JSONDecodeError as error:
        return f"{error.msg.lower()} at column {error.colno}"
    except ValueError:
        return "a number with too many digits"
    return row if isinstance(row, dict) else f"expected an object, got {shown(row)}"


def _names(row: dict[str, Any]) -> str:
    names = ", ".join(map(str, list(row)[:10]))
    return names[:200] or "no fields"


class ListedFile(NamedTuple):
    """A file in a list, with the URL and charset of its page, if listed."""

    path: str
    url: str | None = None
    charset: str | None = None


def listed(stream: BinaryIO, file: str) -> Iterator[ListedFile | Problem]:
    """Yields the files of a list: one path or ``{"path": …, "url": …, "charset": …}`` per line.

    Paths are relative to the working directory.
    """
    for number, content, fault in lines(stream, 1 << 16):
        origin = Origin(file, number)
        if fault:
            yield Problem(*origin, *fault)
        elif b"\0" in content:
            yield Problem(*origin, "broken line", "a file name cannot contain NUL")
        elif not content.startswith(b"{"):
            yield ListedFile(os.fsdecode(content))
        else:
            yield _listed_file(content, origin)


def _listed_file(content: bytes, origin: Origin) -> ListedFile | Problem:
    row = _object(content)
    if isinstance(row, str):
        return Problem(*origin, "broken line", row)
    path = row.get("path")
    if not isinstance(path, str) or not path or "\0" in path:
        return Problem(*origin, "broken line", f"path: expected a text, got {shown(path)}")
    for role in ("path", "url", "charset"):
        given = row.get(role)
        if given is not None and (not isinstance(given, str) or flaw(given)):
            return Problem(*origin, "broken line", f"{role}: expected a text, got {shown(given)}")
    return ListedFile(path, row.get("url"), row.get("charset"))
