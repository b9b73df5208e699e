"""Text runs in the source of a page."""

from __future__ import annotations

import pytest

from samestory.lab.training.text_runs import text_runs


@pytest.mark.parametrize(
    ("source", "texts"),
    [
        ("One", ["One"]),
        ("", []),
        ("<p> \n&nbsp;&#160;</p>", []),
        ("<p>One <b>two</b> <i>three</i>", ["One ", "two", "three"]),
        ('<a title="x > y">One</a><a title=\'">\'>two', ["One", "two"]),
        ("<a title=it's>One</a>'", ["One", "'"]),
        ('<a href=x?a="b>One', ["One"]),
        ("<a b = 'c>d' e>One", ["One"]),
        ("<a/>One", ["One"]),
        ("1 < 2 <3 <", ["1 < 2 <3 <"]),
        ("<!-- <p>no --><p>One<!-->two<!--->three<!-- no --!>four<!-- no", ["One", "two", "three", "four"]),
        ("<!doctype html><?xml no?></ no>One</>two", ["One", "two"]),
        ("<script>if (a<b) '</p>'</script>One", ["One"]),
        ("<script>no</scripty> no</SCRIPT >One", ["One"]),
        ("<title>no</title><textarea><b>no</b></textarea><style>no</style>One", ["One"]),
        ("<script src=x />no</script>One", ["One"]),
        ("<svg><title/>One</svg><title/>no</title>two", ["One", "two"]),
        ("<svg><![CDATA[no > no]]></svg>One", ["One"]),
        ("One<script>no", ["One"]),
        ("One<plaintext>no", ["One"]),
        ("One<a title='no>no", ["One"]),
        ("One<a no", ["One"]),
        ("\ufeffOne", ["One"]),
    ],
)
def test_runs_of_text(source: str, texts: list[str]) -> None:
    raw = source.encode()
    assert [raw[start:end].decode() for start, end in text_runs(raw)] == texts


@pytest.mark.parametrize("hostile", ["<a ", "<a b='", "<!--", "<script>", "</a", "<svg><title/>", "<a =", "<"])
def test_a_page_made_to_hurt_is_read_in_one_go(hostile: str) -> None:
    """Quadratic time on a million bytes would not finish."""
    text_runs((hostile * 200_000).encode())
