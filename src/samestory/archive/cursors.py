"""Cursors: the place where a page ended, as a text that nobody need understand."""

from __future__ import annotations

import base64
import binascii
import json

from samestory.errors import InputError
from samestory.model import shown


def packed(*numbers: int) -> str:
    """Some numbers as a cursor; the first says what was asked."""
    return base64.urlsafe_b64encode(json.dumps(numbers).encode()).decode().rstrip("=")


def unpacked(cursor: str, question: int, many: int) -> list[int]:
    """The numbers of a cursor; an InputError if it is none, or that of another question.

    >>> unpacked(packed(7, -1), 7, 2)
    [7, -1]
    """
    try:
        numbers = json.loads(base64.b64decode(cursor + "=" * (-len(cursor) % 4), altchars=b"-_", validate=True))
    except (binascii.Error, ValueError, TypeError, RecursionError):
        numbers = None
    is_ours = isinstance(numbers, list) and len(numbers) == many
    if not is_ours or not all(type(n) is int and -(2**63) <= n < 2**63 for n in numbers):
        raise InputError(f"cursor: that of a page is wanted, got {shown(cursor)}")
    if numbers[0] != question:
        raise InputError("cursor: that of another question", hint="ask without a cursor for the first page")
    return list(numbers)
