"""Misuse: exit 2, one clear line, no traceback, nothing on standard output."""

from __future__ import annotations

from pathlib import Path

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
    "a detector that does not exist": ["find", "news.jsonl", "-d", "absent"],
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
    "a detector of copies for events": ["find", "news.jsonl", "--events", "-d", "reuse"],
    "a distance in a space without distances": ["find", "news.jsonl", "-d", "semshort(r=3)"],
    "words of no item": ["find", "news.jsonl", "-d", "semshort(max_df=0)"],
    "a space without components": ["find", "news.jsonl", "-d", "semshort(m=0)"],
    "a word for a number": ["find", "news.jsonl", "-d", "event(days='x')"],
    "a model that is nowhere": ["find", "news.jsonl", "-d", "vectors(model='model2vec:/nope')"],
    "trees that are nowhere": ["find", "news.jsonl", "-d", "fusion(trees='/nope')"],
}


@pytest.mark.parametrize("words", MISUSE.values(), ids=MISUSE.keys())
def test_misuse_is_reported_in_a_line_and_exits_with_2(words: list[str], samestory: Runner, write: Writer) -> None:
    """Exit codes 0 done, 1 failed, 2 misused let a script distinguish bad data from a bad command."""
    news = write("news.jsonl", [ARTICLE])
    news.with_name("link.jsonl").symlink_to(news)
    done = samestory(*(word.format(here=news.parent.name) for word in words))
    assert "Traceback" not in done.err
    assert "samestory" in done.err
    assert (done.code, done.out) == (2, "")


def test_a_file_in_two_spellings_is_reported_in_both(samestory: Runner, write: Writer) -> None:
    write("news.jsonl", [ARTICLE])
    assert "./news.jsonl is specified twice (also as news.jsonl)" in samestory("find", "news.jsonl", "./news.jsonl").err
    assert samestory("find", "news.jsonl", "news.jsonl").err == "samestory: news.jsonl is specified twice\n"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--events", "-d", "reuse"], "--events: expected an event detector, got reuse\nhint: leave out -d"),
        (["-d", "event(days='x')"], "event: days must be a whole number in [0, 1000000], got 'x'"),
        (["-d", "event(threshold='x')"], "event: threshold must be a number in [0, 1], got 'x'"),
        (["-d", "semshort(r=3)"], "semshort: r must be 0 in the space 'cosine', where the threshold alone decides"),
        (["-d", "semshort(m=0)"], "semshort: m must be above 0 and at most 1, got 0"),
        (["-d", "semshort(max_df=0)"], "semshort: max_df must be above 0 and at most 1, got 0"),
        (["-d", "vectors(model='model2vec:/nope')"], "vectors: model: no folder /nope\nhint: specify the folder"),
        (["-d", "fusion(trees='/nope')"], "fusion: trees: no such file: /nope\nhint: learn them"),
    ],
)
def test_invalid_arguments_are_reported_with_what_is_wanted(
    words: list[str], message: str, samestory: Runner, write: Writer
) -> None:
    """Some were accepted silently, and some failed late, while reading the input."""
    done = samestory("find", write("news.jsonl", [ARTICLE, "no JSON"]), *words)
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith(f"samestory: {message}")


def test_a_detector_of_events_goes_with_events(samestory: Runner, write: Writer) -> None:
    news = write("news.jsonl", [ARTICLE])
    for spec in ("event(days=3)", "semshort", "fusion(model=letters)", "exhaustive(inner='event()')"):
        done = samestory("find", news, "--events", "-d", spec)
        assert (done.code, done.members) == (0, ["a"]), done.err


def test_what_a_model_lacks_is_reported_before_the_news_is_read(
    samestory: Runner, write: Writer, tmp_path: Path
) -> None:
    """The bad line of the input would be reported first if it had been read."""
    (tmp_path / "empty").mkdir()
    trees = write("trees.txt", "en 1\n")
    news = write("news.jsonl", [ARTICLE, "no JSON"])
    for spec, message in [
        (f"fusion(model=letters, trees={str(trees)!r})", "fusion: expected trees for other, en, tr, ru"),
        (f"vectors(model='model2vec:{tmp_path / 'empty'}')", "cannot load the model model2vec:"),
    ]:
        for command in ("find", "relate"):
            done = samestory(command, news, "-d", spec)
            assert (done.code, done.out) == (1, "")
            assert done.err.startswith(f"samestory: {message}"), done.err


@pytest.mark.parametrize("detector", ["reuse", "semshort"])
def test_quiet_prints_errors_and_counts_only(detector: str, samestory: Runner, write: Writer, tmp_path: Path) -> None:
    """--quiet used to print a message for every bad line."""
    rows = [ARTICLE, "no JSON", {"id": "b", "text": ""}, ARTICLE | {"id": "c", "date": "once"}]
    news = write("news.jsonl", rows)
    words = ["find", news, "-d", detector, "--quiet"]
    done = samestory(*words, "--rejects", "rejects.jsonl")
    assert (done.code, done.members) == (0, ["a", "c"])
    assert done.err == "samestory: 2 records rejected: 1 × broken line, 1 × empty text\n"
    assert len((tmp_path / "rejects.jsonl").read_text().splitlines()) == 3
    strict = samestory(*words, "--strict")
    assert strict.code == 1
    assert "news.jsonl:2: broken line" in strict.err and "stopped at the first bad input" in strict.err
    none = samestory("find", write("none.jsonl", ["no JSON"]), "-d", detector, "--quiet")
    assert none.code == 1
    assert none.err == "samestory: 1 record rejected: 1 × broken line\nsamestory: no articles\n"


def test_an_output_that_cannot_be_written_fails_with_1(samestory: Runner, write: Writer) -> None:
    path = write("news.jsonl", [ARTICLE])
    done = samestory("find", path, "--relations", "no/such/folder/relations.jsonl")
    assert (done.code, done.out) == (1, "")
    assert "Traceback" not in done.err
    assert "relations.jsonl" in done.err
