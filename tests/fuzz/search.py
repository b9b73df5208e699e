"""Columns of articles, changes of them, and searches over them."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np

from samestory._core.search import ArticleTable, parse_numbers
from tests.fuzz.changes import changed_text
from tests.fuzz.target import Target, attempt

EXTREME = (0, -1, 1, 2**31, 2**32, 2**62, -(2**63), 2**63 - 1)


def number(random: Random, below: int) -> int:
    """Return a number, rarely an extreme one."""
    return random.choice(EXTREME) if random.random() < 0.01 else random.randrange(below)


def column(random: Random, length: int, below: int) -> list[int]:
    """Return a column of numbers, rarely of another length."""
    return [number(random, below) for _ in range(length + (random.random() < 0.01))]


def make_columns(random: Random) -> list[list[int]]:
    """Return the columns of some articles, rarely too few."""
    length = random.choice([0, 1, 3, 80])
    made = [column(random, length, below) for below in (100, 20, 100, 50, 9, 4, 3, 6)]
    return made if random.random() < 0.98 else made[: random.randrange(8)]


def make_numbers(random: Random) -> list[int]:
    """Return numbers of articles, mostly sorted."""
    found = column(random, random.randrange(60), 100)
    return sorted(found) if random.random() < 0.95 else found


def make_filter(random: Random) -> Any:
    """Return which articles are searched."""
    masks = tuple(random.choice([None, None, random.randbytes(random.randrange(6))]) for _ in range(3))
    return (
        random.choice([None, make_numbers(random)]),
        random.choice([None, make_numbers(random)]),
        number(random, 120),
        masks,
    )


def make_searches(random: Random) -> Any:
    """Return columns, a change, and a search; or a text of numbers."""
    if random.random() < 0.1:
        return changed_text(random, ["1 22 333 -4 9223372036854775807"])
    after = tuple(number(random, 50) for _ in range(3)) if random.random() < 0.5 else None
    points = [(make_numbers(random), random.randrange(2**16)) for _ in range(random.randrange(3))]
    choice = random.choice(["longest", "earliest", "latest", "best", "best", "worst"])
    preferences = [random.randrange(2**32) for _ in range(random.randrange(5))]
    options = (points, random.random() < 0.5, after, random.choice([0, 1, 5, 1000]), choice, preferences)
    return make_columns(random), make_numbers(random), make_columns(random), make_filter(random), options


def run_searches(value: Any) -> None:
    """Make a table, change it, and search both versions."""

    def array(numbers: list[int] | None) -> Any:
        return None if numbers is None else np.array(numbers, np.int64)

    if isinstance(value, str):
        attempt(parse_numbers, value)
        return
    columns, without, others, (matching, excluded, bound, masks), (points, *options) = value
    table = ArticleTable([array(each) for each in columns])
    changed = attempt(table.changed, array(without), [array(each) for each in others])
    for each in (table, changed):
        if each is not None:
            searched = (array(matching), array(excluded), bound, masks)
            attempt(each.newest, searched, 3)
            found = attempt(each.search, searched, [(array(numbers), score) for numbers, score in points], *options)
            assert found is None or (all(found.representatives) and len(found.representatives) == len(found.numbers))
            attempt(each.count_stories, searched, [array(without), *map(array, others)])
            each.members(columns[1] if len(columns) > 1 else [])
            assert len(each) >= 0 and each.last is not None


SEARCHES = Target(
    "searches",
    (
        *(f"search.ArticleTable{name}" for name in ("", ".changed", ".count_stories", ".newest", ".search")),
        "search.parse_numbers",
    ),
    make_searches,
    run_searches,
)
