"""Lists of feeds: lines, OPML, and their problems."""

from __future__ import annotations

import pytest

from samestory.errors import InputError
from samestory.feeds import feed_list
from samestory.feeds.list import parse_list
from tests.conftest import Writer

OPML = """<?xml version="1.0" encoding="UTF-8"?>
<opml version="2.0"><body>
<outline text="News">
  <outline type="rss" text="A" xmlUrl="https://a.example/rss?x=1&amp;y=2"/>
  <outline type="rss" text="B" xmlURL="http://b.example/feed"/>
  <outline text="bad" xmlUrl="file:///etc/passwd"/>
  <outline text="a folder"/>
</outline></body></opml>"""


def test_a_line_is_a_url_a_comment_or_empty(write: Writer) -> None:
    path = write(
        "feeds.txt", "\ufeff# news\n\nhttps://a.example/rss#top\n  http://b.example/feed  # sport\r\n#https://c/\n"
    )
    assert feed_list(path) == (["https://a.example/rss", "http://b.example/feed"], [])


def test_invalid_lines_are_reported_and_the_rest_is_used(write: Writer) -> None:
    path = write("feeds.txt", "nonsense\nhttps://a.example/rss\nftp://a.example/\nhttps://A.example/rss\n")
    found, problems = feed_list(path)
    assert found == ["https://a.example/rss"]
    assert [(problem.line, problem.fault, problem.kept) for problem in problems] == [
        (1, "no address", False),
        (3, "no address", False),
        (4, "given twice", True),
    ]
    assert str(path) in str(problems[0]) and "nonsense" in str(problems[0])


def test_invalid_outlines_of_opml_are_reported() -> None:
    found, problems = parse_list(OPML.encode(), "feeds.opml")
    assert found == ["https://a.example/rss?x=1&y=2", "http://b.example/feed"]
    assert [(problem.line, problem.fault) for problem in problems] == [(6, "no address")]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-8-sig"])
def test_opml_is_read_in_its_declared_encoding(encoding: str) -> None:
    text = OPML.replace("UTF-8", "UTF-16" if encoding == "utf-16" else "UTF-8")
    assert len(parse_list(text.encode(encoding))[0]) == 2


def test_opml_that_declares_entities_is_refused() -> None:
    for declared in ('<!ENTITY a "x">', '<!ENTITY a SYSTEM "file:///etc/passwd">', '<!ENTITY % p "x">'):
        raw = f'<!DOCTYPE opml [{declared}]><opml><body><outline xmlUrl="http://a.example/&a;"/></body></opml>'
        with pytest.raises(InputError, match="entities are declared"):
            parse_list(raw.encode())


def test_broken_opml_and_missing_files_are_refused(write: Writer) -> None:
    with pytest.raises(InputError, match="not OPML"):
        parse_list(OPML[:-20].encode())
    with pytest.raises(InputError, match="no such file"):
        feed_list(write("feeds.txt", "").parent / "missing.txt")
    assert feed_list(write("feeds.txt", "")) == ([], [])
