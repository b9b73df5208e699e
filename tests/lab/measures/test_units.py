"""Sampling units: dependent rows are drawn together."""

from __future__ import annotations

import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from samestory import ParameterError, SamestoryError
from samestory.lab.measures import FlaggedArticles, GroupedArticles, JudgedPairs, LabelledBlocks, Ratings
from samestory.lab.measures.units import components

edges = st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), max_size=15)


@given(edges)
def test_components_are_what_can_be_reached(pairs: list[tuple[int, int]]) -> None:
    found = components(np.array([a for a, _ in pairs], np.int64), np.array([b for _, b in pairs], np.int64))
    reached: list[set[int]] = []
    for pair in pairs:
        touched = [group for group in reached if group & set(pair)]
        reached = [group for group in reached if group not in touched] + [set(pair).union(*touched)]
    expected = [next(n for n, group in enumerate(reached) if a in group) for a, _ in pairs]
    assert len(set(found.tolist())) == len(set(expected))
    assert len(set(zip(found.tolist(), expected, strict=True))) == len(set(expected))


def units(rows: list[tuple[str, str, int | None]], by: str = "judged") -> list[int]:
    """The units of pairs with a label, None for pairs that were never judged."""
    left, right, gold = zip(*rows, strict=True)
    return JudgedPairs.from_pairs(
        left, right, [bool(g) for g in gold], [1.0] * len(gold), judged=[g is not None for g in gold], by=by
    ).units.tolist()


def test_pairs_that_share_an_article_are_one_unit() -> None:
    assert units([("a", "b", 1), ("b", "c", 0), ("d", "e", 1)]) == [0, 0, 1]


def test_a_pair_never_judged_belongs_to_the_unit_it_touches() -> None:
    assert units([("a", "b", 1), ("c", "d", 0), ("b", "x", None)]) == [0, 1, 0]


def test_pairs_never_judged_that_touch_no_unit_have_their_own() -> None:
    found = units([("a", "b", 1), ("x", "y", None), ("y", "z", None), ("v", "w", None)])
    assert found[1] == found[2]
    assert len(set(found)) == 3


def test_a_pair_never_judged_does_not_tie_two_units_together() -> None:
    found = units([("a", "b", 1), ("c", "d", 0), ("b", "c", None)])
    assert found[0] != found[1]
    assert found[2] in found[:2]


def test_by_gold_stories_are_units_and_pairs_across_them_are_shared_out() -> None:
    articles = [f"{story}{copy}" for story in range(30) for copy in "ab"]
    rows = [(x, y, int(x[:-1] == y[:-1])) for i, x in enumerate(articles) for y in articles[i + 1 :]]
    assert set(units(rows)) == {0}
    found = np.array(units(rows, by="gold"))
    inside = np.array([gold for _, _, gold in rows], bool)
    assert sorted(found[inside].tolist()) == list(range(30))
    share = np.bincount(found[~inside], minlength=30) / (~inside).sum()
    assert share.max() < 3 / 30


def test_groups_found_tie_stories_together() -> None:
    data = GroupedArticles.from_groups(gold=[["a", "b"], ["c", "d"], ["e"]], found=[["a", "b"], ["c"], ["d", "e"]])
    assert data.units.tolist() == [0, 0, 1, 1, 1]
    assert FlaggedArticles.from_groups(data).units.tolist() == data.units.tolist()


def test_two_outputs_are_drawn_by_what_neither_splits() -> None:
    gold = [["a", "b"], ["c", "d"], ["e", "f"]]
    left, right = GroupedArticles.from_groups(gold, [["b", "c"]]), GroupedArticles.from_groups(gold, [["d", "e"]])
    assert (left.count, right.count) == (2, 2)
    one, other = left.paired(right)
    assert one.count == other.count == 1


def test_two_outputs_on_other_gold_are_refused() -> None:
    with pytest.raises(ParameterError, match="on the same gold"):
        GroupedArticles([0, 0, 1], [0, 0, 0]).paired(GroupedArticles([0, 1, 1], [0, 0, 0]))
    with pytest.raises(ParameterError, match="on the same gold"):
        FlaggedArticles([1, 0], [1, 0]).paired(FlaggedArticles([1, 0, 1], [1, 0, 1]))


def test_two_outputs_of_different_kinds_are_refused() -> None:
    grouped = GroupedArticles([0, 0, 1], [0, 0, 0])
    with pytest.raises(ParameterError, match="grouped articles: expected another output of the same kind, got flagged"):
        grouped.paired(FlaggedArticles.from_groups(grouped))  # type: ignore[arg-type]
    both_ways = JudgedPairs([1, 0], accepted=[1, 0], ordered=True)
    with pytest.raises(ParameterError, match="on the same gold"):
        both_ways.paired(JudgedPairs([1, 0], accepted=[1, 0]))


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: LabelledBlocks(["p", "p"], ["a", "b"], ["a", "b"], units=[0, 1]), "blocks: units split a page"),
        (lambda: Ratings([[1, 1], [0, 1]], query=["q", "q"], units=[0, 1]), "ratings: units split a query"),
        (lambda: GroupedArticles([0, 1], [0, 0], units=[0, 1]), "grouped articles: units split a group found"),
    ],
)
def test_units_must_leave_whole_what_is_measured_whole(make: object, message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        make()  # type: ignore[operator]


def test_figures_say_what_was_drawn() -> None:
    rows = (["a", "c"], ["b", "d"], [1, 0], [0.9, 0.1])
    assert JudgedPairs.from_pairs(*rows).drawn == "components of judged pairs"
    assert JudgedPairs.from_pairs(*rows, by="gold").drawn == "stories"
    assert JudgedPairs([1, 0], accepted=[1, 0]).drawn == "single pairs"
    assert FlaggedArticles([1, 0], [1, 0], units=[5, 5]).drawn == "articles that belong together"


def test_gold_is_the_same_under_other_labels() -> None:
    GroupedArticles([5, 5, 2], [0, 0, 0]).paired(GroupedArticles([1, 1, 3], [0, 0, 0]))


def test_without_scipy_the_message_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "scipy.sparse", None)
    with pytest.raises(SamestoryError, match=r"pip install 'samestory\[lab\]'"):
        GroupedArticles([0, 0, 1], [0, 1, 1])
