"""HTTP bodies as encoded by servers and stored in archives."""

from __future__ import annotations

import gzip
import zlib
from itertools import pairwise

import brotli
import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from samestory.readers.http import BodyError, parse_response
from tests.readers import archives

LARGEST = 1 << 20


def raw_deflate(body: bytes) -> bytes:
    deflater = zlib.compressobj(wbits=-15)
    return deflater.compress(body) + deflater.flush()


PACKINGS = {
    "gzip": gzip.compress,
    "x-gzip": gzip.compress,
    "deflate": zlib.compress,
    "br": brotli.compress,
    "zstd": zstandard.compress,
}


def body(packed: bytes, *headers: str, largest: int = LARGEST) -> bytes:
    served = parse_response(archives.answer(packed, *headers))
    assert served is not None
    return served.body(largest)


@pytest.mark.parametrize("packing", PACKINGS)
def test_a_packed_body_is_unpacked_and_one_that_was_unpacked_before_is_taken(packing: str) -> None:
    assert body(PACKINGS[packing](archives.PAGE), f"Content-Encoding: {packing.upper()}") == archives.PAGE
    assert body(archives.PAGE, f"content-encoding: {packing}") == archives.PAGE
    assert body(b"", f"Content-Encoding: {packing}") == b""


def test_deflate_comes_with_a_head_and_without() -> None:
    assert body(raw_deflate(archives.PAGE), "Content-Encoding: deflate") == archives.PAGE


def test_a_body_may_be_packed_twice_and_in_several_pieces() -> None:
    twice = gzip.compress(brotli.compress(archives.PAGE))
    assert body(twice, "Content-Encoding: br, gzip") == archives.PAGE
    pieces = gzip.compress(archives.PAGE[:40]) + gzip.compress(archives.PAGE[40:])
    assert body(pieces, "Content-Encoding: gzip") == archives.PAGE


def test_a_body_packed_more_often_than_anybody_does_is_rejected() -> None:
    packed = archives.PAGE
    for _ in range(4):
        packed = gzip.compress(packed)
    assert body(packed, f"Content-Encoding: {', '.join(['gzip'] * 4)}") == archives.PAGE
    with pytest.raises(BodyError, match="body has 500 content encodings; at most 4 are supported"):
        body(packed, f"Content-Encoding: {', '.join(['gzip'] * 500)}")


def test_a_body_with_an_unknown_encoding_is_read_as_it_is() -> None:
    assert body(archives.PAGE, "Content-Encoding: identity", "Transfer-Encoding: identity") == archives.PAGE
    assert body(archives.PAGE, "Content-Encoding: klingon") == archives.PAGE


@given(st.binary(max_size=300), st.lists(st.integers(0, 300), max_size=5), st.sampled_from(sorted(PACKINGS)))
def test_chunks_are_joined_wherever_they_were_cut(page: bytes, cuts: list[int], packing: str) -> None:
    packed = PACKINGS[packing](page)
    places = sorted({0, len(packed), *(cut for cut in cuts if cut < len(packed))})
    chunks = [packed[one:other] for one, other in pairwise(places)]
    chunked = b"".join(b"%X;a=b\r\n%s\r\n" % (len(chunk), chunk) for chunk in chunks) + b"0\r\n\r\n"
    headers = ("Transfer-Encoding: chunked", f"Content-Encoding: {packing}")
    assert body(chunked, *headers) == page


def test_chunks_that_were_joined_before_are_taken() -> None:
    assert body(archives.PAGE, "Transfer-Encoding: chunked") == archives.PAGE


