"""Marks in texts."""

from __future__ import annotations

import html
import re
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from samestory import Article
from samestory.lab.collection import Collection
from samestory.lab.judging.marks import Sentences, find_differences, length, mark_text, ratio

WORDS = st.lists(st.sampled_from(["red", "house", "3,412", "é", "<b>", "日本", "."]), max_size=12).map(" ".join)


@given(WORDS, WORDS)
def test_what_is_not_marked_is_the_same_on_both_sides(left: str, right: str) -> None:
    found = find_differences(left, right)
    same = ["", ""]
    for side, text in enumerate((left, right)):
        at = 0
        for place in found:
            start, end = place[2 * side : 2 * side + 2]
            assert at <= start <= end <= len(text)
            same[side] += text[at:start] + " "
            at = end
        same[side] += text[at:]
    one, other = (re.findall(r"\w+", text) for text in same)
    assert one == other


@given(WORDS, st.lists(st.tuples(st.integers(0, 40), st.integers(0, 40)), max_size=4))
def test_a_marked_text_reads_as_before(text: str, places: list[tuple[int, int]]) -> None:
    inside = [(min(a, b, len(text)), min(max(a, b), len(text))) for a, b in places]
    shown = str(mark_text(text, inside[:1], inside[1:]))
    assert html.unescape(re.sub(r"</?mark[^>]*>", "", shown)) == text


def test_sentences_match_in_any_context(tmp_path: Path) -> None:
    shared = "The harbour board voted on Tuesday night to close the old fish quay."
    left = Article("a", f"Something else entirely was said in Ostrel first. {shared}")
    right = Article("b", f"{shared} Then a mayor spoke about trains.")
    with Collection.new(tmp_path / "c.db", "near", "pool", [left, right]) as collection:
        found = Sentences(collection).matching(left, right)
    assert [(left.text[a.start : a.end], right.text[b.start : b.end]) for a, b in found] == [(shared, shared)]


def test_a_collection_without_articles_has_no_matching_sentences(tmp_path: Path) -> None:
    with Collection.new(tmp_path / "c.db", "near") as collection:
        assert Sentences(collection).matching(Article("a", "One. Two."), Article("b", "One. Two.")) == []


def test_the_ratio_of_lengths_is_that_of_the_shorter_to_the_longer() -> None:
    assert ratio(length("a b"), length("a b c d")) == ratio(length("a b c d"), length("a b")) == 0.5
    assert ratio(length(""), length("")) == 1 and ratio(length(""), length("a")) == 0
