"""Pairs, judged and grouped: the worked example, unjudged pairs, and agreement with listing all pairs."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from samestory import ParameterError
from samestory.lab.measures import GroupedArticles, JudgedPairs, figure, parse
from tests.lab.measures.examples import SMALL
from tests.reference import measures as reference

labels = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), max_size=14)


def test_the_worked_example() -> None:
    """Gold pairs 12, 13, 23, 45; system pairs 12, 34, 35, 45."""
    for spec in ("pair_precision", "pair_recall", "pair_f"):
        assert parse(spec).point(SMALL) == 0.5
    assert parse("pair_miss").point(SMALL) == 0.5
    assert parse("pair_false_alarm").point(SMALL) == 2 / 11


def test_the_same_example_as_judged_pairs() -> None:
    everything = [(i, j) for i in range(1, 7) for j in range(i + 1, 7)]
    right, accepted = {(1, 2), (1, 3), (2, 3), (4, 5)}, {(1, 2), (3, 4), (3, 5), (4, 5)}
    data = JudgedPairs.from_pairs(
        [i for i, _ in everything],
        [j for _, j in everything],
        gold=[pair in right for pair in everything],
        accepted=[pair in accepted for pair in everything],
    )
    for spec in ("pair_precision", "pair_recall", "pair_f", "pair_false_alarm", "pair_c_dup"):
        assert parse(spec).point(data) == parse(spec).point(SMALL)


def test_unjudged_pairs_are_counted_strictly_or_left_out() -> None:
    data = JudgedPairs(
        gold=[1, 1, 0, 0, 0, 0], accepted=[1, 0, 1, 1, 1, 0], judged=[True, True, True, False, False, True]
    )
    assert data.unjudged == 2
    assert parse("pair_precision").point(data) == 1 / 4
    assert parse("pair_precision(unjudged='out')").point(data) == 1 / 2
    assert parse("pair_recall").point(data) == 1 / 2
    assert parse("pair_f").point(data) == pytest.approx(2 / (2 + 1 + 3))
    assert parse("pair_f(unjudged='out')").point(data) == pytest.approx(2 / (2 + 1 + 1))
    assert parse("pair_false_alarm").point(data) == 3 / 4
    assert parse("pair_false_alarm(unjudged='out')").point(data) == 1 / 2


def test_a_cut_accepts_what_reaches_the_threshold_but_never_what_was_not_compared() -> None:
    data = JudgedPairs(gold=[1, 0, 1], score=[0.5, 0.2, 0.0])
    assert data.cut(0.5).accepted.tolist() == [True, False, False]
    assert data.cut(0.0).accepted.tolist() == [True, True, False]


def test_figures_say_whether_pairs_are_ordered() -> None:
    rows = {"gold": [1, 0], "accepted": [1, 0]}
    assert figure("pair_f", JudgedPairs(**rows)).unit == "unordered pair"
    assert figure("pair_f", JudgedPairs(**rows, ordered=True)).unit == "ordered pair"


def test_ordered_pairs_may_stand_both_ways() -> None:
    assert len(JudgedPairs.from_pairs(["a", "b"], ["b", "a"], gold=[1, 0], accepted=[1, 1], ordered=True)) == 2


@given(labels)
def test_counts_from_the_table_are_those_of_listed_pairs(rows: list[tuple[int, int]]) -> None:
    gold, found = [g for g, _ in rows], [s for _, s in rows]
    a, b, c, d = reference.grouped(gold, found)
    data = GroupedArticles(gold, found)
    assert parse("pair_precision").point(data) == reference.ratio(a, a + b)
    assert parse("pair_recall").point(data) == reference.ratio(a, a + c)
    assert parse("pair_miss").point(data) == reference.ratio(c, a + c)
    assert parse("pair_false_alarm").point(data) == reference.ratio(b, b + d)
    assert parse("pair_f").point(data) == pytest.approx(reference.f(a, b, c))
    assert parse("pair_f(beta=0.5)").point(data) == pytest.approx(reference.f(a, b, c, 0.5))
    assert parse("pair_c_dup").point(data) == pytest.approx(reference.cost(a, b, c, d))


@given(st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=30))
def test_pair_scores_agree_with_scikit_learn(rows: list[tuple[bool, bool]]) -> None:
    from sklearn.metrics import fbeta_score, precision_score, recall_score

    gold, found = np.array([g for g, _ in rows]), np.array([s for _, s in rows])
    data = JudgedPairs(gold, accepted=found)
    if found.any():
        assert parse("pair_precision").point(data) == pytest.approx(precision_score(gold, found))
    if gold.any():
        assert parse("pair_recall").point(data) == pytest.approx(recall_score(gold, found))
    if (gold | found).any():
        for beta in (0.5, 1, 2):
            expected = fbeta_score(gold, found, beta=beta)
            assert parse(f"pair_f(beta={beta})").point(data) == pytest.approx(expected)


def test_groups_of_half_a_million_articles_do_not_overflow() -> None:
    data = GroupedArticles(np.zeros(500_000, np.int32), np.repeat([0, 1], 250_000).astype(np.int32))
    assert parse("pair_recall").point(data) == pytest.approx(249_999 / 499_999)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: JudgedPairs([1, 0]), "expected scores or accepted pairs, got neither"),
        (lambda: JudgedPairs([1, 0], score=[0.5]), "one length, got 2 gold, 1 score"),
        (lambda: JudgedPairs([1, 2], score=[0.5, 0.5]), "gold must be True or False"),
        (lambda: JudgedPairs([1, 0], score=[0.5, float("nan")]), "score must be finite"),
        (lambda: JudgedPairs([1, 0], score=[0.5, -0.5]), "score must be at least 0, got -0.5"),
        (lambda: JudgedPairs.from_pairs(["a"], ["a"], [1], [0.5]), "a is paired with itself"),
        (lambda: JudgedPairs.from_pairs(["a", "b"], ["b", "a"], [1, 0], [1, 1]), "b and a are listed twice"),
        (lambda: JudgedPairs.from_pairs(["a", "b"], ["c"], [1, 0], [1, 1]), "2 left and 1 right"),
        (lambda: JudgedPairs.from_pairs("ab", "cd", [1, 0], [1, 1]), "expected lists of articles, got 'ab' and 'cd'"),
        (lambda: JudgedPairs.from_pairs(["a"], ["b"], [1, 0], [1, 1]), "1 pairs and 2 labels"),
        (lambda: JudgedPairs.from_pairs(["a"], ["b"], [1], [1], by="day"), "by must be 'judged' or 'gold', got 'day'"),
        (lambda: parse("pair_f").point(JudgedPairs([1, 0], score=[0.5, 0.1])), "scores need a threshold"),
        (lambda: parse("roc_area").point(JudgedPairs([1, 0], accepted=[1, 0])), "expected scores"),
        (lambda: GroupedArticles([1, 2], [1]), "one length, got 2 gold, 1 found"),
        (lambda: GroupedArticles([1, 1], [1, 1], units=[0, 1]), "units split a gold group"),
        (lambda: GroupedArticles([1.5, 1], [1, 1]), "gold must be labels, got numbers with a fraction"),
        (lambda: GroupedArticles.from_groups([["a", "b"], ["b"]], []), "'b' is in two groups of gold"),
        (lambda: GroupedArticles.from_groups(["ab"], []), "a group is a list of articles, got 'ab'"),
        (
            lambda: parse("b_cubed").point(JudgedPairs([1], score=[1])),
            "b_cubed: expected GroupedArticles, got JudgedPairs",
        ),
    ],
)
def test_data_that_cannot_be_is_refused_with_what_is_wanted(make: object, message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        make()  # type: ignore[operator]
