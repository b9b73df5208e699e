"""The oracles of codet against worked examples, and cases counted by hand."""

from __future__ import annotations

import math

import pytest

from tests.reference import (
    codet,
)
from tests.reference.examples import article
from tests.reference.shares import Result
from tests.reference.text import Table, sentences

STORIES = {
    "A": article("NASDAQ starts day with an increase. Shares gain 2%."),
    "B": article("NASDAQ starts day with a decrease. Shares lose 2%."),
    "C": article("Shares lose 2%."),
}
FREQUENCIES = Table.of(list(STORIES.values()))


def codet_scores(
    log_base: float = 10,
    plus_one: bool = True,
    *,
    depth_power: float = 1,
    suffixes: int = 1,
    word_sorting: bool = False,
    depth_threshold: int = 0,
) -> dict[str, float]:
    """CS of every two of the three stories."""

    def idf(word: str) -> float:
        return FREQUENCIES.idf(word, log_base, plus_one)

    ready = {
        name: codet.prepared(sentences(story), idf, word_sorting, depth_threshold, suffixes)
        for name, story in STORIES.items()
    }
    return {a + b: codet.score(ready[a], ready[b], idf, depth_power) for a in ready for b in ready}


def close_to(expected: dict[str, float]) -> object:
    return pytest.approx(expected, abs=6e-7)


def test_codet_takes_the_common_beginning_of_sentences() -> None:
    assert codet.common_prefix(["john", "is", "happy"], ["john", "is", "sad"]) == ["john", "is"]


def test_codet_idf_of_the_example() -> None:
    found = {word: round(FREQUENCIES.idf(word, 10, True), 6) for word in FREQUENCIES.counts}
    once = dict.fromkeys(["an", "increase", "gain", "a", "decrease"], 1.477121)
    twice = dict.fromkeys(["nasdaq", "starts", "day", "with", "lose"], 1.176091)
    assert found == {**once, **twice, "shares": 1.0, "2%": 1.0}
    assert round(2 * FREQUENCIES.idf("starts", 10, True), 6) == 2.352183


@pytest.mark.parametrize(
    ("log_base", "plus_one", "expected"),
    [
        (10, True, (12.760913, 1.0, 6.352183, 34.963489, 34.361429, 6.352183)),
        (math.e, True, (15.054651, 1.0, 6.810930, 45.336611, 43.950316, 6.810930)),
        (10, False, (1.760913, 0.0, 0.352183, 7.963489, 7.361429, 0.352183)),
    ],
)
def test_codet_scores_of_the_example(log_base: float, plus_one: bool, expected: tuple[float, ...]) -> None:
    scores = codet_scores(log_base, plus_one)
    assert tuple(scores[pair] for pair in ("AB", "AC", "BC", "AA", "BB", "CC")) == pytest.approx(expected, abs=6e-7)
    assert all(scores[a + b] == pytest.approx(scores[b + a]) for a, b in ("AB", "AC", "BC"))


def codet_compare(left: str, right: str, threshold: float = 0.6) -> Result:
    return codet.compare(
        STORIES[left],
        STORIES[right],
        table=FREQUENCIES,
        threshold=threshold,
        stemming="none",
        stop_words=False,
        word_sorting=False,
        depth_threshold=0,
        plus_one=True,
    )


def test_codet_shares_of_the_example() -> None:
    assert codet_compare("A", "B")[:2] == pytest.approx((0.364978, 0.371373), abs=6e-7)
    assert codet_compare("A", "C")[:2] == pytest.approx((0.028601, 0.157426), abs=6e-7)
    assert codet_compare("B", "C")[:2] == pytest.approx((0.184864, 1.0), abs=6e-7)


@pytest.mark.parametrize("threshold", [0.372, 0.6, 0.999])
def test_codet_finds_one_containment_in_the_example(threshold: float) -> None:
    assert [codet_compare(pair[0], pair[1], threshold)[2] for pair in ("AB", "AC", "BC", "CB")] == [
        None,
        None,
        "HAS_PART",
        "PART_OF",
    ]


def test_codet_wants_more_than_the_threshold() -> None:
    assert codet_compare("C", "B", 1.0)[2] is None
    assert codet_compare("C", "C", 0.999)[2] == "NEAR"


@pytest.mark.parametrize(
    ("power", "expected"),
    [
        (0, {"AB": 5.704365, "AA": 11.135729}),
        (1, {"AB": 12.760913, "AA": 34.963489}),
        (2, {"AB": 36.282738, "AA": 141.295619}),
        (3, {"AB": 118.609126, "AA": 661.124444}),
    ],
)
def test_codet_powers_of_depth(power: float, expected: dict[str, float]) -> None:
    scores = codet_scores(depth_power=power)
    assert {pair: scores[pair] for pair in expected} == close_to(expected)


def test_codet_suffixes() -> None:
    scores = codet_scores(suffixes=3)
    expected = {"AB": 24.345734, "BC": 10.528274, "AA": 73.659372, "BB": 72.756282, "CC": 10.528274}
    assert {pair: scores[pair] for pair in expected} == close_to(expected)


def test_codet_sorting_and_a_depth_of_five() -> None:
    def idf(word: str) -> float:
        return FREQUENCIES.idf(word, 10, True)

    assert codet.prepared(sentences(STORIES["A"]), idf) == [
        ["an", "increase", "day", "nasdaq", "starts"],
        ["gain", "2%", "shares"],
    ]
    scores = codet_scores(word_sorting=True, depth_threshold=5)
    expected = {"AB": 0.0, "BC": 6.176091, "CC": 6.176091, "AA": 25.021580, "BB": 24.720550}
    assert {pair: scores[pair] for pair in expected} == close_to(expected)


def test_codet_tree_with_counts_equals_the_double_loop() -> None:
    def idf(word: str) -> float:
        return FREQUENCIES.idf(word, 10, True)

    scores = codet_scores()
    for order in ("ABC", "CBA", "BCA"):
        found = codet.tree_scores([(name, sentences(STORIES[name])) for name in order], idf)
        for a, b in ("AB", "AC", "BC"):
            assert found[frozenset((a, b))] == pytest.approx(scores[a + b])
        assert len(found) == 3


def test_codet_tree_with_sets_depends_on_the_order() -> None:
    d1, d2 = ("d1", [["x", "a"], ["x", "b"]]), ("d2", [["x", "c"]])
    pair = frozenset(("d1", "d2"))

    def idf(_: str) -> float:
        return 1.0

    assert codet.score(d1[1], d2[1], idf) == 2
    assert codet.tree_scores([d1, d2], idf, "set") == {pair: 1}
    assert codet.tree_scores([d2, d1], idf, "set") == {pair: 2}
    assert codet.tree_scores([d1, d2], idf) == codet.tree_scores([d2, d1], idf) == {pair: 2}
