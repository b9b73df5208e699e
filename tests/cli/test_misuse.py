"""Misuse: exit 2, one clear line, no traceback, nothing on standard output."""

from __future__ import annotations

import pytest

from tests.conftest import Runner, Writer

ARTICLE = {"id": "a", "text": "The ferry to the island runs again."}

MISUSE = {
    "no command": [],
    "a command that does not exist": ["seek", "news.jsonl"],
    "an option that does not exist": ["find", "news.jsonl", "--fast"],
    "no file": ["find"],
    "a number that is none": ["find", "news.jsonl", "--threads", "many"],
    "a grouping that does not exist": ["find", "news.jsonl", "--grouping", "tree"],
    "a format that does not exist": ["find", "news.jsonl", "--format", "xml"],
    "a decision that is none": ["decide", "file", "maybe", "a", "b"],
    "a detector that does not exist": ["find", "news.jsonl", "-d", "nobody"],
    "a parameter that does not exist": ["find", "news.jsonl", "-d", "reuse(speed=9)"],
    "a parameter out of range": ["relate", "news.jsonl", "-d", "minhash(bands=0)"],
    "a role that does not exist": ["find", "news.jsonl", "--field", "colour=red"],
    "a field without a name": ["find", "news.jsonl", "--field", "text"],
    "an encoding that does not exist": ["find", "news.jsonl", "--encoding", "nonsense"],
    "a negative number of threads": ["find", "news.jsonl", "--threads", "-1"],
    "a negative size": ["find", "news.jsonl", "--largest", "-5"],
    "a smallest size of nothing": ["find", "news.jsonl", "--min-size", "0"],
    "one file twice": ["find", "news.jsonl", "news.jsonl"],
    "one file in two spellings": ["find", "./news.jsonl", "news.jsonl"],
    "one file as new and old": ["find", "news.jsonl", "--against", "../{here}/news.jsonl"],
    "one file under two names": ["relate", "news.jsonl", "link.jsonl"],
    "standard input twice": ["find", "-", "-"],
}


@pytest.mark.parametrize("words", MISUSE.values(), ids=MISUSE.keys())
def test_misuse_is_told_in_a_line_and_exits_with_2(words: list[str], samestory: Runner, write: Writer) -> None:
    """0 done, 1 failed, 2 misused: what a script can rely on to tell bad data from a bad command."""
    news = write("news.jsonl", [ARTICLE])
    news.with_name("link.jsonl").symlink_to(news)
    done = samestory(*(word.format(here=news.parent.name) for word in words))
    assert "Traceback" not in done.err
    assert "samestory" in done.err
    assert (done.code, done.out) == (2, "")


def test_a_file_in_two_spellings_is_told_in_both(samestory: Runner, write: Writer) -> None:
    write("news.jsonl", [ARTICLE])
    assert "./news.jsonl is given twice (as news.jsonl too)" in samestory("find", "news.jsonl", "./news.jsonl").err
    assert samestory("find", "news.jsonl", "news.jsonl").err == "samestory: news.jsonl is given twice\n"


def test_an_output_that_cannot_be_written_fails_with_1(samestory: Runner, write: Writer) -> None:
    path = write("news.jsonl", [ARTICLE])
    done = samestory("find", path, "--relations", "no/such/folder/relations.jsonl")
    assert (done.code, done.out) == (1, "")
    assert "Traceback" not in done.err
    assert "relations.jsonl" in done.err
