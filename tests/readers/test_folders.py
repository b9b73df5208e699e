"""Folders of text files and single text files: one article per file, and a problem for each failure."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from samestory import Article, Problem, read
from tests.conftest import Runner, Writer


def test_a_folder_gives_an_article_for_every_text_file(write: Writer, tmp_path: Path, samestory: Runner) -> None:
    write("news/one.txt", "The ferry runs again.")
    write("news/deep/er/two.TXT", b"\xef\xbb\xbfThe bridge is closed.")
    write("news/notes.md", "not an article")
    write("news/.hidden", "hidden news")
    taken = list(read(str(tmp_path / "news")))
    articles = [item for item in taken if isinstance(item, Article)]
    assert [str(item) for item in taken if not isinstance(item, Article)] == [
        f"{tmp_path}/news/notes.md: not a text: only *.txt files are read"
    ]
    assert articles == [
        Article(f"{tmp_path}/news/deep/er/two.TXT", "The bridge is closed."),
        Article(f"{tmp_path}/news/one.txt", "The ferry runs again."),
    ]
    assert samestory("find", "news").members == ["news/deep/er/two.TXT", "news/one.txt"]
    done = samestory("find", "news/")
    assert done.members == ["news/deep/er/two.TXT", "news/one.txt"]
    assert "1 rejected" in done.err


def test_files_of_one_name_in_two_folders_are_two_articles(write: Writer, samestory: Runner) -> None:
    bridge = "The old bridge over the river is closed for repairs until the end of May, the town said."
    write("day1/1.txt", bridge)
    write("day2/1.txt", "Shares fell on Monday after the central bank raised its key rate once more.")
    write("day2/2.txt", bridge)
    done = samestory("find", "day1", "day2")
    assert (done.code, sorted(done.members)) == (0, ["day1/1.txt", "day2/1.txt", "day2/2.txt"])
    done = samestory("relate", "day2", "--against", "day1")
    (relation,) = map(json.loads, done.out.splitlines())
    assert (relation["left"], relation["right"], relation["kind"]) == ("day2/2.txt", "day1/1.txt", "IDENTICAL")
    assert sorted(samestory("find", "day1/1.txt", "day2/1.txt").members) == ["day1/1.txt", "day2/1.txt"]


def test_a_text_file_is_an_article(write: Writer) -> None:
    path = write("one.txt", "The ferry\nruns again.")
    assert list(read(path)) == [Article(str(path), "The ferry\nruns again.")]


def test_any_file_can_be_read_as_text_when_asked(write: Writer, samestory: Runner) -> None:
    path = write("note.md", "The ferry\nruns again.")
    done = samestory("find", path, "--format", "text")
    assert (done.code, done.members) == (0, [str(path)])


def test_problems_of_a_folder_name_the_very_file(tmp_path: Path, samestory: Runner) -> None:
    folder = tmp_path / "folder"
    (folder / "deep").mkdir(parents=True)
    (folder / "a.txt").write_text("words")
    (folder / "deep" / "b.TXT").write_text("")
    (folder / "c.txt").write_bytes(b"\xff")
    (folder / os.fsdecode(b"\xe9.txt")).write_text("more")
    other = tmp_path / "other"
    other.mkdir()
    (other / "a.txt").write_text("again")
    done = samestory("find", folder, other, "--rejects", "rejects.jsonl")
    assert sorted(done.members) == [f"{folder}/\\xe9.txt", f"{folder}/a.txt", f"{other}/a.txt"]
    assert f"samestory: {folder}/c.txt: wrong encoding: not UTF-8" in done.err
    assert f"samestory: {folder}/deep/b.TXT: empty text: the text is empty" in done.err
    rows = [json.loads(line) for line in (tmp_path / "rejects.jsonl").read_text().splitlines()]
    assert [row["line"] for row in rows] == [0, 0]
    problems = [str(item) for item in read(folder) if isinstance(item, Problem)]
    assert [problem.split(": ")[:2] for problem in problems] == [
        [f"{folder}/c.txt", "wrong encoding"],
        [f"{folder}/deep/b.TXT", "empty text"],
    ]


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_folder_below_that_is_closed_is_reported_and_the_others_are_read(tmp_path: Path, samestory: Runner) -> None:
    folder = tmp_path / "folder"
    for below in ("closed", "open"):
        (folder / below).mkdir(parents=True)
        (folder / below / "a.txt").write_text(f"words in {below}")
    (folder / "closed").chmod(0)
    try:
        done = samestory("find", folder)
    finally:
        (folder / "closed").chmod(0o700)
    assert done.members == [f"{folder}/open/a.txt"]
    assert f"samestory: {folder}/closed: unreadable: may not be read" in done.err
    assert "1 rejected" in done.err


def test_a_text_comes_from_standard_input_when_asked(samestory: Runner) -> None:
    done = samestory("find", "-", "--format", "text", stdin="Yağış sürüyor.".encode())
    assert (done.code, done.members) == (0, ["-"])
    done = samestory("find", "-", "--format", "text", stdin="Yağış".encode("windows-1254"))
    assert done.code == 1
    assert "samestory: -: wrong encoding" in done.err
    done = samestory(
        "find", "-", "--format", "text", "--encoding", "windows-1254", stdin="Yağış".encode("windows-1254")
    )
    assert done.code == 0
