"""The index refuses what it cannot mean, and reads times as everything else does."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest

from samestory import Article, Exact, Index, ParameterError, prepare
from tests.news import SENTENCES


def filled(*dates: str) -> Index:
    index = Index(Exact())
    index.add(prepare([Article(date, f"{SENTENCES[0]} {date}", published=date) for date in dates]))
    return index


@pytest.mark.usefixtures("kiritimati")
def test_a_time_without_a_zone_is_utc_wherever_the_machine_stands() -> None:
    """It was local time here, and UTC everywhere else: fourteen hours of news were kept or forgotten too many."""
    dates = ["2026-03-01T23:59:59", "2026-03-02T00:00:00", "2026-03-02T13:00:00"]
    assert filled(*dates).expire(datetime(2026, 3, 2)) == 1
    assert filled(*dates).expire(datetime(2026, 3, 2, tzinfo=UTC)) == 1
    assert filled(*dates).expire(datetime(2026, 3, 2, 14, tzinfo=timezone(timedelta(hours=14)))) == 1


def test_expiring_counts_to_the_microsecond() -> None:
    at = datetime(2026, 3, 2, 8, 0, 0, 123457)
    index = filled("2026-03-02T08:00:00.123456Z", "2026-03-02T08:00:00.123457Z")
    assert index.expire(at) == 1
    assert index.expire(datetime.max) == 1


@pytest.mark.parametrize("before", ["2026-03-02", 1772409600, None])
def test_what_is_no_time_is_refused(before: Any) -> None:
    with pytest.raises(ParameterError, match="before: expected a datetime, got"):
        filled("2026-03-01").expire(before)


@pytest.mark.parametrize("window", [timedelta(microseconds=-1), timedelta.min, 14, 14.0, "14 days"])
def test_a_window_that_is_no_stretch_of_time_is_refused(window: Any) -> None:
    with pytest.raises(ParameterError, match="window: expected a timedelta of at least 0, got"):
        Index(Exact(), window=window)


def test_a_window_of_nothing_holds_the_same_moment() -> None:
    index = Index(Exact(), window=timedelta(0))
    index.add(prepare([Article("a", SENTENCES[0], published="2026-03-02")]))
    index.add(prepare([Article("b", SENTENCES[0], published="2026-03-03")]))
    found = index.query(prepare([Article("c", SENTENCES[0], published="2026-03-02")]))
    assert [relation.right for relation in found] == ["a"]


def test_one_id_is_not_a_list_of_ids() -> None:
    """A text is a list of letters: articles named by letters would go, and the one that was meant would stay."""
    index = Index(Exact())
    index.add(prepare([Article(id, f"{SENTENCES[0]} {id}") for id in ("abc", "a", "b")]))
    with pytest.raises(ParameterError, match="ids: expected a list of ids, got one 'abc'\nhint: put it into a list"):
        index.remove("abc")  # type: ignore[arg-type]
    assert len(index) == 3
    assert index.remove(["abc"]) == 1
