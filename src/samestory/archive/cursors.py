"""Pagination cursors: the position where a page ended, as an opaque string."""

from __future__ import annotations

import base64
import binascii
import json

from samestory.errors import InputError
from samestory.model import shown


def encode_cursor(*numbers: int) -> str:
    """Encode numbers as a cursor; the first identifies the query."""
    return base64.urlsafe_b64encode(json.dumps(numbers).encode()).decode().rstrip("=")


def decode_cursor(cursor: str, query: int, count: int) -> list[int]:
    """Decode a cursor of `count` numbers; raise an InputError if it is invalid or belongs to another query.

    >>> decode_cursor(encode_cursor(7, -1), 7, 2)
    [7, -1]
    """
    try:
        numbers = json.loads(base64.b64decode(cursor + "=" * (-len(cursor) % 4), altchars=b"-_", validate=True))
    except (binascii.Error, ValueError, TypeError, RecursionError):
        numbers = None
    is_list = isinstance(numbers, list) and len(numbers) == count
    if not is_list or not all(type(n) is int and -(2**63) <= n < 2**63 for n in numbers):
        raise InputError(f"cursor: expected the cursor of a page, got {shown(cursor)}")
    if numbers[0] != query:
        raise InputError("cursor: belongs to another query", hint="leave it out to get the first page")
    return list(numbers)
