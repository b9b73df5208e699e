"""The area under the ROC curve and its standard error."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from samestory import ParameterError
from samestory.lab.measures import JudgedPairs, hanley_mcneil, parse, sweep
from samestory.lab.measures.roc_area import RocArea
from tests.reference import measures as reference

scored = st.lists(st.tuples(st.booleans(), st.integers(0, 6)), max_size=25)


def test_the_toy_of_the_specification() -> None:
    toy = JudgedPairs([1, 1, 1, 0, 0, 0, 0], score=[0.9, 0.8, 0.4, 0.7, 0.3, 0.2, 0.1])
    assert RocArea().point(toy) == 11 / 12
    assert round(RocArea().standard_error(toy) or 0, 6) == 0.128369


@pytest.mark.parametrize(
    ("area", "error", "digits"),
    [
        (0.94275, 0.00233, 5),
        (0.95883, 0.00200, 5),
        (0.99751, 0.00051, 5),  # printed as 0.00005, a slip
        (0.91076, 0.00284, 5),  # printed as 0.00283
        (0.99500, 0.000718, 6),
        (0.99994, 0.000079, 6),
        (0.9999922, 0.0000285, 7),  # printed as 0.0000284
        (0.9999933, 0.0000264, 7),  # printed as 0.0000272
        (0.9999935, 0.0000260, 7),  # printed as 0.0000259
    ],
)
def test_the_standard_errors_of_the_tables(area: float, error: float, digits: int) -> None:
    """Gibson 2007, tables 1 and 2: 4,815 duplicate pairs among all pairs of 1,621 pages."""
    assert round(hanley_mcneil(area, 4_815, 1_308_195), digits) == error


def test_the_check_to_six_digits() -> None:
    assert round(hanley_mcneil(0.91076, 4_815, 1_308_195), 6) == 0.002837


def test_the_area_of_certainty_has_no_error() -> None:
    assert hanley_mcneil(1.0, 10, 10) == 0


@pytest.mark.parametrize("wrong", [(1.1, 5, 5), (0.5, 0, 5), (0.5, 5, 0)])
def test_an_area_that_cannot_be_is_refused(wrong: tuple[float, int, int]) -> None:
    with pytest.raises(ParameterError, match="an area in"):
        hanley_mcneil(*wrong)


@given(scored)
def test_the_area_is_that_of_counting_all_pairs_of_pairs(rows: list[tuple[bool, int]]) -> None:
    gold, scores = [g for g, _ in rows], [s / 6 for _, s in rows]
    data = JudgedPairs(gold, score=scores)
    assert RocArea().point(data) == pytest.approx(reference.area(gold, scores))


@given(scored)
def test_the_area_is_scikit_learns_and_that_under_the_curve(rows: list[tuple[bool, int]]) -> None:
    from sklearn.metrics import roc_auc_score

    gold, scores = [g for g, _ in rows], [s / 6 for _, s in rows]
    assume(any(gold) and not all(gold))
    data = JudgedPairs(gold, score=scores)
    area = RocArea().point(data)
    assert area == pytest.approx(roc_auc_score(gold, scores))
    across, up = sweep(data).roc()
    assert area == pytest.approx(float((np.diff(across) * (up[1:] + up[:-1]) / 2).sum()))


def test_pairs_never_judged_take_no_part_and_pairs_never_compared_are_ties() -> None:
    data = JudgedPairs([1, 0, 0, 1], score=[0.5, 0.0, 0.9, 0.0], judged=[True, True, False, True])
    assert parse("roc_area").point(data) == 0.75
