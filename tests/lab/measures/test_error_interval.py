"""Error rates that were counted (Conrad 2006), and Wilson's interval beside the normal one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from samestory import ParameterError
from samestory.lab.measures import error_interval


@pytest.mark.parametrize(
    ("errors", "trials", "sigma", "reach"), [(5, 1000, 0.2230, 0.4372), (10, 2000, 0.1577, 0.3091)]
)
def test_the_intervals_of_the_study(errors: int, trials: int, sigma: float, reach: float) -> None:
    found = error_interval(errors, trials, method="normal")
    assert found.rate == 0.005
    assert round(100 * found.sigma, 4) == sigma
    assert round(100 * (found.high - found.rate), 4) == reach
    assert round(100 * (found.rate - found.low), 4) == reach


@given(trials=st.integers(1, 500), share=st.floats(0, 1), confidence=st.sampled_from([0.8, 0.95, 0.99]))
def test_wilsons_interval_is_scipys(trials: int, share: float, confidence: float) -> None:
    from scipy.stats import binomtest

    errors = round(share * trials)
    ours = error_interval(errors, trials, confidence)
    theirs = binomtest(errors, trials).proportion_ci(confidence, method="wilson")
    assert (ours.low, ours.high) == pytest.approx((theirs.low, theirs.high), abs=1e-12)


def test_no_error_seen_still_has_an_interval() -> None:
    assert error_interval(0, 300, method="normal").high == 0
    assert 0 < error_interval(0, 300).high < 0.02


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((5, 0), "expected 0 ≤ errors ≤ trials and trials > 0, got 5 of 0"),
        ((5, 4), "got 5 of 4"),
        ((-1, 4), "got -1 of 4"),
        ((1, 4, 1.0), "confidence must be between 0 and 1"),
        ((1, 4, 0.95, "exact"), "method must be 'wilson' or 'normal', got 'exact'"),
    ],
)
def test_counts_that_cannot_be_are_refused(arguments: tuple[int, int], message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        error_interval(*arguments)
