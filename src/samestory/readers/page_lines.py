"""Pages in lines of JSON, as crawlers write them: ``{"url": …, "html": …}``; and lists of files that hold pages."""

from __future__ import annotations

import json
import os
import zlib
from collections.abc import Iterator
from typing import Any, BinaryIO, NamedTuple

from samestory.model import flaw, shown
from samestory.readers.articles import Problem
from samestory.readers.page import Origin, Page

#: The names of the field that holds the page, best first; and of that with its address.
HTML = ("html", "raw_html")
URL = ("url", "link")

#: Many characters take two in JSON, and there may be other fields.
_ESCAPED, _OTHERS = 2, 1 << 20


class Line(NamedTuple):
    """A line of a file, counted from 1, without its end; or what is wrong with it."""

    number: int
    content: bytes
    fault: tuple[str, str] | None = None


def lines(stream: BinaryIO, longest: int) -> Iterator[Line]:
    """The lines that hold something; one that is longer than allowed is told and not held."""
    number = 0
    try:
        while line := stream.readline(longest + 1):
            number += 1
            if len(line) > longest and not line.endswith(b"\n"):
                while (rest := stream.readline(1 << 20)) and not rest.endswith(b"\n"):
                    pass
                yield Line(number, b"", ("too large", f"a line of more than {longest} bytes"))
            elif content := (line.removeprefix(b"\xef\xbb\xbf") if number == 1 else line).strip():
                yield Line(number, content)
    except (OSError, EOFError, zlib.error) as error:
        yield Line(number + 1, b"", ("unreadable", f"reading stopped: {str(error).lower()}"))


def page_lines(stream: BinaryIO, file: str, largest: int) -> Iterator[Page | Problem]:
    """The pages of a file of JSON lines, and in their places the problems."""
    nothing = True
    for number, content, fault in lines(stream, _ESCAPED * largest + _OTHERS):
        nothing = False
        origin = Origin(file, number)
        yield Problem(*origin, *fault) if fault else _page(content, origin, largest)
    if nothing:
        yield Problem(file, 0, "unreadable", "an empty file")


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
            return Problem(*origin, "broken line", f"{role}: a text is wanted, got {shown(text)}")
        if wrong := flaw(text):
            return Problem(*origin, "broken line", f"{role}: {wrong}")
    raw = html.encode()
    if len(raw) > largest:
        return Problem(*origin, "too large", f"more than {largest} bytes")
    # it was decoded by whoever wrote the line, whatever the page itself says
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
    return row if isinstance(row, dict) else f"an object is wanted, got {shown(row)}"


def _names(row: dict[str, Any]) -> str:
    names = ", ".join(map(str, list(row)[:10]))
    return names[:200] or "no fields"


class Named(NamedTuple):
    """A file of a list, and what the list says of the page in it."""

    path: str
    url: str | None = None
    charset: str | None = None


def listed(stream: BinaryIO, file: str) -> Iterator[Named | Problem]:
    """The files that a list names: a path a line, or ``{"path": …, "url": …, "charset": …}``.

    Paths count from where the command runs, as those given to it do.
    """
    for number, content, fault in lines(stream, 1 << 16):
        origin = Origin(file, number)
        if fault:
            yield Problem(*origin, *fault)
        elif b"\0" in content:
            yield Problem(*origin, "broken line", "no name of a file has a NUL in it")
        elif not content.startswith(b"{"):
            yield Named(os.fsdecode(content))
        else:
            yield _named(content, origin)


def _named(content: bytes, origin: Origin) -> Named | Problem:
    row = _object(content)
    if isinstance(row, str):
        return Problem(*origin, "broken line", row)
    path = row.get("path")
    if not isinstance(path, str) or not path or "\0" in path:
        return Problem(*origin, "broken line", f"path: a text is wanted, got {shown(path)}")
    for role in ("path", "url", "charset"):
        given = row.get(role)
        if given is not None and (not isinstance(given, str) or flaw(given)):
            return Problem(*origin, "broken line", f"{role}: a text is wanted, got {shown(given)}")
    return Named(path, row.get("url"), row.get("charset"))
