"""Bad relation lines, and articles to group: each is reported, and reading continues."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.test_bad_input import RELATION, messages, rejects
from tests.conftest import Runner, Writer


def test_a_flood_of_bad_relations_is_counted(samestory: Runner, write: Writer, tmp_path: Path) -> None:
    path = write("r.jsonl", [RELATION, *["{"] * 1000])
    done = samestory("group", path)
    assert len(messages(done)) == 21
    assert "980 × not a relation" in done.err
    assert "1 relation, 0 articles; 1,000 rejected" in done.err
    samestory("group", path, "--rejects", "rejects.jsonl")
    assert len(rejects(tmp_path / "rejects.jsonl")) == 1000


BAD_RELATIONS = {
    "broken": "{",
    "no object": "[1]",
    "half": '{"left": "a"}',
    "no kind": json.dumps({**RELATION, "kind": "COUSIN"}),
    "the kind of no relation": json.dumps({**RELATION, "kind": "NONE"}),
    "no share": json.dumps({**RELATION, "forward": "much"}),
    "null for a share": json.dumps({**RELATION, "forward": None}),
    "half a character": json.dumps({**RELATION, "left": "\ud800"}),
    "null for an id": json.dumps({**RELATION, "left": None}),
    "an empty id": json.dumps({**RELATION, "right": ""}),
    "white space for an id": json.dumps({**RELATION, "right": " "}),
    "a truth value for an id": json.dumps({**RELATION, "left": True}),
    "an object for an id": json.dumps({**RELATION, "left": {"name": "a"}}),
    "an article and itself": json.dumps({**RELATION, "left": "b"}),
    "a number and itself": json.dumps({**RELATION, "left": 7.0, "right": "7"}),
    "a share above 1": json.dumps({**RELATION, "forward": 1.5}),
    "a share below 0": json.dumps({**RELATION, "forward": -0.1}),
    "a share that is no number": json.dumps({**RELATION, "forward": float("nan")}),
}


@pytest.mark.parametrize("bad", BAD_RELATIONS.values(), ids=BAD_RELATIONS.keys())
def test_a_bad_relation_line_is_reported_with_its_location_and_reading_continues(
    bad: str, samestory: Runner, write: Writer, tmp_path: Path
) -> None:
    path = write("relations.jsonl", [RELATION, bad, {**RELATION, "left": "c", "right": "d"}])
    done = samestory("group", path, "--rejects", "rejects.jsonl")
    assert done.code == 0
    assert done.groups == {frozenset("ab"), frozenset("cd")}
    (message,) = messages(done)
    assert message.startswith(f"samestory: {path}:2: not a relation: ")
    assert "2 relations, 0 articles; 1 rejected" in done.err
    assert [row["line"] for row in rejects(tmp_path / "rejects.jsonl")] == [2]
    done = samestory("group", path, "--strict")
    assert (done.code, done.out) == (1, "")
    assert f"{path}:2: not a relation" in done.err
    done = samestory("group", write("only.jsonl", [bad]))
    assert (done.code, done.out) == (1, "")
    assert "nothing to group" in done.err


def test_articles_to_group_may_have_other_names_and_bad_ones_are_reported(
    samestory: Runner, write: Writer, tmp_path: Path
) -> None:
    relations = write("relations.jsonl", [RELATION])
    one = write("one.dat", "Nr,Meldung\na,short\nb,longer than that\n,\nc,alone\n")
    two = write("two.dat", "Nr,Meldung\na,again\nd,yağış\n".encode("windows-1254"))
    words = ["--format", "csv", "--field", "id=Nr", "--field", "text=Meldung", "--encoding", "windows-1254"]
    done = samestory("group", relations, "--articles", one, "--articles", two, "--articles", "no.dat", *words)
    assert done.code == 1
    assert done.groups == {frozenset("ab"), frozenset("c"), frozenset("d")}
    assert {row["representative"] for row in done.rows} == {"b", "c", "d"}
    assert f"samestory: {one}:4: no text" in done.err
    assert f'samestory: {two}:2: duplicate id: the id "a" was read before' in done.err
    assert "samestory: no.dat: unreadable: no such file" in done.err
    assert "1 relation, 4 articles; 2 rejected" in done.err
    assert samestory("group", relations, "--articles", one, *words, "--strict").code == 1
