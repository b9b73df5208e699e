"""The page of coloured blocks matches the output of the extractor."""

from __future__ import annotations

import re
from html import unescape

import pytest

from samestory.html import Page
from samestory.html.blocks import INLINE_5, blocks
from samestory.html.extractors import Heuristic, Rules
from samestory.html.show import judged, show

PAGE = (
    "<title>Rain &amp; <b>wind</b></title><nav><a href=/>Home</a></nav><article class='story main'>"
    '<p><span class="CedarContent">It rained in the whole of <a href=/spain>Spain</a> on Monday.</span></p>'
    "<p>Subscribe &lt;now&gt;.</p><p><span class=CedarAuthor>By A. Nobody</span></p></article>"
)


def rows(text: str) -> list[str]:
    return re.findall(r'<li class="block .*?</li>', text, re.DOTALL)


def test_every_block_is_there_in_its_order_with_what_is_known_of_it() -> None:
    found = rows(show(Page(PAGE.encode()), Rules()))
    texts = [unescape(re.findall(r'<p class="text" dir="auto">(.*?)</p>', row)[0]) for row in found]
    assert texts == [
        "Rain & <b>wind</b>",
        "Home",
        "It rained in the whole of Spain on Monday.",
        "Subscribe <now>.",
        "By A. Nobody",
    ]
    story = unescape(found[2])
    assert "9 words" in story
    assert "11% in links" in story
    assert '<code class="tags">body › article › p</code>' in story
    assert 'title="html › body › article.story.main › p; between <p> and </p>; inside: a"' in story
    assert "100% in links" in found[1]
    assert "in links" not in found[3]
    assert '<span class="field">author</span>' in found[4]


def test_labels_probabilities_and_verdicts_are_those_of_the_extractor() -> None:
    page = Page(PAGE.encode())
    _, probabilities = Rules().label(page)
    text = show(page, Rules())
    for row, probability in zip(rows(text), probabilities, strict=True):
        label = "content" if probability >= 0.5 else "other"
        assert f'<b class="label">{label}</b>' in row
        assert f'<span class="probability">{probability:.2f}</span>' in row
        assert f'class="block {label} ' in row


def test_right_missed_and_wrong() -> None:
    found = blocks(Page(PAGE.encode()), inline_extra=INLINE_5)
    assert [each.verdict for each in judged(found, [0.9, 0.1, 0.4, 0.5, 0.0])] == [
        "wrong", "right", "missed", "wrong", "right"
    ]  # fmt: skip
    text = show(Page(PAGE.encode()), Heuristic())
    counts = dict(re.findall(r'<li id="count-(\w+)">.*?([\d,]+) block', text))
    assert counts == {"content": "5", "other": "0", "right": "1", "missed": "0", "wrong": "4"}


def test_without_annotation_nothing_is_right_or_wrong() -> None:
    text = show(Page(b"<p>One two three"), Heuristic())
    assert "count-content" in text
    assert "count-right" not in text
    assert "badge" not in text.partition("</style>")[2]


def test_what_is_unusual_is_said_and_a_page_without_text_is_shown() -> None:
    assert "The page has no text." in show(Page(b"<p> "), Heuristic())
    odd = show(Page("<p>Где же кружка? Сердцу будет веселей.".encode("cp1251")), Heuristic())
    assert "<dd>windows-1251</dd>" in odd
    assert "<dd>guessed</dd>" in odd


@pytest.mark.parametrize("hostile", ["</p><script>x</script>", "\u0007\u202e", '" onload="x', "]]>", "<!--"])
def test_nothing_of_a_page_is_markup_on_ours(hostile: str) -> None:
    raw = f"<title>{hostile}</title><div class='{hostile}'><textarea>{hostile}</textarea>".encode()
    text = show(Page(raw, f"http://a.example/{hostile}"), Heuristic()).partition("</style>")[2]
    assert "<script" not in text
    assert 'onload="' not in text
    assert "\u0007" not in text
