"""The list of feeds to follow: a file with an address a line, or an OPML file as readers of feeds write them.

A line may be empty, a comment (`# sport`), or an address with a comment behind it. What is no address is told with its
line, and costs itself alone.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path
from xml.parsers import expat

from samestory.errors import InputError
from samestory.feeds.addresses import AddressError, target
from samestory.feeds.decode import decoded
from samestory.readers import Problem

#: Nobody follows more feeds than fit into so many bytes.
LARGEST = 10_000_000

_COMMENT = re.compile(r"(?:^|\s)#.*")


def feed_list(path: str | os.PathLike[str]) -> tuple[list[str], list[Problem]]:
    """The addresses in a file, each once and in order, and what is wrong with the rest."""
    name = os.fspath(path)
    try:
        with Path(path).open("rb") as stream:
            raw = stream.read(LARGEST + 1)
    except OSError as error:
        raise InputError(f"{name}: {(error.strerror or str(error)).lower()}") from None
    if len(raw) > LARGEST:
        raise InputError(f"{name}: more than {LARGEST} bytes are no list of feeds")
    return addresses(raw, name)


def addresses(raw: bytes, name: str = "feeds") -> tuple[list[str], list[Problem]]:
    """The same, of what a file holds.

    >>> addresses(b"# news\\nhttps://example.com/rss\\nftp://example.com/\\n")[0]
    ['https://example.com/rss']
    """
    found: dict[str, int] = {}
    problems: list[Problem] = []
    text, unread = decoded(raw)
    if unread:
        problems.append(Problem(name, 0, "unreadable", unread, kept=True))
    for line, given in _outlines(raw, name) if text.lstrip("\ufeff \t\r\n").startswith("<") else _lines(text):
        try:
            url = target(given).url
        except AddressError as error:
            problems.append(Problem(name, line, "no address", f"{error}: {given[:100]}"))
            continue
        if url in found:
            problems.append(Problem(name, line, "given twice", f"{url} stands in line {found[url]} too", kept=True))
        found.setdefault(url, line)
    return list(found), problems


def _lines(text: str) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(text.lstrip("\ufeff").splitlines(), 1):
        if given := _COMMENT.sub("", line).strip():
            yield number, given


class _Declared(Exception):  # noqa: N818 - says what it is
    """An entity is declared: nobody needs one in a list."""


def _outlines(raw: bytes, name: str) -> list[tuple[int, str]]:
    """The addresses in OPML; what stands before a fault is not taken either, since who knows what is missing."""
    found: list[tuple[int, str]] = []
    parser = expat.ParserCreate()

    def start(element: str, attributes: dict[str, str]) -> None:
        given = next((value for key, value in attributes.items() if key.lower() == "xmlurl"), "")
        if element.lower() == "outline" and given.strip():
            found.append((parser.CurrentLineNumber, given.strip()))

    def declared(*_: object) -> None:
        raise _Declared

    parser.StartElementHandler = start
    parser.EntityDeclHandler = declared
    try:
        parser.Parse(raw, True)
    except _Declared:
        raise InputError(f"{name}: entities are declared in it, which is refused") from None
    except (expat.ExpatError, ValueError, LookupError) as error:
        raise InputError(f"{name}: no OPML: {error}") from None
    return found
