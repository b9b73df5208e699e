"""Times as they are kept: microseconds since 1970, days counted from then, both in UTC."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_FIRST = _EPOCH.toordinal()


def moment(microseconds: int) -> datetime:
    """A time.

    >>> moment(0).isoformat()
    '1970-01-01T00:00:00+00:00'
    """
    return _EPOCH + timedelta(microseconds=microseconds)


def day_number(text: str) -> int | None:
    """A day as it is filed; None if this is no day.

    >>> day_number("1970-01-02"), day_number("yesterday")
    (1, None)
    """
    if not re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", text):
        return None
    try:
        return date.fromisoformat(text).toordinal() - _FIRST
    except ValueError:
        return None


def day_name(day: int) -> str:
    """A day as people write it.

    >>> day_name(1)
    '1970-01-02'
    """
    return date.fromordinal(day + _FIRST).isoformat()
