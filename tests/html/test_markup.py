"""Markup pieces cover the markup exactly once, in order, in linear time."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from samestory.html.markup import pieces

PARTS = ["<p>", "</p>", "<b class='x>y'>", "<!--", "-->", "<script>", "</SCRIPT>", "<style>", "</style>", "<", ">"]
PARTS += ["a < b", "text ", '"', "'", "</", "<!doctype html>", "<?xml ?>", "&amp;", "İ", "<br/>", "< p>", "</3>"]


def cut(markup: str) -> list[tuple[str, str]]:
    return [(piece.what, markup[piece.start : piece.end]) for piece in pieces(markup)]


@given(st.lists(st.sampled_from(PARTS)).map("".join))
def test_pieces_cover_the_markup_once_and_in_order(markup: str) -> None:
    assert "".join(text for _, text in cut(markup)) == markup
    assert all(text for _, text in cut(markup))


def test_what_is_a_tag_and_what_is_none() -> None:
    assert cut("1 < 2 <b>x</B >") == [("text", "1 < 2 "), ("tag", "<b>"), ("text", "x"), ("tag", "</B >")]
    assert cut('<a title="a > b">') == [("tag", '<a title="a > b">')]
    assert cut("<!doctype html><?x?></3>y") == [
        ("comment", "<!doctype html>"),
        ("comment", "<?x?>"),
        ("comment", "</3>"),
        ("text", "y"),
    ]


def test_script_and_style_are_code_to_their_own_end() -> None:
    markup = "<script>if (a<b) '</p>'</script><style>p>b{}</style>"
    assert [text for what, text in cut(markup) if what == "code"] == ["if (a<b) '</p>'", "p>b{}"]
    assert cut("<script>x") == [("tag", "<script>"), ("code", "x")]


@pytest.mark.parametrize("part", ["<", "<!--", "<a '", '<a "', "</", "<script>", "<!", "<p", "&"])
def test_what_is_never_closed_takes_time_in_proportion(part: str) -> None:
    """A million times: scanning to the end of the page each time would take hours."""
    markup = part * 1_000_000
    assert sum(piece.end - piece.start for piece in pieces(markup)) == len(markup)
