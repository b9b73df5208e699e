"""Validates values, so that both databases accept the same ones.

Valid are None, signed 64-bit integers, floats, strings and bytes. Two values are refused because one of the databases
cannot store them faithfully: NUL in a string, which PostgreSQL does not support, and nan, which SQLite turns into NULL.
"""

from __future__ import annotations

from collections.abc import Sequence
from numbers import Integral, Real
from typing import Any

from samestory.errors import InputError
from samestory.model import shown

MIN_INT64, MAX_INT64 = -(2**63), 2**63 - 1


def storable(text: str) -> str:
    """Replace every NUL of a string by U+FFFD, as browsers do.

    >>> storable("a\\0b")
    'a\ufffdb'
    """
    return text.replace("\0", "\ufffd") if "\0" in text else text


def checked(row: Sequence[Any]) -> Sequence[Any]:
    """Return the values as the drivers accept them; raise an InputError for one that cannot be stored."""
    for value in row:
        kind = type(value)
        if kind is str:
            if "\0" in value:
                raise InputError(f"a text with NUL cannot be stored, got {shown(value)}")
        elif kind is int:
            if not MIN_INT64 <= value <= MAX_INT64:
                raise InputError(f"expected a 64-bit integer, got {shown(value)}")
        elif kind is float:
            if value != value:
                raise InputError("expected a number, got nan")
        elif value is not None and kind is not bytes:
            return checked([_plain(value) for value in row])
    return row


def _plain(value: Any) -> Any:
    """Convert members of string enumerations, NumPy numbers and byte views to the equal built-in value."""
    if isinstance(value, str):
        return str(value)
    if isinstance(value, Integral):
        return int(value)
    if isinstance(value, Real):
        return float(value)
    if isinstance(value, bytes | bytearray | memoryview):
        return bytes(value)
    if value is None:
        return None
    raise InputError(f"expected a text, a number, bytes or None, got {shown(value)}")
