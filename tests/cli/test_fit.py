"""samestory fit, and detectors that weigh words on the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from samestory import Frequencies, find, read
from tests.conftest import DEMO, Runner, Writer

NEWS = DEMO / "news.jsonl"


def test_a_table_is_made_once_and_used_again(samestory: Runner, tmp_path: Path) -> None:
    done = samestory("fit", NEWS, "-o", "news.idf")
    assert done.code == 0
    assert "counted 43 articles" in done.err
    assert Frequencies.load(tmp_path / "news.idf").articles == 43
    by_file = samestory("find", NEWS, "-d", "imatch(idf=news.idf)")
    by_itself = samestory("find", NEWS, "-d", "imatch")
    assert by_file.groups == by_itself.groups
    assert any(len(group) > 1 for group in by_file.groups)


def test_tables_add_up(samestory: Runner, write: Writer, tmp_path: Path) -> None:
    lines = NEWS.read_text("utf-8").splitlines()
    for name, part in (("one", lines[:20]), ("other", lines[20:])):
        write(f"{name}.jsonl", [json.loads(line) for line in part])
    assert samestory("fit", "one.jsonl", "-o", "one.idf").code == 0
    assert samestory("fit", "other.jsonl", "--add", "one.idf", "-o", "both.idf").code == 0
    assert samestory("fit", NEWS, "-o", "all.idf").code == 0
    assert (tmp_path / "both.idf").read_bytes() == (tmp_path / "all.idf").read_bytes()


def test_an_article_that_occurs_twice_is_counted_once_and_reported(
    samestory: Runner, write: Writer, tmp_path: Path
) -> None:
    """The second used to be rejected, as by `find`, but counted."""
    lines = [json.loads(line) for line in NEWS.read_text("utf-8").splitlines()]
    twice = write("twice.jsonl", lines + lines[:5])
    done = samestory("fit", twice, "-o", "twice.idf")
    assert (done.code, done.err.count("was read before")) == (0, 5)
    assert "counted 43 articles" in done.err
    copy = write("copy.jsonl", lines)
    assert samestory("fit", NEWS, copy, "-o", "copy.idf", "--threads", 2).code == 0
    assert samestory("fit", NEWS, "-o", "once.idf").code == 0
    once = Frequencies.load(tmp_path / "once.idf")
    assert Frequencies.load(tmp_path / "twice.idf") == once == Frequencies.load(tmp_path / "copy.idf")
    assert samestory("find", twice, "-d", "codet").groups == samestory("find", NEWS, "-d", "codet").groups
    again = samestory("fit", NEWS, NEWS, "-o", "again.idf")
    assert (again.code, "is specified twice" in again.err) == (2, True)


def test_articles_without_ids_are_counted_each(samestory: Runner, write: Writer) -> None:
    """Their ids are their locations, as in `find`."""
    lines = [{"text": "The harbour council voted."}] * 3
    assert "counted 3 articles" in samestory("fit", write("plain.jsonl", lines), "-o", "plain.idf").err


def test_standard_input_is_read_twice(samestory: Runner) -> None:
    piped = samestory("find", "-", "-d", "codet", stdin=NEWS.read_bytes())
    assert piped.code == 0
    assert piped.groups == samestory("find", NEWS, "-d", "codet").groups


def test_old_articles_count_too(samestory: Runner, write: Writer) -> None:
    lines = [json.loads(line) for line in NEWS.read_text("utf-8").splitlines()]
    done = samestory("find", write("new.jsonl", lines[20:]), "--against", write("old.jsonl", lines[:20]), "-d", "codet")
    assert done.code == 0
    expected = find(lines[20:], detector="codet", against=lines[:20])
    assert done.groups == {frozenset(group.members) for group in expected}


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (["fit", NEWS], 2, "-o: specify the file of the table"),
        (["fit", NEWS, "-o", "x.idf", "--add", "none.idf"], 1, "none.idf"),
        (["fit", "nothing.jsonl", "-o", "x.idf"], 1, "no articles to count"),
        (["find", NEWS, "-d", "codet(idf='none.idf')"], 1, "hint: create one with: samestory fit"),
        (["find", NEWS, "-d", "codett"], 2, "did you mean codet?"),
        (["find", NEWS, "-d", "codet(depth=-1)"], 2, "codet: depth must be in [0, 1000], got -1"),
        (["detectors", "unheard"], 2, "unknown detector 'unheard'\nhint: samestory detectors lists all\n"),
        (["find", NEWS, "-d", "minhahs"], 2, "hint: did you mean minhash? samestory detectors lists all\n"),
    ],
)
def test_invalid_arguments_are_reported(
    words: list[object], code: int, message: str, samestory: Runner, tmp_path: Path
) -> None:
    done = samestory(*words)
    assert done.code == code
    assert message in done.err
    assert not (tmp_path / "x.idf").exists()


def test_a_detector_tells_all_about_itself(samestory: Runner) -> None:
    done = samestory("detectors", "codet")
    assert "depth = 5" in done.out and "DT: most words" in done.out
    assert "Eq. 3.1" in done.out
    (row,) = samestory("detectors", "imatch", "--json").rows
    assert (row["name"], row["aliases"], row["needs_fitting"]) == ("imatch-idf", ["imatch"], True)
    listed = samestory("detectors", "--json").rows
    assert all(set(row["meanings"]) == set(row["parameters"]) and all(row["meanings"].values()) for row in listed)


def test_every_article_read_from_python_is_counted() -> None:
    """The same groups from files and from memory: words are counted alike."""
    articles = [item for item in read(str(NEWS)) if not hasattr(item, "fault")]
    assert [g.members for g in find(articles, detector="imatch") if len(g.members) > 1]


def test_explain_counts_words_in_the_files(samestory: Runner, write: Writer) -> None:
    """Two articles are not enough to estimate word frequencies."""
    done = samestory("explain", "en-harbour-1", "en-harbour-2", NEWS, "-d", "codet", "--json")
    (message,) = done.rows
    assert (message["kind"], message["forward"], message["backward"]) == ("NEAR", 1.0, 1.0)
    assert message["shared"] and message["sentences"][0]["words"] == 5
    lines = [json.loads(line) for line in NEWS.read_text("utf-8").splitlines()]
    one, other = write("one.jsonl", lines[:1]), write("other.jsonl", lines[1:2])
    alone = samestory("explain", one, other, "-d", "codet")
    assert alone.code == 1
    assert "samestory fit" in alone.err


def test_articles_too_short_for_the_method_are_reported(samestory: Runner, write: Writer) -> None:
    lines = [json.loads(line) for line in NEWS.read_text("utf-8").splitlines()]
    short = [{"id": "short", "text": "Nineteen words are too few for this method."}]
    done = samestory("find", write("news.jsonl", lines + short), "-d", "ddd")
    assert "1 article has too little text for this detector" in done.err
