"""The oracles of words against worked examples, and cases counted by hand."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.reference import (
    cooper,
    cosine,
    henzinger,
    park,
    sanderson,
    scam,
    simhash,
    spotsigs,
)
from tests.reference.examples import PARK, article, few_stops
from tests.reference.text import Table


@pytest.mark.parametrize(
    ("left", "right", "epsilon", "forward", "backward"),
    [
        ("a b c", "a b c d e f", 2.5, 1.0, 0.5),
        ("a a a b", "a b c", 2.5, 0.1, 1 / 3),
        ("a a b c", "a b b c", 2.6, 5 / 6, 5 / 6),
        ("a a b c", "a b b c", 2.5, 1 / 6, 1 / 6),
    ],
)
def test_scam(left: str, right: str, epsilon: float, forward: float, backward: float) -> None:
    a, b = Counter(left.split()), Counter(right.split())
    assert scam.subset(a, b, epsilon) == pytest.approx(forward)
    assert scam.subset(b, a, epsilon) == pytest.approx(backward)
    found = scam.compare(article(left), article(right), epsilon=epsilon, stop_words=False)
    assert found[:2] == pytest.approx((forward, backward))


def test_only_words_of_about_one_frequency_are_close() -> None:
    assert scam.close(Counter("aaab"), Counter("abc")) == {"b"}
    assert scam.compare(article("a b c"), article("a b c d e f"), stop_words=False)[2] == "PART_OF"
    # subset(a,b) is 12/9 here: a share is at most 1
    a, b = article("x x x"), article("x x x x")
    assert scam.compare(a, b, stop_words=False) == (1, 12 / 16, "NEAR")


def test_the_spots_of_the_rally() -> None:
    words = ["at", "a", "rally", "to", "kick", "off", "a", "weeklong", "campaign"]
    stops = set(few_stops("en"))
    assert spotsigs.spots(words, stops, {"a"}) == ["a:rally:kick", "a:weeklong:campaign"]
    assert spotsigs.spots(words, stops) == [
        "at:rally:kick",
        "a:rally:kick",
        "to:kick:weeklong",
        "off:weeklong:campaign",
        "a:weeklong:campaign",
    ]
    assert spotsigs.spots(words, stops, {"a"}, distance=2) == ["a:kick:campaign"]


def test_spots_are_compared_as_multisets() -> None:
    a, b = article("the x y the x y the"), article("the x y z")
    # the:x:y twice, and none at the end, against once
    assert spotsigs.compare(a, b, stop_list=few_stops) == (1 / 2, 1, "NEAR")
    assert spotsigs.compare(a, b, threshold=0.51, stop_list=few_stops) == (1 / 2, 1, None)
    strange = article("the x y", "de")
    assert spotsigs.compare(strange, b, stop_list=few_stops) == (0, 0, None)


def test_cosine_by_hand() -> None:
    table = Table(100, {"a": 10, "b": 10, "c": 1, "d": 100})
    # (2, 1) on a, b against (1, 2) on b, c; d weighs nothing
    found = cosine.compare(article("a a b d"), article("b c d"), table=table, threshold=0.2, stop_words=False)
    assert found[:2] == pytest.approx((1 / 5, 1 / 5))
    assert cosine.compare(article("a a b"), article("a b a"), table=table, stop_words=False) == (1, 1, "NEAR")
    assert cosine.compare(article("d"), article("a"), table=table, stop_words=False) == (0, 0, None)


def test_cooper_takes_the_salient_terms() -> None:
    table = Table(100, {"a": 10, "b": 10, "c": 1, "d": 100})
    assert cooper.salient_terms(["a", "a", "a", "b", "c", "d", "d", "d"], table, 2) == {"a", "c"}
    assert cooper.salient_terms(["c", "b", "a"], table, 2) == {"a", "c"}
    a, b = article("a a a b c"), article("c a a a d")
    assert cooper.compare(a, b, table=table, salient=2, stop_words=False) == (1, 1, "NEAR")
    assert cooper.compare(a, b, table=table, stop_words=False) == (2 / 3, 2 / 3, None)
    assert cooper.compare(a, b, table=table, threshold=0.5, stop_words=False) == (2 / 3, 2 / 3, "NEAR")


@pytest.mark.parametrize(("variant", "expected"), PARK.items())
def test_the_variants_of_park(variant: str, expected: str) -> None:
    table = Table(1000, {"f": 1000, "m": 100, "q": 1, "r": 2, "x": 30})
    words = ["f"] * 9 + ["m"] * 7 + ["x"] * 4 + ["q"] + ["r"] * 2
    assert park.signature(words, table, variant, 3) == set(expected.split())


def test_park_wants_four_of_five() -> None:
    table = Table(10, {})
    a, b = article("a b c d e"), article("a b c d x")
    assert park.compare(a, b, table=table, stop_words=False) == (4 / 5, 4 / 5, "NEAR")
    assert park.compare(a, article("a b c"), table=table, stop_words=False) == (3 / 5, 1, "NEAR")
    assert park.compare(a, article("a b c x y"), table=table, stop_words=False) == (3 / 5, 3 / 5, None)


def test_words_that_weigh_nothing_are_in_no_signature() -> None:
    table = Table(10, {"a": 10, "b": 10})
    assert park.signature(["a", "b"], table, "tfidf") == park.signature(["a", "b"], table, "pw") == set()
    assert park.signature(["a", "b"], table, "df2tf3") == {"a", "b"}
    assert cooper.salient_terms(["a", "b"], table) == set()
    assert simhash.votes(["a", "b", "b"], table, skip=0) == []


@pytest.mark.parametrize(
    ("share", "words", "expected"),
    [
        (0.95, (90, 100), "IDENTICAL"),
        (0.94, (90, 100), "NEAR"),
        (0.80, (81, 100), "NEAR"),
        (0.79, (90, 100), None),
        (0.99, (80, 100), "PART_OF"),
        (0.80, (100, 50), "HAS_PART"),
        (0.79, (100, 50), None),
    ],
)
def test_the_tests_of_sanderson(share: float, words: tuple[int, int], expected: str | None) -> None:
    assert sanderson.kind(share, words) == expected


def test_sanderson_wants_articles_of_the_same_days() -> None:
    table = Table(100, {})
    a = article("one two three", published="2020-01-01T00:00:00Z")
    same = (1, 1, "IDENTICAL")
    assert sanderson.compare(a, article(a.text, published="2020-01-03T00:00:00Z"), table=table) == same
    assert sanderson.compare(a, article(a.text, published="2020-01-03T00:00:01Z"), table=table) == (1, 1, None)
    assert sanderson.compare(a, article(a.text), table=table) == same


def test_the_projection_of_henzinger_is_a_vote_of_frequencies() -> None:
    hashes = {(0, "a"): 0b11 << 62, (0, "b"): 0b01 << 62, (1, "a"): 1, (1, "b"): 0}

    def hash64(number: int, term: str) -> int:
        return hashes[number, term]

    bits = henzinger.projection({"a": 2, "b": 1}, 128, hash64)
    assert bits == [1, 1, *[0] * 125, 1]
    assert henzinger.projection({"a": 1, "b": 1}, 128, hash64) == [0, 1, *[0] * 126]
    a, b = article("a a b"), article("a b")
    assert henzinger.second_stage(a, b, bits=128, agreeing=126, hash64=hash64) == (126 / 128, 126 / 128, "NEAR")
    assert henzinger.second_stage(a, b, bits=128, agreeing=127, hash64=hash64)[2] is None
