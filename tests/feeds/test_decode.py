"""Encodings of feeds: their sources, their precedence, and undecodable bytes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from samestory.feeds import Fetcher, parse
from samestory.feeds.decode import decode
from tests.feeds.server import FakeServer

TURKISH, RUSSIAN = "İstanbul'da şiddetli yağış", "Мост через реку открыт"


def feed(title: str, encoding: str | None) -> str:
    head = f'<?xml version="1.0" encoding="{encoding}"?>' if encoding else ""
    return f"{head}<rss version='2.0'><channel><item><title>{title}</title></item></channel></rss>"


@pytest.mark.parametrize(
    ("title", "encoding", "named"),
    [
        (TURKISH, "cp1254", "windows-1254"),
        (TURKISH, "cp1254", "ISO-8859-9"),
        (RUSSIAN, "koi8-r", "KOI8-R"),
        (RUSSIAN, "cp1251", "windows-1251"),
        (RUSSIAN, "utf-8", "utf-8"),
        ("“quotes”", "cp1252", "iso-8859-1"),
        ("東京", "cp932", "Shift_JIS"),
        ("北京", "gb18030", "gb2312"),
    ],
)
@pytest.mark.parametrize("declarer", ["feed", "server", "both"])
def test_a_feed_is_decoded_as_declared_by_feed_or_server(
    title: str, encoding: str, named: str, declarer: str, server: FakeServer, fetcher: Fetcher
) -> None:
    raw = feed(title, named if declarer != "server" else None).encode(encoding)
    type = "text/xml" if declarer == "feed" else f"text/xml; charset={named}"
    got = fetcher.fetch(server.serve("/rss", raw, type))
    found = parse(got.body, got.url, got.type, got.charset)
    assert [article.title for article in found.articles] == [title]


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32"])
def test_a_byte_order_mark_takes_precedence(encoding: str) -> None:
    for charset in (None, "koi8-r"):
        found = parse(feed(RUSSIAN, "windows-1254").encode(encoding), "http://a.example/", charset=charset)
        assert found.articles[0].title == RUSSIAN


def test_a_feed_that_says_it_is_utf_8_and_is_is_believed_before_its_server() -> None:
    raw = feed(RUSSIAN, "UTF-8").encode()
    assert RUSSIAN in decode(raw, "iso-8859-1")[0]
    assert RUSSIAN in decode(feed(RUSSIAN, "utf-8").encode("cp1251"), "windows-1251")[0]


def test_undecodable_bytes_cause_a_warning() -> None:
    raw = feed("a", "utf-8").encode().replace(b"<title>a", b"<title>a\xff\xfe b")
    found = parse(raw, "http://a.example/")
    assert found.articles[0].title == "a\ufffd\ufffd b"
    assert found.warnings == ("some bytes are not valid utf-8",)


@pytest.mark.parametrize(
    "name", ["zlib", "hex", "rot13", "idna", "utf-7", "unicode_escape", "undefined", "x" * 100, "\0"]
)
def test_codecs_that_are_not_text_encodings_are_ignored(name: str) -> None:
    assert decode(b"<a>+ADw-\\n</a>", name) == ("<a>+ADw-\\n</a>", None)


@given(st.binary(max_size=200), st.one_of(st.none(), st.text(max_size=20), st.sampled_from(["utf-16", "koi8-r"])))
def test_any_bytes_with_any_charset_are_decoded(raw: bytes, charset: str | None) -> None:
    text, _ = decode(raw, charset)
    assert isinstance(text, str)
