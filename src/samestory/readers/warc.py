"""Web archives (WARC, plain or .gz): the pages among their records.

Read here and not by a library, since a crawl of a million pages must survive a damaged one: what is broken costs its
own record, is told with its number, and reading goes on with the next record that begins. In ``.gz`` files every record
is usually a gzip member of its own, and the next member is looked for where one is damaged.

    WARC/1.0              a head of fields,
    WARC-Type: response
    Content-Length: 9
                          an empty line, so many bytes,
    HTTP/1.1 …
                          two empty lines
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain, islice
from typing import BinaryIO

from samestory.readers.articles import Problem
from samestory.readers.http import Answer, BodyError, answer, fields
from samestory.readers.page import Origin, Page, pass_over
from samestory.readers.sections import Sections

#: What servers call a page.
HTML = ("text/html", "application/xhtml+xml")

#: The head of a record may have so many bytes, and that of an answer of a server beside its body.
HEAD = 1 << 16
#: How a record begins, how many bytes are enough to see it, and how a head ends.
BEGIN = re.compile(rb"WARC/[01]\.[0-9]{1,4}[ \t]{0,4}\r?\n")
BEGINS = len(b"WARC/0.0000    \r\n")
BLANK = re.compile(rb"\r?\n\r?\n")


@dataclass(frozen=True, slots=True)
class Record:
    """A record of an archive: its fields, by names in small letters, and its bytes; or what is wrong with it."""

    fields: dict[str, str]
    block: bytes
    fault: tuple[str, str] | None = None


def warc_pages(stream: BinaryIO, file: str, largest: int, passed: Counter[str]) -> Iterator[Page | Problem]:
    """The pages of an archive, and in their places the problems; `passed` counts the records that are no pages.

    Of answers those with status 200 and a type of HTML are pages, and of resources, which come without the words of a
    server, those with a type of HTML. The place of a page is the number of its record.
    """
    found = records(stream, largest + HEAD)
    opening = list(islice(found, 2))
    if not opening:
        yield Problem(file, 0, "unreadable", "an empty file")
    elif len(opening) == 1 and not opening[0].fields and opening[0].fault:
        yield Problem(file, 0, "unreadable", f"no web archive: {opening[0].fault[1]}")
        return
    for number, record in enumerate(chain(opening, found), 1):
        if record.fault:
            yield Problem(file, number, *record.fault)
        elif why := _no_answer(record):
            pass_over(passed, why)
        else:
            yield from _page(record, Origin(file, number), largest, passed)


def _no_answer(record: Record) -> str:
    kind = record.fields.get("warc-type", "").lower()
    type = record.fields.get("content-type", "").partition(";")[0].strip().lower()
    if kind == "resource":
        return "" if type in HTML else "resource record"
    if kind != "response":
        return f"{kind or 'nameless'} record"
    return "" if type in ("application/http", "") else type


def _page(record: Record, origin: Origin, largest: int, passed: Counter[str]) -> Iterator[Page | Problem]:
    if record.fields.get("warc-type", "").lower() == "resource":
        # what a server would have said of it stands in the head of the record
        served: Answer | None = Answer(200, {"content-type": record.fields.get("content-type", "")}, record.block)
    else:
        served = answer(record.block)
    if served is None:
        yield Problem(*origin, "broken record", "no answer of a server")
        return
    type = served.type or record.fields.get("warc-identified-payload-type", "").lower()
    if served.status != 200:
        pass_over(passed, f"status {served.status}")
        return
    # a server that says nothing may have sent a page; one that says something else has not
    if type not in HTML and (type or served.packed.lstrip()[:1] != b"<"):
        pass_over(passed, type or "no type")
        return
    url = record.fields.get("warc-target-uri", "").removeprefix("<").removesuffix(">").strip() or None
    try:
        raw = served.body(largest)
    except BodyError as why:
        fault = "too large" if str(why).startswith("more than") else "broken record"
        yield Problem(*origin, fault, f"{why} ({_short(url)})")
        return
    yield Page(raw, url, served.charset, origin, record.fields.get("warc-date"))
    if cut := record.fields.get("warc-truncated"):
        yield Problem(*origin, "cut off", f"the crawler kept the beginning only: {cut} ({_short(url)})", kept=True)


def _short(url: str | None) -> str:
    return "no address" if url is None else url if len(url) <= 200 else f"{url[:200]}…"


def records(stream: BinaryIO, largest: int) -> Iterator[Record]:
    """The records of an archive. One with more than so many bytes is told and not held."""
    bytes = Sections(stream)
    while bytes.go_on():
        while bytes.skip_blank():
            yield _record(bytes, largest)
        if bytes.damage:
            yield _broken(bytes.damage)


def _broken(detail: str, named: dict[str, str] | None = None) -> Record:
    url = (named or {}).get("warc-target-uri")
    return Record(named or {}, b"", ("broken record", detail if url is None else f"{detail} ({_short(url)})"))


def _record(bytes: Sections, largest: int) -> Record:
    """The record that should begin here."""
    if not BEGIN.match(bytes.peek(BEGINS)):
        passed = bytes.skip_to(BEGIN)
        return _broken(bytes.clear_damage() or f"{passed} bytes where a record should begin")
    head = bytes.take_to(BLANK, HEAD)
    if head is None:
        bytes.skip_to(BEGIN)
        return _broken(bytes.clear_damage() or "its head does not end")
    named = fields(head.split(b"\n")[1:], "utf-8")
    size = named.get("content-length", "")
    if not re.fullmatch(r"[0-9]{1,18}", size):
        bytes.skip_to(BEGIN)
        return _broken(f"its length is {size[:40]!r}; a number is wanted", named)
    length = int(size)
    if length > largest:
        there = bytes.skip(length)
        if there == length and _no_answer(Record(named, b"")):
            return Record(named, b"")  # what is no page may be as large as it likes
        detail = f"{length} bytes; a page has at most {largest - HEAD} ({_short(named.get('warc-target-uri'))})"
        return Record(named, b"", ("too large", detail)) if there == length else _cut(bytes, there, length, named)
    block = bytes.take(length)
    if len(block) < length:
        bytes.give_back(block)
        bytes.skip_to(BEGIN)
        return _cut(bytes, len(block), length, named)
    is_closed = bytes.peek(4).startswith((b"\r\n\r\n", b"\n\n"))
    if bytes.skip_blank():
        if not is_closed and not BEGIN.match(bytes.peek(BEGINS)):
            # a wrong length: the next record begins somewhere in what was taken for this one, or behind it
            bytes.give_back(block)
            bytes.skip_to(BEGIN)
            return _broken("its length does not lead to the next record", named)
    elif bytes.damage:
        return _broken(bytes.clear_damage(), named)
    return Record(named, block)


def _cut(bytes: Sections, there: int, length: int, named: dict[str, str]) -> Record:
    why = bytes.clear_damage() or "it breaks off"
    return _broken(f"{why}: {there} of {length} bytes are there", named)
