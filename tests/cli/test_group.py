"""samestory group and decide, end to end."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.conftest import DEMO, Runner, Writer

CHAIN = [
    {"left": "a", "right": "b", "kind": "NEAR", "forward": 0.9, "backward": 0.8, "detector": "mine"},
    {"left": "b", "right": "c", "kind": "UPDATE", "forward": 0.7, "backward": 0.6, "detector": "mine"},
    {"left": "d", "right": "c", "kind": "PART_OF", "forward": 0.9, "backward": 0.2, "detector": "mine"},
]


@pytest.mark.parametrize("grouping", ["star", "components"])
def test_relating_and_grouping_is_finding(grouping: str, samestory: Runner, write: Writer) -> None:
    news = DEMO / "news.jsonl"
    relations = write("relations.jsonl", samestory("relate", news).out)
    words = ["--grouping", grouping, "--representative", "earliest"]
    grouped = samestory("group", relations, "--articles", news, *words).rows
    found = samestory("find", news, *words).rows

    def essence(rows: list[dict[str, object]]) -> set[tuple[object, ...]]:
        return {(row["representative"], frozenset(row["members"]), row["kind"]) for row in rows}  # type: ignore[arg-type]

    assert essence(grouped) == essence(found)
    assert len(grouped) == 25


def test_relations_are_read_from_standard_input(samestory: Runner) -> None:
    lines = "".join(json.dumps(row) + "\n" for row in CHAIN).encode()
    done = samestory("group", stdin=lines)
    assert (done.code, done.err) == (0, "")
    assert done.groups == {frozenset("abc"), frozenset("d")}
    assert {row["representative"] for row in done.rows} == {"b", "d"}, "without articles, the one with most relations"


def test_relations_made_elsewhere_can_be_grouped_in_every_way(samestory: Runner, write: Writer) -> None:
    path = write("relations.jsonl", [{k: v for k, v in row.items() if k != "detector"} for row in CHAIN])
    assert samestory("group", path, "--join-parts", "--grouping", "components").groups == {frozenset("abcd")}
    assert samestory("group", path, "--min-size", 2).groups == {frozenset("abc")}


def test_a_relation_line_carries_the_score_that_a_threshold_cuts(samestory: Runner) -> None:
    rows = samestory("relate", DEMO / "news.jsonl", "-d", "minhash(threshold=0.5)").rows
    scores = sorted(row["score"] for row in rows)
    assert 0.5 <= scores[0] < scores[-1] == 1
    cut = scores[len(scores) // 3]
    assert cut > scores[0]
    kept = samestory("relate", DEMO / "news.jsonl", "-d", f"minhash(threshold={cut - 1e-6:.6f})").rows
    assert {(row["left"], row["right"]) for row in kept} == {
        (row["left"], row["right"]) for row in rows if row["score"] >= cut
    }


@pytest.fixture
def news(write: Writer) -> Path:
    story = "The ferry to the island of Sandoy runs again from Monday after 11 days of storm, the master said."
    rows = [{"id": id, "text": story + extra} for id, extra in (("a", ""), ("b", " Tickets cost the same."))]
    return write("news.jsonl", [*rows, {"id": "c", "text": "Something else altogether happened elsewhere."}])


def test_decisions_survive_every_rerun(news: Path, samestory: Runner, write: Writer) -> None:
    assert samestory("find", news).groups == {frozenset("ab"), frozenset("c")}
    assert samestory("decide", "said.jsonl", "apart", "a", "b").code == 0
    assert samestory("decide", "said.jsonl", "same", "b", "c").code == 0
    for _ in range(2):
        done = samestory("find", news, "--decisions", "said.jsonl")
        assert done.groups == {frozenset("a"), frozenset("bc")}
        assert [row.get("forced") for row in done.rows if len(row["members"]) > 1] == [True]
    relations = write("relations.jsonl", samestory("relate", news).out)
    done = samestory("group", relations, "--articles", news, "--decisions", "said.jsonl")
    assert done.groups == {frozenset("a"), frozenset("bc")}


def test_the_last_word_about_a_pair_counts(news: Path, samestory: Runner) -> None:
    samestory("decide", "said.jsonl", "apart", "a", "b")
    assert samestory("decide", "said.jsonl", "same", "b", "a").code == 0
    assert samestory("find", news, "--decisions", "said.jsonl").groups == {frozenset("ab"), frozenset("c")}


def test_a_decision_that_contradicts_earlier_ones_changes_nothing(samestory: Runner, tmp_path: Path) -> None:
    samestory("decide", "said.jsonl", "same", "a", "b")
    samestory("decide", "said.jsonl", "same", "b", "c")
    before = (tmp_path / "said.jsonl").read_bytes()
    done = samestory("decide", "said.jsonl", "apart", "a", "c")
    assert done.code == 1
    assert "a and c" in done.err
    assert (tmp_path / "said.jsonl").read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == ["said.jsonl"]


def test_a_decision_about_one_article_is_rejected(samestory: Runner, tmp_path: Path) -> None:
    assert samestory("decide", "said.jsonl", "same", "a", "a").code == 1
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("command", ["find", "group"])
def test_a_file_of_decisions_that_is_not_there_is_misuse_and_an_empty_one_holds_none(
    command: str, news: Path, samestory: Runner, write: Writer
) -> None:
    """A misspelt id must not undo the other decisions."""
    path = news if command == "find" else write("relations.jsonl", samestory("relate", news).out)
    done = samestory(command, path, "--decisions", "none.jsonl")
    assert (done.code, done.out) == (2, "")
    assert "--decisions: none.jsonl: no such file" in done.err
    assert "samestory decide none.jsonl" in done.err
    write("empty.jsonl", b"")
    assert samestory(command, path, "--decisions", "empty.jsonl").code == 0


@pytest.mark.parametrize("command", ["find", "group"])
def test_decisions_about_articles_that_are_not_there_are_counted(
    command: str, news: Path, samestory: Runner, write: Writer
) -> None:
    path = news if command == "find" else write("relations.jsonl", samestory("relate", news).out)
    said = [("a", "gone", "same"), ("lost", "gone", "apart"), ("a", "b", "same")]
    write("said.jsonl", [{"left": left, "right": right, "decision": decision} for left, right, decision in said])
    done = samestory(command, path, "--decisions", "said.jsonl")
    assert done.code == 0
    assert "2 decisions name an unknown article" in done.err
    assert frozenset("ab") in done.groups


def test_broken_decisions_are_reported(news: Path, samestory: Runner, write: Writer, tmp_path: Path) -> None:
    path = write("said.jsonl", [{"left": "a", "right": "b", "decision": "same"}, {"left": "a"}])
    before = path.read_bytes()
    done = samestory("find", news, "--decisions", path)
    assert (done.code, done.out) == (1, "")
    assert f"{path}:2: " in done.err
    done = samestory("decide", path, "same", "x", "y")
    assert done.code == 1
    assert f"{path}:2: " in done.err, "the message names the file that the user gave"
    assert path.read_bytes() == before
    assert sorted(p.name for p in tmp_path.iterdir()) == ["news.jsonl", "said.jsonl"], "nothing half-written is left"
