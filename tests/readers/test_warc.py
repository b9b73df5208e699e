"""Web archives: which records are pages, and that damage does not affect neighbouring records."""

from __future__ import annotations

import gzip
import io
import random
import tracemalloc
import warnings
from collections import Counter

import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from samestory import Page, Problem, pages
from samestory.readers import sections
from samestory.readers.warc import MAX_HEADER_BYTES, records, warc_pages
from tests.conftest import Writer
from tests.readers.archives import PAGE, answer, packed, record

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # of its deprecated names
    from fastwarc.warc import ArchiveIterator

LARGEST = 1 << 20


def read(raw: bytes, largest: int = LARGEST) -> tuple[list[Page | Problem], Counter[str]]:
    passed: Counter[str] = Counter()
    return list(warc_pages(io.BytesIO(raw), "crawl.warc.gz", largest, passed)), passed


def summaries(found: list[Page | Problem]) -> list[str]:
    """Returns the last part of the URL of a page, or the message of a problem."""
    return [
        str(item) if isinstance(item, Problem) else (item.url or "").removeprefix("http://example.com/")
        for item in found
    ]


GOOD = [record(number, answer()) for number in range(3)]


@pytest.mark.parametrize(
    "archive",
    [
        b"".join(GOOD),
        packed(*GOOD),
        gzip.compress(b"".join(GOOD)),
        packed(*[b"".join(GOOD)[at : at + 100] for at in range(0, 2000, 100)]),
        packed(*GOOD) + bytes(5000),
        b"\r\n\r\n" + b"\r\n".join(GOOD),
        b"".join(GOOD).replace(b"\r\n\r\nWARC/", b"\r\nWARC/"),
    ],
    ids=["plain", "gz by record", "gz as a whole", "gz in pieces", "filled up", "more line ends", "fewer line ends"],
)
def test_the_pages_of_an_archive_have_address_charset_time_and_place(archive: bytes) -> None:
    found, passed = read(archive)
    assert [(page.url, page.fetched, str(page.origin)) for page in found if isinstance(page, Page)] == [
        (f"http://example.com/{number}", "2024-01-02T03:04:05Z", f"crawl.warc.gz:{number + 1}") for number in range(3)
    ]
    assert [page.raw for page in found if isinstance(page, Page)] == [PAGE] * 3
    assert not passed


def test_what_is_no_page_is_counted_by_kind() -> None:
    archive = packed(
        record(1, b"software: x", type="warcinfo"),
        record(2, b"GET / HTTP/1.1\r\n\r\n", type="request"),
        record(3, answer()),
        record(4, answer(status="404 Not Found")),
        record(5, answer(status="301 Moved")),
        record(6, answer(b"\x89PNG", type="image/png")),
        record(7, answer(b"\x89PNG", type="")),
        record(8, answer(type="")),
        record(9, answer(type="Application/XHTML+XML; charset=utf-8")),
        record(10, b"20240102 dns", type="response").replace(b"application/http", b"text/dns"),
        record(11, answer(), "WARC-Target-URI: http://example.com/other", type="revisit"),
        record(12, answer(b"{}", type="application/json")),
        record(13, answer(b"{}", type="application/json")),
        record(14, answer(type=""), "WARC-Identified-Payload-Type: text/html"),
        record(15, answer(type=""), "WARC-Identified-Payload-Type: image/svg+xml"),
    )
    found, passed = read(archive)
    assert summaries(found) == ["3", "8", "9", "14"]
    assert passed == {
        "warcinfo record": 1,
        "request record": 1,
        "revisit record": 1,
        "status 404": 1,
        "status 301": 1,
        "image/png": 1,
        "image/svg+xml": 1,
        "no type": 1,
        "text/dns": 1,
        "application/json": 2,
    }


def test_resources_with_a_type_of_html_are_pages() -> None:
    """Tools that save a page from a browser write resource records, without an HTTP header."""

    def resource(number: int, type: str) -> bytes:
        whole = record(number, PAGE, type="resource")
        return whole.replace(b"Content-Type: application/http; msgtype=response", f"Content-Type: {type}".encode())

    found, passed = read(
        packed(
            resource(1, "text/html; charset=windows-1254"),
            resource(2, "image/png"),
            resource(3, ""),
            resource(4, "Application/XHTML+XML"),
        )
    )
    assert summaries(found) == ["1", "4"]
    page = found[0]
    assert isinstance(page, Page)
    assert (page.raw, page.charset, page.fetched) == (PAGE, "windows-1254", "2024-01-02T03:04:05Z")
    assert passed == {"resource record": 2}


def test_going_on_behind_line_ends_copies_nothing_of_what_is_held() -> None:
    """After damage a section may be as large as a page; copying it for every record would be quadratic."""
    large = b"\r\n" + b"x" * (8 << 20)
    look = sections.Sections(io.BytesIO(large))
    assert look.next_section()
    look.push_back(look.take(len(large)))
    tracemalloc.start()
    try:
        assert look.skip_blank()
        assert look.skip_blank()
        assert tracemalloc.get_traced_memory()[1] < 1 << 20
    finally:
        tracemalloc.stop()
    assert look.peek(3) == b"xxx"


