"""Dates of feeds: RFC 822 as RSS has it, ISO 8601 as Atom has it, and what people write instead.

A date without a zone is UTC, as everywhere in the house; one before there were pages, or from the future, is none.
"""

from __future__ import annotations

import calendar
from datetime import UTC, datetime, timedelta, timezone
from email.utils import parsedate_tz
from time import struct_time

from samestory import _core
from samestory.html.times import EARLIEST, Dates

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
#: Hours ahead of UTC, of zones that the standard library does not know by name.
_ZONES = {"BST": 1, "CET": 1, "CEST": 2, "EET": 2, "EEST": 3, "IST": 5.5, "JST": 9, "MSK": 3, "TRT": 3, "WEST": 1}


def moment(written: str, read: struct_time | None = None, latest: datetime | None = None) -> datetime | None:
    """When that is; `read` is what a parser of feeds made of it, for dates that only it knows.

    >>> moment("Sun, 12 May 2024 10:30:00 +0300").isoformat(), moment("12 Mayıs 2024 10:30").isoformat()
    ('2024-05-12T10:30:00+03:00', '2024-05-12T10:30:00+00:00')
    """
    written = written.strip()[:100]
    for way in (_iso, _mail, _core_date, _words):
        try:
            at = way(written)
        except (ValueError, OverflowError, TypeError, IndexError):
            continue
        if at is not None:
            return _possible(at, latest)
    if read is None:
        return None
    try:
        return _possible(datetime.fromtimestamp(calendar.timegm(read), UTC), latest)
    except (ValueError, OverflowError, OSError):
        return None


def _iso(written: str) -> datetime | None:
    return datetime.fromisoformat(written)


def _mail(written: str) -> datetime | None:
    found = parsedate_tz(written)
    if found is None:
        return None
    shift = found[9]
    if shift is None or not written[-1:].isdigit():
        name = written.rpartition(" ")[2].upper()
        shift = int(3600 * _ZONES[name]) if name in _ZONES else shift
    return datetime(*found[:6], tzinfo=timezone(timedelta(seconds=shift or 0)))


def _core_date(written: str) -> datetime | None:
    """A date as articles of files have it: "Wed Nov 25, 2009 11:05am EST"."""
    found = _core.microseconds(written)
    return None if found is None else _EPOCH + timedelta(microseconds=found)


def _words(written: str) -> datetime | None:
    found = Dates(datetime.max.replace(tzinfo=UTC) - timedelta(days=2)).read(written)
    return datetime.fromisoformat(found) if found else None


def _possible(at: datetime, latest: datetime | None) -> datetime | None:
    """A time with its zone, if articles can be of it; who writes the local time as UTC may be a day ahead."""
    at = at if at.tzinfo else at.replace(tzinfo=UTC)
    if at.date() < EARLIEST:
        return None
    return at.replace(microsecond=0) if at <= (latest or datetime.now(UTC)) + timedelta(days=1) else None
