"""What both databases can keep, so that neither takes what the other refuses.

Nothing, whole numbers of 64 bits with a sign, numbers, texts, bytes. Two things are refused that one of the two would
change without a word: NUL in a text, which PostgreSQL cannot hold, and nan, which SQLite turns into nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from numbers import Integral, Real
from typing import Any

from samestory.errors import InputError
from samestory.model import shown

LEAST, MOST = -(2**63), 2**63 - 1


def storable(text: str) -> str:
    """A text as it can be kept: U+FFFD stands for every NUL, as in browsers.

    >>> storable("a\\0b")
    'a\ufffdb'
    """
    return text.replace("\0", "\ufffd") if "\0" in text else text


def kept(row: Sequence[Any]) -> Sequence[Any]:
    """The values as the drivers take them; an InputError says which of them cannot be kept."""
    for value in row:
        kind = type(value)
        if kind is str:
            if "\0" in value:
                raise InputError(f"a text with NUL cannot be kept, got {shown(value)}")
        elif kind is int:
            if not LEAST <= value <= MOST:
                raise InputError(f"a whole number of 64 bits is wanted, got {shown(value)}")
        elif kind is float:
            if value != value:
                raise InputError("a number is wanted, got nan")
        elif value is not None and kind is not bytes:
            return kept([_plain(value) for value in row])
    return row


def _plain(value: Any) -> Any:
    """The value of a kind of ours that says the same: words of an enumeration, numbers of NumPy, views of bytes."""
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
    raise InputError(f"a text, a number, bytes or nothing is wanted, got {shown(value)}")
