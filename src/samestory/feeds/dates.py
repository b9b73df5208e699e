"""Parses dates of feeds: RFC 822 of RSS, ISO 8601 of Atom, and free-form dates.

A date without a zone is UTC, as everywhere in samestory; one before the web existed, or in the future, is rejected.
"""

from __future__ import annotations

import calendar
from datetime import UTC, datetime, timedelta, timezone
from email.utils import parsedate_tz
from time import struct_time

from samestory import _core
from samestory.html.times import EARLIEST, Dates

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
#: Hours ahead of UTC, for zone names that the standard library does not define.
_ZONES = {"BST": 1, "CET": 1, "CEST": 2, "EET": 2, "EEST": 3, "IST": 5.5, "JST": 9, "MSK": 3, "TRT": 3, "WEST": 1}


def parse_date(written: str, read: struct_time | None = None, latest: datetime | None = None) -> datetime | None:
    """Parse a date; `read` is the result of the feed parser, a fallback for formats that only it supports.

    >>> parse_date("Sun, 12 May 2024 10:30:00 +0300").isoformat(), parse_date("12 Mayıs 2024 10:30").isoformat()
    ('2024-05-12T10:30:00+03:00', '2024-05-12T10:30:00+00:00')
    """
    written = written.strip()[:100]
    for parser in (_iso, _mail, _core_date, _words):
        try:
            at = parser(written)
        except (ValueError, OverflowError, TypeError, IndexError):
            continue
        if at is not None:
            return _plausible(at, latest)
    if read is None:
        return None
    try:
        return _plausible(datetime.fromtimestamp(calendar.timegm(read), UTC), latest)
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
    """Parse a date with the rules for input files: "Wed Nov 25, 2009 11:05am EST"."""
    found = _core.engine.microseconds(written)
    return None if found is None else _EPOCH + timedelta(microseconds=found)


def _words(written: str) -> datetime | None:
    found = Dates(datetime.max.replace(tzinfo=UTC) - timedelta(days=2)).read(written)
    return datetime.fromisoformat(found) if found else None


def _plausible(at: datetime, latest: datetime | None) -> datetime | None:
    """Return a time with a zone, or None if it is implausible; local time labelled as UTC may be a day ahead."""
    at = at if at.tzinfo else at.replace(tzinfo=UTC)
    if at.date() < EARLIEST:
        return None
    return at.replace(microsecond=0) if at <= (latest or datetime.now(UTC)) + timedelta(days=1) else None
