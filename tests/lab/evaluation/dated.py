"""Dated collections of random words, with known copies and known confusions across time."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from random import Random
from typing import Any

Row = dict[str, Any]

#: The clock of these tests.
NOW = datetime(2026, 11, 1, tzinfo=UTC)
START = date(2024, 1, 1)
#: Days after the start, in the first and in the second block of 30 days that is kept, and between the two.
FIRST, SECOND, BETWEEN = 3, 65, 40


def words(count: int, seed: int) -> str:
    """Return random words, of so large a vocabulary that two such texts share no shingle."""
    random = Random(seed)
    consonants, vowels = "bcdfghklmnprstvz", "aeiou"
    return " ".join("".join(random.choice(consonants) + random.choice(vowels) for _ in range(3)) for _ in range(count))


def day(after: int) -> str:
    return (START + timedelta(days=after)).isoformat()


def row(id: str, text: str, after: int | None, **more: Any) -> Row:
    """Return an article dated `after` days after the start; undated for None."""
    return {"id": id, "text": text, **({} if after is None else {"date": day(after)}), **more}


def strangers(count: int, blocks: int = 2, seed: int = 1) -> list[Row]:
    """Return unrelated articles, spread evenly over the kept blocks of 30 days."""
    return [row(f"stranger-{at}", words(40, 1000 * seed + at), 60 * (at % blocks) + at % 25) for at in range(count)]


def pairs(name: str, count: int, first: int, second: int, seed: int) -> list[Row]:
    """Return texts that appear twice, `first` and `second` days after the start."""
    out = []
    for at in range(count):
        text = words(50, 7777 * seed + at)
        out += [row(f"{name}-{at}-a", text, first), row(f"{name}-{at}-b", text, second)]
    return out