@pytest.mark.parametrize(
    "packed, headers",
    [
        (b"5\r\nwords\r\n7\r\nbroken", ["Transfer-Encoding: chunked"]),
        (b"5\r\nwords\r\nxyz\r\nmore", ["Transfer-Encoding: chunked"]),
        (b"5\r\nwords\r\n", ["Transfer-Encoding: chunked"]),
        (gzip.compress(archives.PAGE, mtime=0)[:-12], ["Content-Encoding: gzip"]),
        (gzip.compress(archives.PAGE, mtime=0)[:15] + b"\xff" * 90, ["Content-Encoding: gzip"]),
        (zlib.compress(archives.PAGE)[:-9], ["Content-Encoding: deflate"]),
        (brotli.compress(archives.PAGE)[:-9], ["Content-Encoding: br"]),
        (b"no brotli at all", ["Content-Encoding: br"]),
        (zstandard.compress(archives.PAGE)[:-9], ["Content-Encoding: zstd"]),
    ],
)
def test_a_body_that_is_damaged_is_reported(packed: bytes, headers: list[str]) -> None:
    with pytest.raises(BodyError, match="body"):
        body(packed, *headers)


@pytest.mark.parametrize("packing", PACKINGS)
def test_a_body_is_unpacked_to_the_limit_and_no_further(packing: str) -> None:
    bomb = PACKINGS[packing](bytes(50 << 20))
    assert len(bomb) < LARGEST // 2
    with pytest.raises(BodyError, match=f"more than {LARGEST} bytes"):
        body(bomb, f"Content-Encoding: {packing}")
    page = PACKINGS[packing](bytes(LARGEST))
    assert len(body(page, f"Content-Encoding: {packing}")) == LARGEST


@pytest.mark.parametrize(
    "header, type, charset",
    [
        ("text/html", "text/html", None),
        ("text/html; charset=windows-1254", "text/html", "windows-1254"),
        ('Text/HTML;Charset="utf-8"', "text/html", "utf-8"),
        ("text/html;charset='koi8-r';x=y", "text/html", "koi8-r"),
        ("text/html; charset=", "text/html", None),
        ("", "", None),
    ],
)
def test_type_and_charset_are_those_of_the_header(header: str, type: str, charset: str | None) -> None:
    served = parse_response(f"HTTP/1.1 200 OK\r\nContent-Type: {header}\r\n\r\n".encode())
    assert served is not None
    assert (served.type, served.charset) == (type, charset)


@pytest.mark.parametrize(
    "head, status",
    [
        (b"HTTP/1.1 200 OK\r\nA: b\r\n\r\n", 200),
        (b"HTTP/2 200\r\n\r\n", 200),
        (b"HTTP/1.0 404 Not here\n\n", 404),
        ("HTTP/1.1 200 Çok güzel\r\nA: ş\r\n\r\n".encode("windows-1254"), 200),
        (b"HTTP/1.1 200 OK", 200),
        (b"HTTP/1.1 2000 OK\r\n\r\n", None),
        (b"HTTP/1.1\r\n\r\n", None),
        (b"<html>", None),
        (b"", None),
        (b"GET / HTTP/1.1\r\n\r\n", None),
    ],
)
def test_what_is_a_response(head: bytes, status: int | None) -> None:
    served = parse_response(head)
    assert (served and served.status) == status


def test_a_header_may_go_on_in_the_next_line_and_the_first_of_two_counts() -> None:
    served = parse_response(
        b"HTTP/1.1 200 OK\r\nContent-Type: text/html;\r\n charset=utf-8\r\nContent-Type: x/y\r\nno\r\n\r\n<p>"
    )
    assert served is not None
    assert (served.type, served.charset, served.raw) == ("text/html", "utf-8", b"<p>")


@given(st.binary(max_size=200))
def test_any_bytes_are_an_answer_or_none(junk: bytes) -> None:
    for block in (junk, b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip, br\r\nTransfer-Encoding: chunked\r\n\r\n" + junk):
        served = parse_response(block)
        if served:
            try:
                assert len(served.body(100)) <= 100
            except BodyError as error:
                assert str(error)


def test_a_body_of_thousands_of_pieces_is_rejected_at_once() -> None:
    """Every gzip member costs a pass over the rest: megabytes of empty ones took minutes."""
    with pytest.raises(BodyError, match="more than 1000 gzip members"):
        body(gzip.compress(b"", mtime=0) * 2000, "Content-Encoding: gzip")
