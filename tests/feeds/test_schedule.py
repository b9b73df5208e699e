"""When a feed is due again."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from samestory.errors import ParameterError
from samestory.feeds import Schedule

MINUTE, DAY = 60_000_000, 86_400_000_000
NOW = 1_700_000_000_000_000


def test_a_successful_feed_is_due_after_the_interval() -> None:
    assert Schedule().after_answer(NOW, None, None) == NOW + 10 * MINUTE


def test_a_declared_time_to_live_is_honoured_within_bounds() -> None:
    assert Schedule().after_answer(NOW, 30 * 60.0, None) == NOW + 30 * MINUTE
    assert Schedule().after_answer(NOW, 60.0, 1800.0) == NOW + 30 * MINUTE, "the longer wish"
    assert Schedule().after_answer(NOW, 1.0) == NOW + 10 * MINUTE
    assert Schedule().after_answer(NOW, 1e12) == NOW + 6 * 60 * MINUTE


def test_every_failure_doubles_the_pause_up_to_a_day() -> None:
    pauses = [(Schedule(spread=0).after_failure(NOW, n) or 0) - NOW for n in range(1, 12)]
    assert pauses[:4] == [10 * MINUTE, 20 * MINUTE, 40 * MINUTE, 80 * MINUTE]
    assert pauses[-1] == DAY == (Schedule(spread=0).after_failure(NOW, 10**9) or 0) - NOW


@given(st.integers(0, 10**6), st.floats(0, 1e9), st.floats(0, 0.999))
def test_a_pause_is_between_retry_after_and_a_day_with_jitter(failures: int, wait: float, drawn: float) -> None:
    due = Schedule(draw=lambda: drawn).after_failure(NOW, failures, 503, wait)
    assert due is not None
    assert min(wait * 1e6, DAY) <= due - NOW + 1
    assert 10 * MINUTE <= due - NOW <= 1.1 * DAY


@given(st.integers(1, 50), st.floats(0, 0.999))
def test_more_failures_never_shorten_the_pause(failures: int, drawn: float) -> None:
    schedule = Schedule(draw=lambda: drawn)
    one, more = schedule.after_failure(NOW, failures), schedule.after_failure(NOW, failures + 1)
    assert one is not None and more is not None and one <= more


def test_feeds_that_failed_together_are_retried_apart() -> None:
    assert len({Schedule().after_failure(NOW, 3) for _ in range(100)}) > 90


def test_a_feed_that_is_gone_is_never_due_again() -> None:
    assert Schedule().after_failure(NOW, 1, 410) is None
    assert Schedule().after_failure(NOW, 1, 404) is not None


@pytest.mark.parametrize(
    "given",
    [
        {"interval": timedelta(0)},
        {"interval": timedelta(days=2)},
        {"longest_wish": timedelta(minutes=1)},
        {"spread": -0.1},
        {"spread": 2.0},
    ],
)
def test_an_invalid_schedule_is_refused(given: dict[str, Any]) -> None:
    with pytest.raises(ParameterError, match="Schedule"):
        Schedule(**given)
