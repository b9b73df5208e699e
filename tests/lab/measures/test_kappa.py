"""Agreement: worked examples, several queries, bands, listed couples, scikit-learn."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from samestory import ParameterError
from samestory.lab.measures import Ratings, band, parse
from samestory.lab.measures.siegel_kappa import SiegelKappa
from tests.reference import measures as reference


def table(both: int, first: int, second: int, none: int) -> list[list[int]]:
    """Items judged yes by both, only the first, only the second, and neither."""
    return [[1, 1]] * both + [[1, 0]] * first + [[0, 1]] * second + [[0, 0]] * none


HUNDRED = Ratings(table(40, 20, 10, 30))
QUERIES = Ratings(table(3, 1, 0, 186) + table(1, 1, 1, 187), query=[1] * 190 + [2] * 190)


def test_the_worked_example_of_a_hundred_pairs() -> None:
    assert parse("cohen_kappa").point(HUNDRED) == pytest.approx(0.40, abs=1e-12)
    assert round(parse("siegel_kappa").point(HUNDRED) or 0, 6) == 0.393939


def test_its_significance() -> None:
    test = SiegelKappa().test(HUNDRED)
    assert test is not None
    assert round(test.variance, 6) == 0.010202
    assert round(test.z, 4) == 3.9002
    assert round(test.p, 6) == 4.8e-5
    assert test.band == "fair"


def test_two_queries_pooled_and_averaged() -> None:
    assert round(parse("siegel_kappa").point(QUERIES) or 0, 6) == 0.723267
    assert round(parse("cohen_kappa").point(QUERIES) or 0, 6) == 0.723301
    assert round(parse("siegel_kappa(over='mean')").point(QUERIES) or 0, 6) == 0.674571
    single = [parse("siegel_kappa").point(Ratings(rows)) or 0 for rows in (table(3, 1, 0, 186), table(1, 1, 1, 187))]
    assert [round(kappa, 6) for kappa in single] == [0.854462, 0.494681]


def test_a_query_in_which_all_say_no_is_full_agreement_or_left_out() -> None:
    data = Ratings(table(3, 1, 0, 186) + table(0, 0, 0, 190), query=[1] * 190 + [2] * 190)
    assert round(parse("siegel_kappa(over='mean')").point(data) or 0, 6) == round((0.854462 + 1) / 2, 6)
    assert round(parse("siegel_kappa(over='mean', unanimous='out')").point(data) or 0, 6) == 0.854462


def test_with_rare_positives_kappa_is_near_dice() -> None:
    for jaccard, dice in ((0.72, 0.837), (0.55, 0.710)):
        named = 1_000
        both = round(jaccard * named)
        rows = Ratings(table(both, (named - both) // 2, (named - both) // 2, 200_000))
        assert parse("siegel_kappa").point(rows) == pytest.approx(dice, abs=2e-3)
        assert 2 * jaccard / (1 + jaccard) == pytest.approx(dice, abs=1e-3)


@pytest.mark.parametrize(
    ("kappa", "name"),
    [
        (-0.3, "none"),
        (0.0, "none"),
        (0.2, "slight"),
        (0.4, "fair"),
        (0.41, "moderate"),
        (0.73, "substantial"),
        (0.81, "almost perfect"),
        (1.0, "almost perfect"),
    ],
)
def test_bands_end_where_landis_and_koch_end_them(kappa: float, name: str) -> None:
    assert band(kappa) == name


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), max_size=20))
def test_two_raters_are_those_of_the_definitions_and_of_scikit_learn(rows: list[tuple[int, int]]) -> None:
    from sklearn.metrics import cohen_kappa_score

    data = Ratings(rows)
    cohen = parse("cohen_kappa").point(data)
    assert cohen == pytest.approx(reference.cohen(rows), abs=1e-12)
    assert parse("siegel_kappa").point(data) == pytest.approx(reference.siegel(rows), abs=1e-12)
    if cohen is not None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            theirs = cohen_kappa_score([a for a, _ in rows], [b for _, b in rows])
        assert cohen == pytest.approx(theirs, abs=1e-12)


@given(st.lists(st.lists(st.integers(0, 2), min_size=4, max_size=4), max_size=15))
def test_four_raters_are_those_of_the_definition(rows: list[list[int]]) -> None:
    assert parse("siegel_kappa").point(Ratings(rows)) == pytest.approx(reference.siegel(rows), abs=1e-12)


def test_the_variance_for_more_than_two_raters() -> None:
    """By hand: 3 raters, 4 items, shares 1/2 and 1/2."""
    data = Ratings([[0, 0, 0], [1, 1, 1], [0, 0, 1], [1, 1, 0]])
    test = SiegelKappa().test(data)
    assert test is not None
    chance, cubes = 0.5, 0.25
    assert test.variance == pytest.approx(2 / (4 * 3 * 2) * (chance - 3 * chance**2 + 2 * cubes) / 0.25)
    assert test.kappa == pytest.approx((4 / 6 - 0.5) / 0.5)


def test_agreement_by_chance_is_not_significant() -> None:
    random = np.random.default_rng(8)
    test = SiegelKappa().test(Ratings(random.integers(0, 2, (2000, 2))))
    assert test is not None
    assert abs(test.z) < 3


def test_one_category_only_is_undefined() -> None:
    data = Ratings([["no", "no"]] * 5)
    assert parse("cohen_kappa").point(data) is None
    assert parse("siegel_kappa").point(data) is None
    assert SiegelKappa().test(data) is None


@pytest.mark.parametrize(
    ("spec", "data", "message"),
    [
        ("cohen_kappa", Ratings([[1, 1, 1]]), "two raters, got 3"),
        ("siegel_kappa(over='mean')", Ratings([[1, 1]]), "every item needs a query"),
    ],
)
def test_ratings_that_do_not_fit_are_refused(spec: str, data: Ratings, message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        parse(spec).point(data)


def test_one_rater_is_none() -> None:
    with pytest.raises(ParameterError, match="at least two raters"):
        Ratings([[1], [0]])
