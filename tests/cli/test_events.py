"""Events on the command line: one group per event, with its headline and keywords."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.conftest import Runner, Writer

NEWS: list[dict[str, Any]] = [
    {"id": "a", "title": "Fire destroys historic mill in Oldmere", "text": "Flames were seen from the harbour."},
    {"id": "b", "title": "Oldmere's historic mill destroyed by fire - Westbrook News", "text": "Nobody was hurt."},
    {"id": "c", "text": "Historic mill of Oldmere destroyed in a fire, police said."},
    {"id": "d", "title": "Council approves 12th package of repairs", "text": "The vote was close."},
    {"id": "e", "title": "Council approves 13th package of repairs", "text": "The vote was close."},
]


def lines(done: Any) -> list[dict[str, Any]]:
    assert done.code == 0, done.err
    return [json.loads(line) for line in done.out.splitlines()]


@pytest.mark.parametrize("also", [[], ["--by-day"]])
def test_one_event_is_one_group_with_its_headline_and_its_words(
    samestory: Runner, write: Writer, also: list[str]
) -> None:
    file = write("news.jsonl", [dict(row, lang="en", published="2026-03-01T08:00:00Z") for row in NEWS])
    groups = lines(samestory("find", "--events", file, *also))
    assert sorted(sorted(group["members"]) for group in groups) == [["a", "b", "c"], ["d"], ["e"]]
    (fire,) = (group for group in groups if len(group["members"]) == 3)
    assert fire["kind"] == "SAME_EVENT"
    assert fire["headline"] in [row.get("title", row["text"]) for row in NEWS[:3]]
    assert {"mill", "Oldmere"} <= set(fire["words"])
    alone = next(group for group in groups if group["members"] == ["d"])
    assert alone["headline"] == NEWS[3]["title"]
    assert alone["words"] == []


def test_days_keep_one_headline_of_two_weeks_apart(samestory: Runner, write: Writer) -> None:
    days = ["2026-03-01", "2026-03-20"]
    file = write("news.jsonl", [{"id": day, "text": NEWS[0]["title"], "lang": "en", "published": day} for day in days])
    assert len(lines(samestory("find", "--events", file))) == 2
    assert len(lines(samestory("find", "--events", file, "-d", "event(days=30)"))) == 1


def test_other_groups_have_no_headline(samestory: Runner, write: Writer) -> None:
    file = write("news.jsonl", NEWS)
    assert all("headline" not in group for group in lines(samestory("find", file)))
