"""Predicted numbers: the twenty days of Fomin 2017, and scikit-learn."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from samestory.lab.measures import Predictions, parse

#: Table 5: the best r of each day, what the linear model and the network predicted for it, left out one by one.
BEST = [
    *(2.051, 2.793, 3.599, 3.689, 3.889, 3.029, 3.441, 3.354, 3.895, 3.611),
    *(3.787, 3.314, 4.043, 4.014, 4.203, 3.476, 4.465, 4.159, 3.721, 3.297),
]
LINEAR = [
    *(2.783, 2.480, 3.326, 4.160, 3.217, 2.986, 3.631, 3.650, 3.588, 3.466),
    *(4.159, 3.675, 3.787, 4.432, 4.057, 3.617, 4.319, 3.884, 3.616, 3.296),
]
NETWORK = [
    *(2.818, 2.778, 3.597, 3.732, 3.662, 2.992, 3.585, 3.444, 3.855, 3.617),
    *(3.785, 3.494, 3.916, 4.113, 4.203, 3.539, 4.202, 4.004, 3.720, 3.286),
]


@pytest.mark.parametrize(
    ("predicted", "mae", "rmse", "r2"), [(LINEAR, 0.283, 0.338, 0.598), (NETWORK, 0.114, 0.204, 0.854)]
)
def test_the_errors_of_twenty_days(predicted: list[float], mae: float, rmse: float, r2: float) -> None:
    data = Predictions(BEST, predicted)
    assert round(parse("mae").point(data) or 0, 3) == mae
    assert round(parse("rmse").point(data) or 0, 3) == rmse
    assert round(parse("r2").point(data) or 0, 3) == r2


@given(arrays(np.float64, st.tuples(st.integers(2, 12), st.just(2)), elements=st.integers(-50, 50).map(float)))
def test_values_are_scikit_learns(rows: np.ndarray) -> None:
    from sklearn.metrics import mean_absolute_error, r2_score, root_mean_squared_error

    truth, predicted = rows.T
    data = Predictions(truth, predicted)
    assert parse("mae").point(data) == pytest.approx(mean_absolute_error(truth, predicted))
    assert parse("rmse").point(data) == pytest.approx(root_mean_squared_error(truth, predicted))
    if len(set(truth)) > 1:
        assert parse("r2").point(data) == pytest.approx(r2_score(truth, predicted))
    else:
        assert parse("r2").point(data) is None


def test_a_spread_far_from_zero_is_still_a_spread() -> None:
    data = Predictions(1e6 + np.arange(5.0), 1e6 + np.arange(5.0) + 0.1)
    assert parse("r2").point(data) == pytest.approx(1 - 0.05 / 10, rel=1e-6)


def test_one_truth_for_all_is_no_spread_whatever_its_digits() -> None:
    assert parse("r2").point(Predictions([0.1] * 7, range(7))) is None
