"""Line handling: long lines, bad lines reported with file and line, truncated files."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from samestory import Article, InputError, Problem, read
from tests.conftest import Runner, Writer


@pytest.mark.parametrize("size", [2**20 - 40, 2**20, 2**20 + 1, 5 * 2**20])
def test_lines_longer_than_a_block_are_read_whole(size: int, tmp_path: Path) -> None:
    """The reader splits files at line breaks near every MiB."""
    path = tmp_path / "n.jsonl"
    long = {"id": "long", "text": "x" * size}
    rows = [{"id": "a", "text": "before"}, long, {"id": "b", "text": "after"}]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert [(item.id, len(item.text)) for item in read(str(path)) if isinstance(item, Article)] == (
        [("a", 6), ("long", size), ("b", 5)]
    )


def test_problems_come_in_their_places_with_file_and_line(write: Writer) -> None:
    path = write("n.jsonl", [{"id": "a", "text": "one"}, "{", {"id": "a", "text": "two"}, {"id": "b", "text": "three"}])
    items = list(read(str(path)))
    assert [type(item) for item in items] == [Article, Problem, Problem, Article]
    assert str(items[1]).startswith(f"{path}:2: broken line: ")
    assert str(items[2]).startswith(f"{path}:3: duplicate id: ")


@pytest.mark.parametrize("name", ["missing.jsonl", "missing.parquet", "empty"])
def test_a_file_that_cannot_be_opened_is_an_input_error(name: str, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match=name):
        list(read(str(tmp_path / name)))


def test_a_long_id_that_occurs_twice_is_reported_shortly(write: Writer, samestory: Runner) -> None:
    path = write("n.jsonl", (json.dumps({"id": "x" * 100_000, "text": "words"}) + "\n") * 2)
    done = samestory("find", path)
    assert 'xxx…" was read before' in done.err
    assert len(done.err) < 1000
    assert [len(str(item)) < 1000 for item in read(path) if isinstance(item, Problem)] == [True]