def test_an_archive_that_names_a_thousand_types_does_not_fill_the_summary() -> None:
    _, passed = read(packed(*[record(n, answer(type=f"x/{n}")) for n in range(1000)]))
    assert passed.total() == 1000
    assert len(passed) == 41
    assert passed["others"] == 960


def test_charset_and_address_are_those_of_the_record() -> None:
    odd = record(1, answer(type="text/html; charset=windows-1254")).replace(
        b"http://example.com/1", "<http://example.com/şehir>".encode()
    )
    ((page,), _) = read(odd)
    assert isinstance(page, Page)
    assert (page.url, page.charset) == ("http://example.com/şehir", "windows-1254")
    ((page,), _) = read(record(1, answer()).replace(b"WARC-Target-URI", b"X-Other"))
    assert isinstance(page, Page)
    assert (page.url, str(page.origin)) == (None, "crawl.warc.gz:1")


def test_a_page_that_the_crawler_cut_off_is_kept_with_a_warning() -> None:
    found, _ = read(packed(record(1, answer(), "WARC-Truncated: length")))
    page, problem = found
    assert isinstance(page, Page) and isinstance(problem, Problem)
    assert problem.kept
    assert str(problem) == ("crawl.warc.gz:1: cut off: truncated by the crawler: length (http://example.com/1)")


BROKEN = {
    "a length that is too short": (record(1, answer(), length=20), "its length does not lead to the next record"),
    "a length that is too long": (record(1, answer(), length=200), "its length does not lead to the next record"),
    "no length": (record(1, answer()).replace(b"Content-Length", b"X"), "invalid Content-Length ''"),
    "a length that is a word": (record(1, answer(), length="many"), "invalid Content-Length 'many'"),
    "a length below nothing": (record(1, answer(), length=-5), "invalid Content-Length '-5'"),
    "no end of the head": (
        record(1, answer()).replace(b"\r\n\r\n", b"\r\nX: " + b"x" * MAX_HEADER_BYTES) + b"\r\n\r\n",
        "its header does not end",
    ),
    "no response": (record(1, b"words"), "not an HTTP response"),
    "other bytes": (b"words, not a record\r\n" * 20, "420 bytes where a record should begin"),
    "a body that cannot be unpacked": (
        record(1, answer(gzip.compress(PAGE)[:-9], "Content-Encoding: gzip")),
        "body is truncated",
    ),
}


@pytest.mark.parametrize("is_packed", [False, True], ids=["plain", "gz"])
@pytest.mark.parametrize("bad, why", BROKEN.values(), ids=BROKEN.keys())
def test_a_broken_record_is_reported_with_its_number_and_the_next_is_read(
    bad: bytes, why: str, is_packed: bool
) -> None:
    parts = [GOOD[0], bad, GOOD[2]]
    found = summaries(read(packed(*parts) if is_packed else b"".join(parts))[0])
    assert [found[0], found[-1]] == ["0", "2"]
    (problem,) = found[1:-1]
    if is_packed and bad == BROKEN["a length that is too long"][0]:
        why = "truncated: 149 of 200 bytes found"  # its member ends before
    assert problem.startswith(f"crawl.warc.gz:2: broken record: {why}")


def test_in_a_packed_archive_a_wrong_length_ends_with_its_member() -> None:
    found = summaries(read(packed(GOOD[0], record(1, answer(), length=10**9), GOOD[2]))[0])
    assert found[::2] == ["0", "2"]
    assert found[1].startswith("crawl.warc.gz:2: broken record: truncated: 149 of 1000000000 bytes found")


@pytest.mark.parametrize("is_packed", [False, True], ids=["plain", "gz"])
def test_of_an_archive_that_breaks_off_anywhere_what_came_before_is_kept(is_packed: bool) -> None:
    whole = packed(*GOOD) if is_packed else b"".join(GOOD)
    for cut in range(1, len(packed(GOOD[2]) if is_packed else GOOD[2])):
        *before, last = summaries(read(whole[:-cut])[0])
        assert before == ["0", "1"], cut
        # nothing is lost if only line breaks are missing
        assert last == "2" if not is_packed and cut <= 4 else last.startswith("crawl.warc.gz:3: damaged: "), cut


def noise(number: int, size: int = 3000) -> bytes:
    """Returns an incompressible record, so that damage hits it."""
    return record(number, answer(b"<p>" + random.Random(number).randbytes(size)))


