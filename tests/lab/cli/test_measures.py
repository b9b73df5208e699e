"""samestory measures lists all measures, and each can be parsed."""

from __future__ import annotations

from samestory.lab.measures import MEASURES, parse
from tests.conftest import Runner


def test_every_measure_is_listed(samestory: Runner) -> None:
    rows = samestory("measures", "--json").rows
    assert [row["name"] for row in rows] == list(MEASURES)
    assert all(row["unit"] and row["formula"] and row["needs"] for row in rows)
    text = samestory("measures").out
    listed = [line for line in text.splitlines() if not line.startswith(" ")]
    assert [parse(line).name for line in listed] == list(MEASURES)
