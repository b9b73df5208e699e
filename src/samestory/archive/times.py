"""Conversion of stored times: microseconds since 1970 and days since 1970, both in UTC."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta

from samestory.errors import StoreError
from samestory.model import shown

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_FIRST = _EPOCH.toordinal()


def moment(microseconds: int) -> datetime:
    """Convert microseconds since 1970 to a datetime in UTC; raise a StoreError if that is no date.

    >>> moment(0).isoformat()
    '1970-01-01T00:00:00+00:00'
    """
    try:
        return _EPOCH + timedelta(microseconds=microseconds)
    except (OverflowError, TypeError):  # TypeError: SQLite stores any value in any column
        raise _damaged(microseconds) from None


def day_number(text: str) -> int | None:
    """Convert an ISO date to days since 1970; None if it is not a date.

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
    """Format days since 1970 as an ISO date.

    >>> day_name(1)
    '1970-01-02'
    """
    try:
        return date.fromordinal(day + _FIRST).isoformat()
    except (OverflowError, TypeError, ValueError):
        raise _damaged(day) from None


def _damaged(value: object) -> StoreError:
    hint = "samestory index check --repair DB reads the dates of articles again"
    return StoreError(f"a stored date is damaged: {shown(value)}", hint)
