"""Harmful input and paths: nothing is overwritten, no terminal is controlled, no process crashes."""

from __future__ import annotations

import json
from pathlib import Path

from samestory import Decisions
from tests.conftest import Runner, Writer

NEWS = [
    {"id": "a", "text": "The bridge over the river reopened on Monday after six months of repairs."},
    {"id": "b", "text": "The bridge over the river reopened on Monday after six months of repairs."},
]


def test_a_line_nested_without_end_is_one_broken_line(samestory: Runner, write: Writer) -> None:
    deep = '{"id":"x","text":"t","x":' + "[" * 50_000 + "]" * 50_000 + "}"
    path = write("deep.jsonl", (deep + "\n" + "\n".join(map(json.dumps, NEWS)) + "\n").encode())
    done = samestory("find", path)
    assert done.code == 0
    assert f"{path}:1: broken line: nested more than" in done.err
    assert done.members == ["a", "b"]


def test_an_output_never_replaces_an_input(samestory: Runner, write: Writer) -> None:
    path = write("news.jsonl", NEWS)
    before = Path(path).read_bytes()
    for option in ("--relations", "--rejects", "--stages"):
        done = samestory("find", path, option, path)
        assert (done.code, done.out) == (2, "")
        assert "is one of the inputs" in done.err
    assert Path(path).read_bytes() == before


def test_a_device_stays_a_device(samestory: Runner, write: Writer) -> None:
    assert samestory("find", write("news.jsonl", NEWS), "--relations", "/dev/null").code == 0
    assert Path("/dev/null").is_char_device()


def test_escapes_in_ids_titles_and_texts_do_not_reach_the_terminal(samestory: Runner, write: Writer) -> None:
    rows = [{**row, "title": "\x1b]0;x\x07\r"} for row in NEWS]
    rows[0]["text"] += " \x1b[31m\rmoved"
    path = write("news.jsonl", [*rows, {"id": "\x1b[1m"}, rows[0]])
    table = samestory("find", path, "--table")
    assert table.code == 0 and "\\x1b]0;" in table.out
    shown = samestory("explain", rows[0]["id"], rows[1]["id"], path)
    assert shown.code == 0 and "\\x1b" in shown.out and "\\x0dmoved" in shown.out
    assert not any("\x1b" in text or "\r" in text for text in (table.out, table.err, shown.out, shown.err))


def test_the_weakest_link_of_an_update_names_the_new_version_first(samestory: Runner, write: Writer) -> None:
    text = "The bridge over the river reopened on Monday after six months of repairs, the council of the town said."
    old = {"id": "old", "text": text, "source": "Post", "date": "2026-01-01T08:00:00Z"}
    new = {"id": "new", "text": text + " Buses run again.", "source": "Post", "date": "2026-01-01T12:00:00Z"}
    for policy in ("longest", "earliest", "latest"):
        (row,) = samestory("find", write("n.jsonl", [old, new]), "--representative", policy).rows
        assert (row["kind"], row["weakest"]["left"]) == ("UPDATE", "new")


def test_ids_with_any_line_end_of_unicode_are_decided_about(tmp_path: Path) -> None:
    path = tmp_path / "said.jsonl"
    Decisions.append(path, "a\u2028b", "c\x85d", "apart")
    assert Decisions.load(path).apart == (("a\u2028b", "c\x85d"),)
    assert list(tmp_path.iterdir()) == [path]


def test_bytes_that_are_wrong_in_the_named_encoding_are_reported_with_their_line(
    samestory: Runner, write: Writer
) -> None:
    good = json.dumps(NEWS[0]).encode()
    path = write("news.jsonl", good + b"\n" + b'{"id":"x","text":"\xff\xfe"}\n')
    done = samestory("find", path, "--encoding", "utf-8")
    assert (done.code, done.members) == (0, ["a"])
    assert f"{path}:2: wrong encoding" in done.err
