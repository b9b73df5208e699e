"""The corpus tree validates its arguments and reads times as `Index` does."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest

from samestory import Article, CorpusTree, ParameterError, prepare
from samestory.detectors.codet import CoDet
from tests.news import SENTENCES


def tree_of(*articles: Article, window: Any = None) -> CorpusTree:
    features = prepare([Article("word list", " ".join(SENTENCES)), *articles])
    tree = CorpusTree(CoDet(plus_one=True).fit([features]), window=window)
    tree.add(prepare(articles))
    return tree


def dated(*dates: str) -> CorpusTree:
    return tree_of(*(Article(date, SENTENCES[at], published=date) for at, date in enumerate(dates)))


@pytest.mark.usefixtures("kiritimati")
def test_a_time_without_a_zone_is_utc() -> None:
    dates = ["2026-03-01T23:59:59", "2026-03-02T00:00:00", "2026-03-02T13:00:00"]
    assert dated(*dates).expire(datetime(2026, 3, 2)) == 1
    assert dated(*dates).expire(datetime(2026, 3, 2, tzinfo=UTC)) == 1
    assert dated(*dates).expire(datetime(2026, 3, 2, 14, tzinfo=timezone(timedelta(hours=14)))) == 1


def test_times_are_compared_to_the_microsecond() -> None:
    tree = dated("2026-03-02T08:00:00.123456Z", "2026-03-02T08:00:00.123457Z")
    assert tree.expire(datetime(2026, 3, 2, 8, 0, 0, 123457)) == 1
    assert tree.expire(datetime.max) == 1


@pytest.mark.parametrize("before", ["2026-03-02", 1772409600, None])
def test_expire_rejects_a_value_that_is_no_datetime(before: Any) -> None:
    with pytest.raises(ParameterError, match="before: expected a datetime, got"):
        dated("2026-03-01").expire(before)


def test_remove_rejects_a_single_id() -> None:
    tree = tree_of(*(Article(id, text) for id, text in zip("ab", SENTENCES, strict=False)))
    one: Any = "ab"
    with pytest.raises(ParameterError, match="ids: expected a list of ids, got one 'ab'"):
        tree.remove(one)
    assert len(tree) == 2
    assert tree.remove(["a", "b"]) == 2


@pytest.mark.parametrize("window", [timedelta(microseconds=-1), timedelta.min, 14, 14.0, "14 days"])
def test_a_window_that_is_no_timedelta_of_at_least_zero_is_rejected(window: Any) -> None:
    with pytest.raises(ParameterError, match="window: expected a timedelta of at least 0, got"):
        tree_of(window=window)


def test_articles_without_words_are_counted_when_they_are_removed() -> None:
    tree = tree_of(Article("a", SENTENCES[0]), Article("b", "—"))
    assert len(tree) == 2
    assert tree.remove(["a", "b", "c"]) == 2


@pytest.mark.parametrize("window", [timedelta.max, timedelta(days=2)])
def test_the_window_is_inclusive_to_the_microsecond(window: timedelta) -> None:
    text = f"{SENTENCES[0]} {SENTENCES[1]}"
    tree = tree_of(Article("a", text, published="2026-03-01"), window=window)
    found = tree.add(prepare([Article("b", text, published="2026-03-03")]))
    assert [(r.left, r.right) for r in found] == [("b", "a")]
    later = tree.query(prepare([Article("c", text, published="2026-03-03T00:00:00.000001Z")]))
    assert {r.right for r in later} == ({"a", "b"} if window == timedelta.max else {"b"})
