"""The hash of a term under a number, from its description: a product of 128 bits, folded."""

from __future__ import annotations

MASK = 2**64 - 1
K0, K1, K2 = 0x9E3779B97F4A7C15, 0xD1B54A32D192ED03, 0xA24BAED4963EE407


def mix(a: int, b: int) -> int:
    """The two halves of the product."""
    return (a * b & MASK) ^ (a * b >> 64)


def lower(word: int) -> int:
    """Lower case for ASCII letters; bytes of longer characters stay as they are."""
    return word | 0x2020202020202020 & ~((word & 0x8080808080808080) >> 2)


def halves(block: bytes) -> tuple[int, int]:
    """Sixteen bytes as two numbers, padded with zeros."""
    padded = block.ljust(16, b"\0")
    return lower(int.from_bytes(padded[:8], "little")), lower(int.from_bytes(padded[8:], "little"))


def token(term: str) -> int:
    """The hash of a folded term."""
    raw = term.encode()
    low, high = halves(raw[:16])
    if len(raw) <= 16:
        return mix(low ^ K0, high ^ K1 ^ len(raw))
    state = K2 ^ len(raw)
    for start in range(0, len(raw), 16):
        low, high = halves(raw[start : start + 16])
        state = mix(low ^ state, high ^ K1)
    return mix(state ^ K0, K1 ^ len(raw))


def hash64(number: int, term: str) -> int:
    """The hash of a folded term under a number."""
    return mix(token(term) ^ K2, mix(number ^ K0, K1) | 1)
