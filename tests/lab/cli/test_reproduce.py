"""samestory reproduce: experiments by name from the command line."""

from __future__ import annotations

import json

import pytest

from samestory.lab.experiments import EXPERIMENTS
from tests.conftest import Runner, Writer
from tests.lab.experiments.news import containments, docs, groups


def test_the_list_shows_every_experiment_and_what_is_missing(samestory: Runner) -> None:
    done = samestory("reproduce", "--list")
    assert (done.code, done.err) == (0, "")
    lines = done.out.splitlines()[1:]
    assert [line.split()[0] for line in lines] == list(EXPERIMENTS)
    for line, found in zip(lines, EXPERIMENTS.values(), strict=True):
        assert all(part in line for part in (found.title, found.source, found.key, found.state))


def test_the_list_as_json_holds_the_published_values(samestory: Runner) -> None:
    rows = samestory("reproduce", "--list", "--json").rows
    assert [row["experiment"] for row in rows] == list(EXPERIMENTS)
    codet = next(row for row in rows if row["experiment"] == "V1")
    assert (codet["runs"], codet["missing"]) == (True, [])
    assert codet["published"][1] == {"what": "first five letters, F1", "value": 0.76, "unit": "share", "erratum": ""}


def test_a_table_is_computed_again_without_any_articles(samestory: Runner) -> None:
    done = samestory("reproduce", "u4")
    assert done.code == 0
    assert done.out.splitlines()[0].split() == ["published", "measured", "from", "note"]
    (line,) = [line for line in done.out.splitlines() if line.startswith("B, F1 ")]
    assert line.split()[2:5] == ["7.35e-05", "7.342e-05", "table"]
    assert "no article was read" in done.err


def test_containments(samestory: Runner, write: Writer) -> None:
    news, gold = write("news.jsonl", docs()), write("gold.jsonl", containments())
    done = samestory("reproduce", "V8", "--docs", news, "--gold", gold, "--rounds", "50")
    assert done.code == 0
    (line,) = [line for line in done.out.splitlines() if line.startswith("FFP, F1 ")]
    assert line.split()[2:4] == ["0.85", "1.0000"]
    (line,) = [line for line in done.out.splitlines() if line.startswith("exact(), recall ")]
    assert line.split()[2:4] == ["–", "0.0000"]
    assert "are not public" in done.err
    assert "not implemented yet" not in done.err
    assert "\x1b" not in done.err + done.out


def test_json_lines(samestory: Runner, write: Writer) -> None:
    news, gold = write("news.jsonl", docs()), write("gold.jsonl", groups("near"))
    words = ["--docs", news, "--gold", gold, "--split", "category", "-d", "exact", "--json"]
    done = samestory("reproduce", "U2", *words)
    assert (done.code, done.err) == (0, "")
    head, *rows = done.rows
    assert (head["experiment"], head["source"]) == ("U2", "Uyar 2009, test collection A")
    assert any("are not public" in note for note in head["notes"])
    assert {row["from"] for row in rows} == {"table", "yours"}
    (mean,) = [row for row in rows if row["what"] == "exact(), F1"]
    assert mean == {
        "what": "exact(), F1",
        "published": None,
        "measured": pytest.approx(2 / 3),
        "low": pytest.approx(2 / 3),
        "high": pytest.approx(2 / 3),
        "from": "yours",
        "note": "mean of 3 sets",
    }


def test_what_is_not_used_is_reported(samestory: Runner, write: Writer) -> None:
    done = samestory("reproduce", "V10", "--docs", write("news.jsonl", docs()), "--split", "day")
    assert done.code == 0
    assert "--docs is not used by V10" in done.err
    assert "--split is not used by V10" in done.err


def test_an_unknown_name_is_answered_with_the_names(samestory: Runner) -> None:
    done = samestory("reproduce", "Z9")
    assert (done.code, done.out) == (2, "")
    assert "unknown experiment 'Z9'; available: U1, U2" in done.err


def test_no_name_is_misuse(samestory: Runner) -> None:
    done = samestory("reproduce")
    assert (done.code, done.out) == (2, "")
    assert "--list" in done.err


def test_what_an_experiment_needs_is_said(samestory: Runner, write: Writer) -> None:
    done = samestory("reproduce", "V8")
    assert (done.code, done.out) == (2, "")
    assert "V8 needs --docs and --gold (judged pairs of contains); not given: --docs, --gold" in done.err
    done = samestory("reproduce", "V8", "--docs", write("news.jsonl", docs()))
    assert (done.code, done.out) == (2, "")
    assert "not given: --gold" in done.err
    done = samestory("reproduce", "C5", "--docs", write("news.jsonl", docs()))
    assert (done.code, done.out) == (2, "")
    assert "C5 needs --docs and --gold (judged pairs of any relation) or neither; not given: --gold" in done.err


def test_gold_of_another_relation_is_misuse(samestory: Runner, write: Writer) -> None:
    news, gold = write("news.jsonl", docs()), write("gold.jsonl", groups("near"))
    done = samestory("reproduce", "F1", "--docs", news, "--gold", gold)
    assert (done.code, done.out) == (2, "")
    assert "hint: if its judgements are about semantic, add --relation semantic" in done.err


def test_a_detector_that_does_not_exist_is_misuse_before_anything_runs(samestory: Runner, write: Writer) -> None:
    news, gold = write("news.jsonl", docs()), write("gold.jsonl", groups("near"))
    done = samestory("reproduce", "U2", "--docs", news, "--gold", gold, "-d", "absent")
    assert (done.code, done.out) == (2, "")
    assert "unknown detector 'absent'" in done.err


def test_the_data_of_the_rows_is_plain_json(samestory: Runner) -> None:
    """NaN is not valid JSON."""
    for name in ("U4", "C1", "F3", "X1"):
        for line in samestory("reproduce", name, "--json").out.splitlines():
            json.loads(line, parse_constant=lambda word: pytest.fail(word))
