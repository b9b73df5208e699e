"""Sets of duplicates in result lists (Conrad 2006)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from samestory import ParameterError
from samestory.lab.measures import DuplicateSets, figure, parse
from tests.reference import measures as reference


def lists(agreeing: int, gold: int, found: int) -> DuplicateSets:
    """So many agreeing sets, so many of the assessors and so many of the system, each in a list of its own."""
    ours = [{n, n + 0.5} for n in range(gold)]
    theirs = [{n, n + 0.5} if n < agreeing else {-n, -n - 0.5} for n in range(1, found + 1)]
    theirs = ours[:agreeing] + theirs[agreeing:]
    size = max(gold, found)
    return DuplicateSets(
        [[ours[n]] if n < gold else [] for n in range(size)],
        [[theirs[n]] if n < found else [] for n in range(size)],
    )


@pytest.mark.parametrize(
    ("counts", "recall", "precision"),
    [((86, 88, 89), 97.7, 96.6), ((79, 82, 81), 96.3, 97.5), ((79, 82, 87), 96.3, 90.8)],
)
def test_the_counts_of_the_study(counts: tuple[int, int, int], recall: float, precision: float) -> None:
    data = lists(*counts)
    assert round(100 * (parse("set_recall").point(data) or 0), 1) == recall
    assert round(100 * (parse("set_precision").point(data) or 0), 1) == precision


def test_sets_that_share_two_articles_overlap_and_are_not_the_same() -> None:
    data = DuplicateSets(gold=[[{1, 2, 3}, {4, 5}], []], found=[[{1, 2}, {3, 4}], [{6, 7}]])
    assert parse("set_precision").point(data) == 0
    assert parse("set_precision(match='overlap')").point(data) == 1 / 3
    assert parse("set_recall(match='overlap')").point(data) == 1 / 2


def test_sets_of_different_lists_never_agree() -> None:
    data = DuplicateSets(gold=[[{1, 2}], []], found=[[], [{1, 2}]])
    assert parse("set_precision").point(data) == parse("set_recall(match='overlap')").point(data) == 0


members = st.frozensets(st.integers(0, 6), min_size=2, max_size=4)
one_list = st.tuples(st.lists(members, max_size=4, unique=True), st.lists(members, max_size=4, unique=True))


@given(st.lists(one_list, max_size=5))
def test_values_are_those_of_the_definitions(rows: list[tuple[list[frozenset[int]], list[frozenset[int]]]]) -> None:
    data = DuplicateSets([gold for gold, _ in rows], [found for _, found in rows])
    for match in ("exact", "overlap"):
        hits = sum(reference.agreeing_sets(found, gold, match == "exact") for gold, found in rows)
        found = sum(reference.agreeing_sets(gold, found, match == "exact") for gold, found in rows)
        assert parse(f"set_precision(match={match!r})").point(data) == reference.ratio(
            hits, sum(len(f) for _, f in rows)
        )
        assert parse(f"set_recall(match={match!r})").point(data) == reference.ratio(found, sum(len(g) for g, _ in rows))


def test_lists_are_drawn() -> None:
    found = figure("set_precision", lists(79, 82, 87))
    assert found.units == 87
    assert found.drawn == "result lists"
    assert found.low is not None and found.high is not None
    assert 0.8 < found.low < 79 / 87 < found.high < 0.98


@pytest.mark.parametrize(
    ("gold", "found", "message"),
    [
        ([[{1}]], [[]], "at least two articles, got [{]1[}] in list 0 of gold"),
        ([[]], [[{1, 2}, {2, 1}]], "a set is listed twice in list 0 of found"),
        ([[]], [[], []], "one length, got 1 gold, 2 found"),
    ],
)
def test_sets_that_cannot_be_are_refused(gold: list[list[set[int]]], found: list[list[set[int]]], message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        DuplicateSets(gold, found)
