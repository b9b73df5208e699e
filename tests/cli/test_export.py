"""samestory index export: the articles of an archive, with all their fields."""

from __future__ import annotations

import json
from pathlib import Path

from tests.archive.news import item, story
from tests.conftest import Runner, Writer


def test_what_is_exported_is_what_was_added(samestory: Runner, write: Writer, tmp_path: Path) -> None:
    rows = [
        {**item("a", story(1), title="T", source="Post"), "section": "Sports", "tags": ["x", "y"], "deep": {"n": 1}},
        item("b", story(2)),
    ]
    place, out = tmp_path / "news.db", tmp_path / "out.jsonl"
    assert samestory("index", "add", place, write("news.jsonl", rows)).code == 0
    done = samestory("index", "export", place)
    assert (done.code, done.err) == (0, "")
    assert [json.loads(line) for line in done.out.splitlines()] == rows
    assert samestory("index", "export", place, "b", "a", "-o", out).code == 0
    assert [json.loads(line)["id"] for line in out.read_text().splitlines()] == ["b", "a"]
    again = samestory("index", "add", place, out)
    assert "0 articles new, 0 revised, 2 unchanged" in again.err
    rows[0]["section"] = "Travel"
    again = samestory("index", "add", place, write("again.jsonl", rows))
    assert "0 articles new, 0 revised, 1 with other metadata, 1 unchanged" in again.err
    done = samestory("index", "export", place, "no such")
    assert (done.code, done.out) == (1, "") and "no article has the id 'no such'" in done.err


def test_large_metadata_are_left_out_and_counted(samestory: Runner, write: Writer, tmp_path: Path) -> None:
    rows = [item(str(number), story(number), html="x" * 20_000, section="a") for number in range(30)]
    done = samestory("index", "add", tmp_path / "news.db", write("news.jsonl", rows))
    assert done.code == 0
    assert "news.jsonl:1: unreadable field: left out 'html': more than 10,000 bytes of metadata" in done.err
    assert "… and 10 × unreadable field" in done.err
