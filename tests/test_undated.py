"""Articles without a date, where dates limit which articles are related: one warning for each call in Python."""

from __future__ import annotations

import warnings

import pytest

import samestory


def news(dated: int, undated: int) -> list[dict[str, str]]:
    rows = [{"id": f"{n}", "text": f"The ferry {n} sails again on Monday."} for n in range(dated + undated)]
    return [row | {"published": "2026-03-02"} if at < dated else row for at, row in enumerate(rows)]


@pytest.mark.parametrize("job", [samestory.find, samestory.relate])
@pytest.mark.parametrize("detector", ["event", "ddd", "exhaustive(inner='event')"])
def test_undated_articles_are_warned_of_once(job: type, detector: str) -> None:
    message = r'^4 of 10 articles have no date: .*; to avoid matches by chance, add dates: fields={"published": NAME}$'
    with pytest.warns(UserWarning, match=message) as warned:
        job(news(6, 4), detector=detector)
    assert [found.filename for found in warned] == [__file__]
    with pytest.warns(UserWarning, match="^no dates: any two of 3 articles could be related"):
        job(news(0, 3), detector=detector)


@pytest.mark.parametrize("job", [samestory.find, samestory.relate])
def test_old_articles_count(job: type) -> None:
    with pytest.warns(UserWarning, match="^1 of 3 articles has no date: "):
        job(news(2, 0), against=[{"id": "old", "text": "Snow fell."}], within=2)


@pytest.mark.parametrize(
    ("rows", "options"),
    [
        (news(6, 4), {}),
        (news(6, 4), {"detector": "event", "by_day": True}),
        (news(96, 4), {"detector": "event"}),
        (news(0, 1), {"detector": "event"}),
    ],
)
def test_no_warning_where_dates_make_no_difference(rows: list[dict[str, str]], options: dict[str, object]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        samestory.find(rows, **options)  # type: ignore[arg-type]
