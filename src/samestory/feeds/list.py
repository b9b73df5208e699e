"""Reads a list of feeds: a file with one URL per line, or an OPML file as feed readers export it.

A line may be empty, a comment (`# sport`), or a URL with a comment after it. An invalid URL is reported with its line,
and does not affect the others.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path
from xml.parsers import expat

from samestory.errors import InputError
from samestory.feeds.addresses import AddressError, parse_target
from samestory.feeds.decode import decode
from samestory.readers import Problem

#: The largest file that is read as a list of feeds.
MAX_LIST_BYTES = 10_000_000

_COMMENT = re.compile(r"(?:^|\s)#.*")


def feed_list(path: str | os.PathLike[str]) -> tuple[list[str], list[Problem]]:
    """Return the URLs of a file, without duplicates and in order, and the problems with the rest."""
    name = os.fspath(path)
    try:
        with Path(path).open("rb") as stream:
            raw = stream.read(MAX_LIST_BYTES + 1)
    except OSError as error:
        raise InputError((error.strerror or str(error)).lower(), place=name) from None
    if len(raw) > MAX_LIST_BYTES:
        raise InputError(f"larger than {MAX_LIST_BYTES} bytes, so not a list of feeds", place=name)
    return parse_list(raw, name)


def parse_list(raw: bytes, name: str = "feeds") -> tuple[list[str], list[Problem]]:
    """Return the URLs and problems of the contents of a list.

    >>> parse_list(b"# news\\nhttps://example.com/rss\\nftp://example.com/\\n")[0]
    ['https://example.com/rss']
    """
    found: dict[str, int] = {}
    problems: list[Problem] = []
    text, warning = decode(raw)
    if warning:
        problems.append(Problem(name, 0, "wrong encoding", warning, kept=True))
    for line, given in _outlines(raw, name) if text.lstrip("\ufeff \t\r\n").startswith("<") else _lines(text):
        try:
            url = parse_target(given).url
        except AddressError as error:
            problems.append(Problem(name, line, "no address", f"{error}: {given[:100]}"))
            continue
        if url in found:
            problems.append(Problem(name, line, "given twice", f"{url} is also in line {found[url]}", kept=True))
        found.setdefault(url, line)
    return list(found), problems


def _lines(text: str) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(text.lstrip("\ufeff").splitlines(), 1):
        if given := _COMMENT.sub("", line).strip():
            yield number, given


class _EntityDeclaredError(Exception):
    """An entity is declared, which no list of feeds needs."""


def _outlines(raw: bytes, name: str) -> list[tuple[int, str]]:
    """Return the URLs of an OPML file; a broken file is refused entirely, since an unknown part is missing."""
    found: list[tuple[int, str]] = []
    parser = expat.ParserCreate()

    def start(element: str, attributes: dict[str, str]) -> None:
        given = next((value for key, value in attributes.items() if key.lower() == "xmlurl"), "")
        if element.lower() == "outline" and given.strip():
            found.append((parser.CurrentLineNumber, given.strip()))

    def declared(*_: object) -> None:
        raise _EntityDeclaredError

    parser.StartElementHandler = start
    parser.EntityDeclHandler = declared
    try:
        parser.Parse(raw, True)
    except _EntityDeclaredError:
        raise InputError("refused, as entities are declared in it", place=name) from None
    except (expat.ExpatError, ValueError, LookupError) as error:
        raise InputError(f"not OPML: {error}", place=name) from None
    return found
