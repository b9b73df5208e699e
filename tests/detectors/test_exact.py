"""exact: the same words in the same order, whatever stands between them."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from samestory import Article, Exact, Kind, prepare, relate
from tests.reference.tokens import words

texts = st.lists(
    st.sampled_from(["The", "ferry", "FERRY", "runs", "2%", "ferry's", "again", ",", "—", "\n"]), max_size=12
)


@given(left=texts, right=texts)
@settings(max_examples=200)
def test_two_articles_are_identical_when_their_words_are(left: list[str], right: list[str]) -> None:
    one, other = " ".join(left), " ".join(right)
    found = relate([Article("a", one, lang="en"), Article("b", other, lang="en")], detector="exact")
    same = bool(words(one)) and words(one) == words(other)
    assert [(r.kind, tuple(r.overlap)) for r in found] == ([(Kind.IDENTICAL, (1.0, 1.0))] if same else [])


@pytest.mark.parametrize(
    "other",
    [
        "THE FERRY'S CREW — 12 people — RESTS",
        "“The ferry’s crew”, (12 people)... rests!",
        "The ferry's\n\n\tcrew 12\u00a0people rests",
    ],
)
def test_case_punctuation_and_white_space_do_not_count(other: str) -> None:
    (relation,) = relate([Article("a", "The ferry's crew, 12 people, rests."), Article("b", other)], detector="exact")
    assert relation.kind is Kind.IDENTICAL


@pytest.mark.parametrize(
    "other",
    ["The ferry's crew, 13 people, rests.", "The crew, 12 people, rests.", "The ferrys crew, 12 people, rests.",
     "The ferry's crew, people 12, rests.", "The ferry's crew, 12 people, rests. Rests."],
)  # fmt: skip
def test_every_word_and_its_place_counts(other: str) -> None:
    assert relate([Article("a", "The ferry's crew, 12 people, rests."), Article("b", other)], detector="exact") == []


def test_a_signature_is_128_bits_and_there_is_none_without_words() -> None:
    signatures = Exact().sign(prepare([Article("a", "x"), Article("b", "x " * 999), Article("c", "!")]))
    assert [len(signature) for signature in signatures] == [16, 16, 0]
    assert signatures[0] != signatures[1]
