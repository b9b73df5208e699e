"""B-cubed, ARI and AMI: worked examples, listed pairs, scikit-learn."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from samestory.lab.measures import GroupedArticles, parse
from samestory.lab.measures.ami import Ami
from samestory.lab.measures.expected_information import information
from tests.lab.measures.examples import SECOND, SMALL
from tests.reference import measures as reference

groupings = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), max_size=25)


def test_b_cubed_of_the_worked_example() -> None:
    for spec in ("b_cubed", "b_cubed_precision", "b_cubed_recall"):
        assert parse(spec).point(SMALL) == pytest.approx(7 / 9)
        assert round(parse(spec).point(SMALL) or 0, 4) == 0.7778


def test_adjusted_agreement_of_the_worked_examples() -> None:
    assert round(parse("ari").point(SMALL) or 0, 6) == 0.318182
    assert round(parse("ami").point(SMALL) or 0, 6) == 0.411828
    assert round(parse("ari").point(SECOND) or 0, 6) == 0.189189
    assert round(parse("ami(norm='max')").point(SECOND) or 0, 6) == 0.164082
    assert round(parse("ami(norm='arithmetic')").point(SECOND) or 0, 6) == 0.216512


def test_the_parts_of_the_worked_example() -> None:
    gold, found = [0, 0, 0, 1, 1, 2], [0, 0, 1, 1, 1, 2]
    assert round(reference.entropy(gold), 6) == round(reference.entropy(found), 6) == 1.011404
    assert round(reference.information(gold, found), 6) == 0.693147
    sizes = np.array([1, 2, 3])
    assert round(float(information(6, sizes, sizes).sum()), 6) == 0.470309


@given(groupings)
def test_values_are_those_of_the_definitions(rows: list[tuple[int, int]]) -> None:
    gold, found = [g for g, _ in rows], [s for _, s in rows]
    data = GroupedArticles(gold, found)
    averages = reference.b_cubed(gold, found)
    assert parse("b_cubed_precision").point(data) == pytest.approx(averages and averages[0])
    assert parse("b_cubed_recall").point(data) == pytest.approx(averages and averages[1])
    if averages:
        p, r = averages
        assert parse("b_cubed").point(data) == pytest.approx(2 * p * r / (p + r))
        assert parse("b_cubed(beta=2)").point(data) == pytest.approx(5 * p * r / (4 * p + r))
    assert parse("ari").point(data) == pytest.approx(reference.ari(gold, found), abs=1e-12)
    for norm in ("max", "arithmetic"):
        expected = reference.ami(gold, found, norm)
        assert Ami(norm=norm).point(data) == pytest.approx(expected, abs=1e-9)


@given(groupings)
def test_adjusted_agreement_is_scikit_learns_where_both_define_it(rows: list[tuple[int, int]]) -> None:
    from sklearn.metrics import adjusted_mutual_info_score, adjusted_rand_score

    gold, found = [g for g, _ in rows], [s for _, s in rows]
    data = GroupedArticles(gold, found)
    assume(parse("ari").point(data) is not None)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it warns when many labels look like a regression
        assert parse("ari").point(data) == pytest.approx(adjusted_rand_score(gold, found), abs=1e-9)
        for norm in ("max", "arithmetic"):
            theirs = adjusted_mutual_info_score(gold, found, average_method=norm)
            assert Ami(norm=norm).point(data) == pytest.approx(theirs, abs=1e-9)


def test_a_few_thousand_articles_agree_with_scikit_learn_too() -> None:
    from sklearn.metrics import adjusted_mutual_info_score

    random = np.random.default_rng(3)
    gold = np.minimum(random.zipf(1.3, 3000), 900)
    found = np.where(random.random(3000) < 0.3, random.integers(0, 60, 3000), gold)
    for norm in ("max", "arithmetic"):
        theirs = adjusted_mutual_info_score(gold, found, average_method=norm)
        assert Ami(norm=norm).point(GroupedArticles(gold, found)) == pytest.approx(theirs, abs=1e-10)


def test_expected_information_between_its_nodes_is_that_at_the_place() -> None:
    """A bootstrap has another number of articles in every round; that g is interpolated must not be seen."""
    random = np.random.default_rng(4)
    gold = np.repeat(np.arange(1500), np.minimum(random.zipf(1.8, 1500), 300))
    found = np.where(random.random(len(gold)) < 0.2, 2000 + np.arange(len(gold)), gold)
    data = GroupedArticles(gold, found)
    drawn = random.integers(0, data.count, (12, data.count))
    weights = np.stack([np.bincount(row, minlength=data.count) for row in drawn]).astype(np.float64)
    articles = weights @ np.bincount(data.units)
    assert len(set(articles)) == 12
    together = Ami().on(data)(weights)
    one_by_one = [float(Ami().on(data)(row[None])[0]) for row in weights]
    assert together == pytest.approx(one_by_one, abs=1e-10)


def test_groupings_that_chance_would_give_are_undefined() -> None:
    for gold in ([0] * 5, list(range(5))):
        for spec in ("ari", "ami", "ami(norm='arithmetic')"):
            assert parse(spec).point(GroupedArticles(gold, gold)) is None


def test_one_group_against_all_alone_tells_nothing() -> None:
    data = GroupedArticles([0] * 5, range(5))
    assert parse("ari").point(data) == 0
    assert parse("ami").point(data) == pytest.approx(0, abs=1e-12)
