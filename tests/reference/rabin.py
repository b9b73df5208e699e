"""The 40-bit fingerprint of Rabin, bit by bit.

    f = 1, then for every bit of the bytes f = (f·x + bit) mod P over GF(2),   P = x^40 + x^5 + x^4 + x^3 + 1

The bits of a byte come most significant first.
"""

from __future__ import annotations

DEGREE = 40
POLYNOMIAL = 1 << 40 | 1 << 5 | 1 << 4 | 1 << 3 | 1


def fingerprint(data: bytes) -> int:
    """The fingerprint of some bytes."""
    f = 1
    for byte in data:
        for place in range(7, -1, -1):
            f = f << 1 | byte >> place & 1
            if f >> DEGREE:
                f ^= POLYNOMIAL
    return f