@pytest.mark.parametrize("seed", range(40))
def test_damage_in_one_member_costs_that_page_and_no_other(seed: int) -> None:
    members = [packed(noise(number)) for number in range(5)]
    generator = random.Random(seed)
    at = generator.randrange(20, len(members[2]) - 20)
    members[2] = members[2][:at] + generator.randbytes(16) + members[2][at + 16 :]
    found = summaries(read(b"".join(members))[0])
    assert [page for page in found if ":" not in page] == ["0", "1", "3", "4"]
    assert any(": damaged: " in problem for problem in found)


def test_a_checksum_that_is_wrong_costs_the_page() -> None:
    members = [packed(each) for each in GOOD]
    members[1] = members[1][:-8] + bytes([members[1][-8] ^ 1]) + members[1][-7:]
    found = summaries(read(b"".join(members))[0])
    assert found[::2] == ["0", "2"]
    assert "damaged" in found[1]


@pytest.mark.parametrize(
    "raw", [b"words\n" * 1000, gzip.compress(b"words\n" * 1000, mtime=0), b"\x1f\x8b\x08" + b"x" * 100, PAGE]
)
def test_what_is_no_archive_is_reported_once(raw: bytes) -> None:
    (problem,) = summaries(read(raw)[0])
    assert problem.startswith("crawl.warc.gz: unreadable: not a web archive: ")


def test_an_empty_archive_is_reported() -> None:
    assert summaries(read(b"")[0]) == ["crawl.warc.gz: empty: an archive without records"]
    assert summaries(read(b"\r\n")[0]) == ["crawl.warc.gz: empty: an archive without records"]


def test_a_record_that_is_too_large_is_passed_over_without_being_held() -> None:
    large = record(1, answer(b"<p>" + b"x" * 5000))
    for archive in (b"".join([GOOD[0], large, GOOD[2]]), packed(GOOD[0], large, GOOD[2])):
        found = summaries(read(archive, largest=4000)[0])
        assert found == ["0", "crawl.warc.gz:2: too large: more than 4000 bytes (http://example.com/1)", "2"]
    huge = record(1, answer(b"<p>" + b"x" * 2 * MAX_HEADER_BYTES))
    found = summaries(read(packed(GOOD[0], huge, GOOD[2]), largest=4000)[0])
    assert found[1].startswith("crawl.warc.gz:2: too large: 131119 bytes; a page has at most 4000 (http")
    film = record(1, b"x" * 3 * MAX_HEADER_BYTES, type="resource")
    found, passed = read(packed(GOOD[0], film, GOOD[2]), largest=4000)
    assert (summaries(found), passed) == (["0", "2"], {"resource record": 1})


def test_lengths_that_are_all_wrong_do_not_cost_the_square_of_the_archive(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each wrong length would cause another scan of the bytes it covers."""
    monkeypatch.setattr(sections, "MAX_RESCANNED_BYTES", 100_000)
    wrong = b"".join(record(number, b"words", length=60_000) for number in range(1000))
    seen = list(records(io.BytesIO(wrong), LARGEST))
    assert 1 < len(seen) < 20
    assert all(each.fault for each in seen)


def test_archives_packed_with_zstd_are_read(write: Writer) -> None:
    archive = b"".join(zstandard.compress(each) for each in GOOD)
    assert summaries(list(pages(write("crawl.warc.zst", archive)))) == ["0", "1", "2"]


_BODIES = st.binary(max_size=60) | st.sampled_from(
    [b"WARC/1.0\r\n", b"\r\n\r\nWARC/1.0\r\nWARC-Type: response\r\n\r\n"]
)
_TYPES = st.sampled_from(["response", "request", "metadata", "resource"])


@given(st.lists(st.tuples(_BODIES, _TYPES), max_size=6), st.booleans())
def test_records_are_those_of_another_reader(made: list[tuple[bytes, str]], is_packed: bool) -> None:
    """FastWARC agrees on intact records; after damage it loses the rest, or fails silently."""
    raws = [record(number, answer(body), type=type) for number, (body, type) in enumerate(made)]
    archive = packed(*raws) if is_packed else b"".join(raws)
    ours = [(each.fields["warc-target-uri"], each.block) for each in records(io.BytesIO(archive), LARGEST)]
    theirs = [
        (each.headers.get("WARC-Target-URI"), each.reader.read())
        for each in ArchiveIterator(io.BytesIO(archive), parse_http=False)
    ]
    assert ours == theirs


@given(st.binary(max_size=400), st.integers(0, 2000), st.booleans())
def test_any_bytes_are_read_to_their_end(junk: bytes, at: int, is_packed: bool) -> None:
    """Any bytes between good records leave the first and the last record readable."""
    good = packed(GOOD[0]) if is_packed else GOOD[0]
    last = packed(GOOD[2]) if is_packed else b"\r\n\r\n" + GOOD[2]
    found = summaries(read(good + junk + last)[0])
    assert found[0] == "0" or "broken record" in found[0]
    assert found[-1] == "2" or junk.endswith((b"\x1f", b"\x8b"))
    whole = b"".join(GOOD)
    cut = at % len(whole)
    assert read(whole[:cut] + junk + whole[cut:])[0]
