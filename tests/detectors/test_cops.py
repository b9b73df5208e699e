"""cops: the units and chunks of the paper, decided by share or by number."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from samestory import Article, Kind, relate
from samestory.detectors.cops import Cops
from tests.detectors.oracles import EDGES, check, check_keys, results
from tests.news import corpora
from tests.reference import cops as reference
from tests.reference.hashes import hash64

UNITS = ("sentence", "paragraph", "word", "character")
CHUNKINGS = ("single", "disjoint", "overlapping", "variable")

detectors = st.builds(
    Cops,
    unit=st.sampled_from(UNITS),
    chunking=st.sampled_from(CHUNKINGS),
    size=st.integers(1, 5),
    threshold=st.sampled_from([0.1, 0.4, 0.5, 1.0]),
    count=st.sampled_from([1, 3, 10, 1000]),
)


def check_reference(detector: Cops, articles: list[Article]) -> None:
    values = {name: getattr(detector, name) for name in ("unit", "chunking", "size", "threshold", "count")}
    check(detector, articles, lambda left, right: reference.compare(left, right, **values))


@given(detector=detectors, articles=corpora(most=3))
@settings(max_examples=100)
def test_shares_and_kinds_are_those_of_the_oracle(detector: Cops, articles: list[Article]) -> None:
    lines = [Article(a.id, a.text.replace(". ", ".\n"), lang=a.lang) for a in articles]
    check_reference(detector, lines)


@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.parametrize("chunking", CHUNKINGS)
def test_articles_at_the_edges(unit: str, chunking: str) -> None:
    detector = Cops(unit=unit, chunking=chunking)
    check_reference(detector, list(EDGES))
    check_keys(detector, EDGES)


@given(detector=detectors, articles=corpora(most=8))
@settings(max_examples=60)
def test_keys_lose_nothing(detector: Cops, articles: list[Article]) -> None:
    check_keys(detector, articles)


@given(articles=corpora())
@pytest.mark.parametrize("threshold", [0.4, 0.15])
def test_keys_of_sentences_lose_nothing(threshold: float, articles: list[Article]) -> None:
    check_keys(Cops(threshold=threshold), articles)


#: Six sentences by the names of the worked example, and a seventh.
A, B, C, D, E, F, X = (
    f"The {word} of the harbour was mended."
    for word in ("pier", "wall", "light", "boat", "road", "roof", "bench")
)  # fmt: skip


def shares(chunking: str, left: list[str], right: list[str], unit: str = "sentence") -> tuple[float, float]:
    blank = "\n" if unit == "paragraph" else " "
    news = [Article("l", blank.join(left), lang="en"), Article("r", blank.join(right), lang="en")]
    forward, backward, _ = results(Cops(unit=unit, chunking=chunking, size=3), news)[0][1]
    return forward, backward


@pytest.mark.parametrize("unit", ["sentence", "paragraph"])
def test_the_chunks_of_the_worked_example(unit: str) -> None:
    """A B C D E F: six chunks; ABC, DEF; ABC, BCD, CDE, DEF."""
    whole = [A, B, C, D, E, F]
    assert shares("single", whole, [A, B, C], unit) == (3 / 6, 1)
    assert shares("disjoint", whole, [A, B, C], unit) == (1 / 2, 1)
    assert shares("disjoint", whole, [B, C, D], unit) == (0, 0)
    assert shares("overlapping", whole, [B, C, D], unit) == (1 / 4, 1)
    assert shares("overlapping", whole, [B, C, D, E], unit) == (2 / 4, 1)


def test_chunks_of_variable_length_end_behind_units_that_the_size_divides() -> None:
    """AB, CDEF: a unit put in before A leaves the second chunk as it is, where chunks of fixed length all change."""
    words = [f"w{number}" for number in range(200)]
    cuts = [word for word in words if hash64(0, word) % 3 == 0]
    others = [word for word in words if word not in cuts]
    units = [others[0], cuts[0], *others[1:4], cuts[1]]
    left, right = [others[5], *units], units
    assert shares("variable", left, right, "word") == (1 / 2, 1 / 2)
    assert shares("disjoint", left, right, "word") == (0, 0)


def test_a_share_of_the_chunks_decides_or_a_number_of_them() -> None:
    news = [Article("a", "One. Two. Three.", lang="en"), Article("b", "One. Two. Four. Five. Six. Seven.", lang="en")]

    def kind(**parameters: Any) -> str | None:
        return results(Cops(**parameters), news)[0][1][2]

    assert results(Cops(), news)[0][1] == (2 / 3, 2 / 6, "PART_OF")
    assert results(Cops(), news)[1][0] == (2 / 6, 2 / 3, "HAS_PART")
    assert kind(threshold=0.7) is None
    assert kind(threshold=0.7, count=2) == "NEAR"
    assert kind(threshold=0.7, count=3) is None
    assert kind(threshold=0.6, count=2) == "PART_OF", "the share says more"


def test_ten_common_sentences_are_a_copy_in_any_crowd() -> None:
    def sentence(number: int) -> str:
        return f"Item {number} of the list was sold to bidder {number * 7}."

    common = [sentence(n) for n in range(10)]
    left = Article("l", " ".join(common + [sentence(n) for n in range(100, 190)]), lang="en")
    right = Article("r", " ".join(common + [sentence(n) for n in range(200, 290)]), lang="en")
    (relation,) = relate([left, right], detector="cops")
    assert (relation.kind, relation.overlap) == (Kind.NEAR, (0.1, 0.1))
    assert relate([left, right], detector="cops(count=11)") == []


def test_case_punctuation_and_suffixes_of_a_sentence_do_not_count() -> None:
    news = [
        Article("a", "Ankara'da KÖPRÜ açıldı. Işıklar yandı!", lang="tr"),
        Article("b", "“Ankara köprü, AÇILDI”...\nIŞIKLAR — yandı", lang="tr"),
    ]
    assert results(Cops(), news)[0][1] == (1, 1, "NEAR")
