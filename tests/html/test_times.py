"""Dates as written on pages."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from samestory import _core
from samestory.html.months import _NAMES, MONTHS
from samestory.html.times import Dates
from samestory.html.words import fold

DATES = Dates(latest=datetime(2024, 6, 1, tzinfo=UTC))


@pytest.mark.parametrize(
    ("written", "iso"),
    [
        ("2024-05-12T10:30:00+03:00", "2024-05-12T10:30:00+03:00"),
        ("2024-05-12T10:30:00.123+0300", "2024-05-12T10:30:00+03:00"),
        ("2024-05-12T10:30Z", "2024-05-12T10:30:00Z"),
        ("2024-05-12T10:30:00+00:00", "2024-05-12T10:30:00Z"),
        ("2024-05-12 10:30:00 UTC", "2024-05-12T10:30:00Z"),
        ("2024-05-12 10:30", "2024-05-12T10:30:00"),
        ("2024-05-12", "2024-05-12"),
        ("2024/05/12", "2024-05-12"),
        ("20240512", "2024-05-12"),
        ("20240512T103000", "2024-05-12T10:30:00"),
        ("202405121030", "2024-05-12T10:30:00"),
        ("1715500000", "2024-05-12T07:46:40Z"),
        ("1715500000000", "2024-05-12T07:46:40Z"),
        ("Sun, 12 May 2024 10:30:00 +0300", "2024-05-12T10:30:00+03:00"),
        ("Sun, 12 May 2024 10:30:00 GMT", "2024-05-12T10:30:00Z"),
        ("Sun May 12 2024 10:30:00 GMT+0300 (TRT)", "2024-05-12T10:30:00+03:00"),
        ("Sun May 12 10:30:00 EEST 2024", "2024-05-12T10:30:00"),
        ("12 Mayıs 2024 10:30", "2024-05-12T10:30:00"),
        ("12 MAYIS 2024, Pazar 10:30", "2024-05-12T10:30:00"),
        ("12 Mayıs 2024 Pazar - Saat: 10:30", "2024-05-12T10:30:00"),
        ("12 Ağustos 2023", "2023-08-12"),
        ("12 мая 2024", "2024-05-12"),
        ("12 мая 2024 в 10:30", "2024-05-12T10:30:00"),
        ("10:30, 12 мая 2024", "2024-05-12T10:30:00"),
        ("May 12, 2024", "2024-05-12"),
        ("Sunday, May 12th, 2024 at 10:30 p.m. EDT", "2024-05-12T22:30:00"),
        ("12 May 2024, 12:05am", "2024-05-12T00:05:00"),
        ("1st of May 2024", "2024-05-01"),
        ("12. Mai 2024, 10.30 Uhr", "2024-05-12T10:30:00"),
        ("12.05.2024 - 10:30", "2024-05-12T10:30:00"),
        ("12.5.24", None),
        ("12.05.24 | 10:30", "2024-05-12T10:30:00"),
        ("1er février 2024 à 10h30", "2024-02-01T10:30:00"),
        ("12 de mayo de 2024, a las 10:30", "2024-05-12T10:30:00"),
        ("2024年5月12日 10:30", "2024-05-12T10:30:00"),
        ("12-May-2024", "2024-05-12"),
        # an invalid time is dropped, the day is kept
        ("2024-05-12T25:00", "2024-05-12"),
        ("May 12, 2024 13:30 pm", "2024-05-12"),
        ("2024-05-12T10:30:00+99:00", "2024-05-12T10:30:00"),
        # invalid days, days before 1990 and future days
        ("30 February 2024", None),
        ("2024-13-01", None),
        ("12 May 1985", None),
        ("31 December 1989", None),
        ("2024-06-03", None),
        ("9999999999", None),
        ("12 Maybe 2024", None),
        ("0000-01-01T14:00:00+00:53", None),
        ("yesterday", None),
        ("", None),
    ],
)
def test_a_date_in_every_usual_form(written: str, iso: str | None) -> None:
    assert DATES.read(written) == iso


def test_a_local_day_may_be_a_day_ahead() -> None:
    assert DATES.read("2024-06-02") == "2024-06-02"


@pytest.mark.parametrize(
    ("month_first", "iso"), [(True, "2024-05-12"), (False, "2024-12-05"), (None, None)], ids=["month", "day", "unknown"]
)
def test_the_order_of_ambiguous_day_and_month(month_first: bool | None, iso: str | None) -> None:
    dates = Dates(latest=datetime(2025, 1, 1, tzinfo=UTC), month_first=month_first)
    assert dates.read("05/12/2024") == iso
    # with dots the day is first, and there is no month 13
    assert dates.read("05.12.2024") == "2024-12-05"
    assert dates.read("13/05/2024") == dates.read("05/13/2024") == "2024-05-13"


def test_all_dates_of_a_line_in_their_order() -> None:
    line = "Giriş Tarihi: 12.05.2024 10:30 Son Güncelleme: 13.05.2024 09:00"
    found = DATES.found(line)
    assert [each.iso for each in found] == ["2024-05-12T10:30:00", "2024-05-13T09:00:00"]
    assert [line[each.start : each.end] for each in found] == ["12.05.2024 10:30", "13.05.2024 09:00"]


@pytest.mark.parametrize(
    "text", ["10.1.2.3", "version 2.10.2021.4", "+90 212 12 05 2024 1", "12/05/20244", "1.2.3.2024"]
)
def test_other_figures_are_no_dates(text: str) -> None:
    assert DATES.found(text) == []


@pytest.mark.parametrize(
    ("url", "iso"),
    [
        ("https://example.com/2024/05/12/storm", "2024-05-12"),
        ("https://example.com/news/20240512-storm.html", "2024-05-12"),
        ("https://example.com/world/2024/may/12/storm", "2024-05-12"),
        ("https://example.com/storm-12-05-2024", "2024-05-12"),
        ("https://example.com/2024-05-12-storm", "2024-05-12"),
        ("https://example.com/2024/05/storm", None),
        ("https://example.com/a-1234567820240512", None),
        ("https://example.com/web/20240512103000/x", None),
        ("https://example.com/storm?date=2024-05-12", None),
        ("https://example.com/2034/05/12/", None),
        ("http://[", None),
        (None, None),
    ],
)
def test_the_day_in_an_address(url: str | None, iso: str | None) -> None:
    assert DATES.in_address(url) == iso


def test_no_name_is_that_of_two_months() -> None:
    for language, names in _NAMES.items():
        assert len(names.split()) == 12, language
        for number, alike in enumerate(names.split(), 1):
            assert {MONTHS[fold(name)] for name in alike.split("/")} == {number}, (language, alike)


_DAYS = st.dates(date(1990, 1, 1), date(2024, 6, 1))
_TIMES = st.times().map(lambda time: time.replace(microsecond=0, tzinfo=None))


@settings(max_examples=150, deadline=None)
@given(_DAYS, _TIMES, st.sampled_from(sorted(_NAMES)), st.booleans(), st.data())
def test_what_is_written_in_words_reads_back(
    day: date, time: object, language: str, month_first: bool, data: st.DataObject
) -> None:
    month = data.draw(st.sampled_from(_NAMES[language].split()[day.month - 1].split("/")))
    case = data.draw(st.sampled_from([str.lower, str.title, str.upper]))
    words = f"{case(month)} {day.day}, {day.year}" if month_first else f"{day.day} {case(month)} {day.year}"
    assert DATES.read(words) == day.isoformat()
    assert DATES.read(f"{words} {time}") == f"{day}T{time}"
    assert DATES.read(f"{time}, {words}") == f"{day}T{time}"


_ZONES = st.one_of(st.just(UTC), st.integers(-14 * 4, 14 * 4).map(lambda quarters: timedelta(minutes=15 * quarters)))


@settings(max_examples=150, deadline=None)
@given(st.datetimes(datetime(1990, 1, 2), datetime(2024, 5, 30)), _ZONES)
def test_the_core_reads_what_is_written_here(at: datetime, zone: object) -> None:
    from datetime import timezone

    at = at.replace(microsecond=0, tzinfo=timezone(zone) if isinstance(zone, timedelta) else UTC)
    iso = DATES.read(at.isoformat())
    assert iso is not None
    assert _core.engine.microseconds(iso) == round(at.timestamp() * 1e6)
    naive = DATES.read(at.replace(tzinfo=None).isoformat(" "))
    assert naive is not None
    assert _core.engine.microseconds(naive) == round(at.replace(tzinfo=UTC).timestamp() * 1e6)


@settings(max_examples=200, deadline=None)
@given(st.text(st.sampled_from("0123456789./-: T+Zmaypm12024мая年,h"), max_size=60))
def test_whatever_is_read_is_a_date_of_its_time(text: str) -> None:
    for each in DATES.found(text):
        assert "1990-01-01" <= each.iso[:10] <= "2024-06-02"
        assert _core.engine.microseconds(each.iso) is not None
