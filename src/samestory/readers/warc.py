"""Pages in web archives (WARC, plain or .gz).

Not read by a library, since a crawl of a million pages must survive a damaged record: a broken record is reported with
its number, and reading continues at the next one. In ``.gz`` files every record is usually a separate gzip member, and
after a damaged member the next one is searched for.

    WARC/1.0              header fields,
    WARC-Type: response
    Content-Length: 9
                          an empty line, Content-Length bytes,
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

from samestory.readers.articles import DAMAGED, UNREADABLE, Problem
from samestory.readers.http import BodyError, HttpResponse, parse_headers, parse_response
from samestory.readers.page import Origin, Page, pass_over
from samestory.readers.sections import RECORD, Sections

#: Media types of pages.
HTML = ("text/html", "application/xhtml+xml")

#: Maximum bytes of a record header, and of an HTTP header.
MAX_HEADER_BYTES = 1 << 16
#: The first line of a record, its maximum length in bytes, and the end of a header.
BEGIN = re.compile(rb"WARC/[01]\.[0-9]{1,4}[ \t]{0,4}\r?\n")
BEGIN_BYTES = len(b"WARC/0.0000    \r\n")
BLANK = re.compile(rb"\r?\n\r?\n")


@dataclass(frozen=True, slots=True)
class Record:
    """An archive record: header fields by lower-case name and its content, or its fault."""

    fields: dict[str, str]
    block: bytes
    fault: tuple[str, str] | None = None


def warc_pages(stream: BinaryIO, file: str, largest: int, skipped: Counter[str]) -> Iterator[Page | Problem]:
    """Yields the pages and problems of an archive, in order; `skipped` counts the records that are not pages.

    Pages are HTML responses with status 200, and HTML resources, which have no HTTP header. The line of a page is the
    number of its record.
    """
    found = records(stream, largest + MAX_HEADER_BYTES)
    opening = list(islice(found, 2))
    if not opening:
        yield Problem(file, 0, "empty", "an archive without records")
    elif len(opening) == 1 and not opening[0].fields and opening[0].fault:
        yield Problem(file, 0, UNREADABLE, f"not a web archive: {opening[0].fault[1]}")
        return
    for number, record in enumerate(chain(opening, found), 1):
        if record.fault:
            yield Problem(file, number, *record.fault)
        elif why := _skip_reason(record):
            pass_over(skipped, why)
        else:
            yield from _page(record, Origin(file, number), largest, skipped)


def _skip_reason(record: Record) -> str:
    kind = record.fields.get("warc-type", "").lower()
    type = record.fields.get("content-type", "").partition(";")[0].strip().lower()
    if kind == "resource":
        return "" if type in HTML else "resource record"
    if kind != "response":
        return f"{kind or 'nameless'} record"
    return "" if type in ("application/http", "") else type


def _page(record: Record, origin: Origin, largest: int, skipped: Counter[str]) -> Iterator[Page | Problem]:
    if record.fields.get("warc-type", "").lower() == "resource":
        # a resource has its media type in the record header
        served: HttpResponse | None = HttpResponse(
            200, {"content-type": record.fields.get("content-type", "")}, record.block
        )
    else:
        served = parse_response(record.block)
    if served is None:
        yield Problem(*origin, "broken record", "not an HTTP response")
        return
    type = served.type or record.fields.get("warc-identified-payload-type", "").lower()
    if served.status != 200:
        pass_over(skipped, f"status {served.status}")
        return
    # without a media type, accept what starts like markup
    if type not in HTML and (type or served.raw.lstrip()[:1] != b"<"):
        pass_over(skipped, type or "no type")
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
        yield Problem(*origin, "cut off", f"truncated by the crawler: {cut} ({_short(url)})", kept=True)


def _short(url: str | None) -> str:
    return "no URL" if url is None else url if len(url) <= 200 else f"{url[:200]}…"


def records(stream: BinaryIO, largest: int) -> Iterator[Record]:
    """Yields the records of an archive; one that is too large is reported and not kept in memory."""
    sections = Sections(stream)
    while sections.next_section():
        while sections.skip_blank():
            yield _record(sections, largest)
        if sections.damage:
            yield _damaged(sections.damage)


def _broken(detail: str, named: dict[str, str] | None = None, fault: str = "broken record") -> Record:
    url = (named or {}).get("warc-target-uri")
    return Record(named or {}, b"", (fault, detail if url is None else f"{detail} ({_short(url)})"))


def _damaged(detail: str, named: dict[str, str] | None = None) -> Record:
    """Returns a record after which an unknown part of the archive is lost."""
    return _broken(detail, named, DAMAGED)


def _record(sections: Sections, largest: int) -> Record:
    """Parses the record at the current position."""
    first = sections.peek(BEGIN_BYTES)
    if not BEGIN.match(first):
        length = sections.skip_to(BEGIN)
        if damage := sections.clear_damage():
            return _damaged(damage)
        if len(first) < BEGIN_BYTES and RECORD.startswith(first[: len(RECORD)]):
            return _damaged("truncated: the first line of a record does not end")
        return _broken(f"{length} bytes where a record should begin")
    head = sections.take_to(BLANK, MAX_HEADER_BYTES)
    if head is None:
        sections.skip_to(BEGIN)
        return _cut(sections, "its header does not end")
    named = parse_headers(head.split(b"\n")[1:], "utf-8")
    size = named.get("content-length", "")
    if not re.fullmatch(r"[0-9]{1,18}", size):
        sections.skip_to(BEGIN)
        return _broken(f"invalid Content-Length {size[:40]!r}", named)
    length = int(size)
    if length > largest:
        there = sections.skip(length)
        if there == length and _skip_reason(Record(named, b"")):
            return Record(named, b"")  # only pages are limited in size
        detail = (
            f"{length} bytes; a page has at most {largest - MAX_HEADER_BYTES} ({_short(named.get('warc-target-uri'))})"
        )
        if there == length:
            return Record(named, b"", ("too large", detail))
        return _cut(sections, f"truncated: {there} of {length} bytes found", named)
    block = sections.take(length)
    if len(block) < length:
        sections.push_back(block)
        sections.skip_to(BEGIN)
        return _cut(sections, f"truncated: {len(block)} of {length} bytes found", named)
    is_closed = sections.peek(4).startswith((b"\r\n\r\n", b"\n\n"))
    if sections.skip_blank():
        if not is_closed and not BEGIN.match(sections.peek(BEGIN_BYTES)):
            # wrong length: the next record begins inside this block or after it
            sections.push_back(block)
            sections.skip_to(BEGIN)
            return _broken("its length does not lead to the next record", named)
    elif sections.damage:
        return _damaged(sections.clear_damage(), named)
    return Record(named, block)


def _cut(sections: Sections, detail: str, named: dict[str, str] | None = None) -> Record:
    """Returns a record that does not end; if nothing follows, the rest of the archive is lost with it."""
    if damage := sections.clear_damage():
        return _damaged(f"{damage}: {detail}", named)
    is_end = sections.is_last and not sections.peek(1)
    return _damaged(detail, named) if is_end else _broken(detail, named)
