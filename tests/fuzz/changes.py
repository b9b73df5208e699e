"""Changes to valid values: bytes flipped, cut, repeated, spliced, and extreme numbers written over them."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from random import Random

#: A changed value has at most this many bytes: what is slow or large shows in small values too.
MAX_BYTES = 200_000

_INTEGERS = [0, 1, 2, 3, 7, 8, 127, 128, 255, 256, 2**15, 2**16 - 1, 2**31 - 1, 2**31, 2**32 - 2, 2**32 - 1]
_LONG_INTEGERS = [*_INTEGERS, 2**32, 2**53, 2**62, 2**63 - 1, 2**63, 2**64 - 4, 2**64 - 1]
_FLOATS = [0.0, -0.0, 1.0, -1.0, 0.5, 1e-300, 1e300, float("inf"), float("-inf"), float("nan")]

#: Pieces of JSON, tables and specs that parsers treat specially.
TOKENS = [
    *('"', "'", "\\", "{", "}", "[", "]", "(", ")", ",", ":", "=", "\t", "\n", "\r\n", "\r", " ", "\0", "\x1b[2J"),
    *("null", "true", "false", "None", "True", "NaN", "Infinity", "-Infinity", "1e400", "-1", "-0.0", "0x10", "1_0"),
    *("9" * 30, "9" * 400, "9" * 5000, "0." + "0" * 400 + "1", "18446744073709551615", "-9223372036854775809"),
    *("[" * 2000, '{"a":' * 2000, "(" * 300, "-" * 3000, "a" * 3000, "\\ud800", "\\u0000", "\\udfff\\ud800"),
    *(
        "İ",
        "ı",
        "ß",
        "\u0301" * 40,
        "\u200f",
        "\ufeff",
        "\ufffd",
        "𝕏",
        "東京",
        "Ǆ",
        "ﬃ",
        "\u2028",
        "\x85",
        "\U0010ffff",
    ),
]


def changed(random: Random, values: Sequence[bytes]) -> bytes:
    """Return random bytes, or one of the values with some changes; rarely one of them as it is."""
    kind = random.randrange(30)
    if kind < 2 or not values:
        return random.randbytes(random.choice([0, 1, 3, 4, 8, 12, 40, 200]))
    out = bytearray(random.choice(values))
    if kind > 2:
        for _ in range(random.choice([1, 1, 1, 2, 3, 5, 8])):
            _change(random, out, values)
    return bytes(out[:MAX_BYTES])


def _change(random: Random, out: bytearray, values: Sequence[bytes]) -> None:
    at = random.randrange(len(out) + 1)
    if random.random() < 0.3:
        at = min(at, random.randrange(64))  # lengths and formats are at the beginning
    step = random.choice([1, 4, 8])
    at -= at % step
    length = random.choice([1, 2, 4, 4, 8, 8, 12, 16, 40, 120])
    match random.randrange(9):
        case 0:
            if out:
                out[at % len(out)] ^= 1 << random.randrange(8)
        case 1:
            if out:
                out[at % len(out)] = random.randrange(256)
        case 2:
            del out[at : at + length]
        case 3:
            del out[at:]
        case 4:
            out[at:at] = out[at : at + length] * random.choice([1, 1, 1, 2, 20, 500])
        case 5:
            other = random.choice(values)
            start = random.randrange(len(other) + 1)
            start -= start % step
            out[at : at + random.choice([0, length])] = other[start : start + random.choice([length, len(other)])]
        case 6:
            out[at:at] = random.randbytes(length)
        case _:
            number = extreme(random)
            out[at : at + len(number)] = number


def extreme(random: Random) -> bytes:
    """Return a number at the end of the range of its type, or just beside one."""
    match random.randrange(6):
        case 0:
            return bytes([random.choice([0, 1, 127, 128, 254, 255])])
        case 1 | 2:
            return struct.pack("<I", random.choice(_INTEGERS))
        case 3:
            return struct.pack("<Q", random.choice(_LONG_INTEGERS))
        case 4:
            return struct.pack("<d", random.choice(_FLOATS))
        case _:
            return struct.pack("<f", random.choice([*_FLOATS[:5], *_FLOATS[7:]]))


def changed_text(random: Random, values: Sequence[str]) -> str:
    """Return one of the texts with changes of its bytes, or with pieces that parsers treat specially."""
    raw = [value.encode() for value in values]
    if random.random() < 0.4:
        return changed(random, raw).decode(errors="replace")
    out = random.choice(values)
    for _ in range(random.choice([1, 1, 2, 3, 8])):
        at = random.randrange(len(out) + 1)
        until = at + random.choice([0, 0, 1, 3, 20])
        out = out[:at] + random.choice(TOKENS) + out[until:]
    return out[:MAX_BYTES]


def changed_lines(random: Random, lines: Sequence[str]) -> bytes:
    """Return the bytes of a text file of such lines, some of them changed."""
    ending = random.choice(["\n", "\n", "\n", "\r\n", "\r", "\n\n"])
    chosen = [random.choice(lines) for _ in range(random.randrange(1, 8))]
    chosen = [changed_text(random, [line, *lines]) if random.random() < 0.4 else line for line in chosen]
    out = ending.join(chosen).encode(errors="surrogatepass")
    return changed(random, [out]) if random.random() < 0.4 else out
