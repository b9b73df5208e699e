"""samestory find, end to end."""

from __future__ import annotations

import json
import os
import re
import subprocess
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from samestory import Article, GroupingOptions, find, read, relate
from tests.conftest import DEMO, PATIENCE, Runner, Writer, command, environment

STORY = "The ferry to the island of Sandoy runs again from Monday after 11 days of storm, the harbour master said."
OTHER = "Court upholds the sentence of a baker who sold the same cake twice to two different weddings in one day."
NEWS = [
    {"id": "a", "title": "Ferry [runs] again", "text": STORY},
    {"id": "b", "title": "Ferry back", "text": STORY.upper()},
    {"id": "c", "title": "Cake", "text": OTHER},
    {"id": "d", "title": "Ferry, longer", "text": f"{STORY} Tickets cost the same."},
]


def demo() -> list[Article]:
    return [item for item in read(str(DEMO / "news.jsonl")) if isinstance(item, Article)]


def test_groups_come_out_as_json_lines(samestory: Runner, write: Writer) -> None:
    done = samestory("find", write("news.jsonl", NEWS))
    assert done.code == 0
    assert [row["group"] for row in done.rows] == [1, 2]
    by_size = sorted(done.rows, key=lambda row: -len(row["members"]))
    assert by_size[0]["representative"] == "d"
    assert sorted(by_size[0]["members"]) == ["a", "b", "d"]
    assert by_size[0]["kind"] == "NEAR"
    assert set(by_size[0]["weakest"]) == {"left", "right", "forward", "backward"}
    assert by_size[1] | {"group": 0} == {
        "group": 0,
        "representative": "c",
        "members": ["c"],
        "weakest": None,
        "kind": None,
        "nearest": None,
    }


@pytest.mark.parametrize("grouping", ["star", "components"])
@pytest.mark.parametrize("policy", ["longest", "earliest", "latest"])
def test_the_command_and_the_library_find_the_same(grouping: str, policy: str, samestory: Runner) -> None:
    done = samestory("find", DEMO / "news.jsonl", "--grouping", grouping, "--representative", policy, "--join-parts")
    groups = find(demo(), grouping=GroupingOptions(grouping, policy, join_parts=True))
    assert done.rows == [group.to_dict(number) for number, group in enumerate(groups, 1)]


def test_relations_are_written_beside_the_groups(samestory: Runner, tmp_path: Path) -> None:
    done = samestory("find", DEMO / "news.jsonl", "--relations", "relations.jsonl")
    written = [json.loads(line) for line in (tmp_path / "relations.jsonl").read_text().splitlines()]
    assert written == [r.to_dict() for r in relate(demo())]
    assert done.rows == samestory("find", DEMO / "news.jsonl").rows
    assert f"{len(written)} relations" in done.err
    assert sorted(path.name for path in tmp_path.iterdir()) == ["relations.jsonl"]


def test_new_articles_are_related_to_old_ones_and_to_each_other(
    samestory: Runner, write: Writer, tmp_path: Path
) -> None:
    old = write("old.jsonl", [NEWS[0], {"id": "e", "text": STORY}, NEWS[2]])
    new = write("new.jsonl", [NEWS[1], NEWS[3]])
    done = samestory("find", new, "--against", old, "--relations", "relations.jsonl")
    pairs = {
        frozenset((row["left"], row["right"]))
        for row in map(json.loads, (tmp_path / "relations.jsonl").read_text().splitlines())
    }
    assert frozenset("ae") not in pairs
    assert pairs == {frozenset(pair) for pair in ("ab", "be", "ad", "de", "bd")}
    assert done.groups == {frozenset("abde")}


@pytest.mark.parametrize("ending", ["jsonl", "parquet"])
def test_a_new_article_replaces_an_old_one_with_its_id(
    ending: str, samestory: Runner, write: Writer, tmp_path: Path
) -> None:
    """A repeated article is a new version, on the command line and in Python."""
    old = [{"id": f"o{n}", "text": f"{OTHER} {n}"} for n in range(5)] + [{"id": "a", "text": OTHER}, NEWS[1]]
    new = [{"id": "a", "text": STORY}, {"id": "o3", "text": f"{STORY} Tickets cost the same."}]
    path = write("new.jsonl", new)
    if ending == "parquet":
        path = tmp_path / "new.parquet"
        pq.write_table(pa.Table.from_pylist(new), path)
    for strict in ([], ["--strict"]):
        done = samestory("find", path, "--against", write("old.jsonl", old), "--relations", "r.jsonl", *strict)
        assert done.code == 0
        assert done.groups == {frozenset(("a", "b", "o3"))}
        assert done.groups == {frozenset(group.members) for group in find(new, against=old)}
        written = [json.loads(line) for line in (tmp_path / "r.jsonl").read_text().splitlines()]
        assert written == [relation.to_dict() for relation in relate(new, against=old)]
        assert "9 records, 2 articles against 5 old ones (2 more replaced by new versions)" in done.err
        assert "refused" not in done.err
    twice = write("twice.jsonl", [*new, {"id": "a", "text": "Elsewhere."}])
    done = samestory("find", twice, "--against", write("old.jsonl", old))
    assert f"{twice}:3: duplicate id" in done.err


def test_only_groups_of_some_size_when_asked(samestory: Runner, write: Writer) -> None:
    done = samestory("find", write("news.jsonl", NEWS), "--min-size", 2)
    assert done.groups == {frozenset("abd")}
    assert [row["group"] for row in done.rows] == [1]
    assert "1 group contains 3 articles; 1 ungrouped" in done.err


def test_a_preferred_source_stands_for_its_groups(samestory: Runner, write: Writer) -> None:
    path = write("news.jsonl", [{**row, "source": name} for row, name in zip(NEWS, ("P", "Q", "R", "S"), strict=True)])
    for words, expected in ((["--prefer", "q"], "b"), (["--prefer", "absent", "--prefer", "P"], "a"), ([], "d")):
        rows = samestory("find", path, "--min-size", 2, *words).rows
        assert [row["representative"] for row in rows] == [expected]


def test_the_detector_can_be_chosen(samestory: Runner, write: Writer) -> None:
    path = write("news.jsonl", NEWS)
    assert samestory("find", path, "-d", "exact").groups == {frozenset("ab"), frozenset("c"), frozenset("d")}
    assert samestory("find", path, "-d", "minhash(threshold=0.5)").groups == {frozenset("abd"), frozenset("c")}


def test_a_table_shows_groups_titles_and_representatives(samestory: Runner, write: Writer) -> None:
    done = samestory("find", write("news.jsonl", NEWS), "--table")
    assert done.code == 0
    assert re.search(r"\* d  Ferry, longer", done.out)
    assert "a  Ferry [runs] again" in done.out
    assert "NEAR" in done.out
    assert "Cake" not in done.out, "loners stand in no group"
    assert "\x1b" not in done.out, "no colours in a pipe"


def test_any_number_of_threads_gives_the_same_bytes(samestory: Runner) -> None:
    results = {samestory("find", DEMO / "news.jsonl", "--threads", threads).out for threads in (1, 2, 5)}
    assert len(results) == 1


def test_in_a_pipe_there_is_nothing_on_stderr_but_the_summary(samestory: Runner, write: Writer) -> None:
    path = write("news.jsonl", NEWS)
    done = samestory("find", path)
    assert re.fullmatch(
        r"4 records, 4 articles in \d+\.\d\d s\n1 group contains 3 articles; 1 ungrouped\n\d+ pairs compared\n"
        r"no dates: any two of 4 articles could be related; [^\n]+\n",
        done.err,
    )
    assert samestory("find", path, "--quiet").err == ""
    assert samestory("find", path, "--quiet").rows == done.rows


def test_siblings_of_a_form_are_counted_in_the_summary(samestory: Runner) -> None:
    assert re.search(r"[1-9]\d* of them from one template with other facts", samestory("find", DEMO / "news.jsonl").err)


def test_text_in_too_many_articles_is_reported_with_a_hint(samestory: Runner, write: Writer) -> None:
    """Of a story with more copies than the ceiling a sample makes candidates; the hint says so."""
    path = write("news.jsonl", [{"id": f"n{n}", "text": f"{STORY} Word{n} of the editor."} for n in range(12)])
    plain = samestory("find", path)
    assert len(plain.groups) == 1
    assert "hint" not in plain.err
    low = samestory("find", path, "-d", "reuse(copy=0.5, ceiling=5)")
    assert low.groups == plain.groups
    (hint,) = [line for line in low.err.splitlines() if line.startswith("hint: ")]
    assert re.fullmatch(
        r"hint: \d+ keys occur in more than 5 articles each, of which a sample was used for candidates; "
        r"reuse\(ceiling=0, copy=0\.5\) uses all",
        hint,
    )
    wider = hint.split("; ")[1].removesuffix(" uses all")
    assert len(samestory("find", path, "-d", wider).groups) == 1
    assert "hint: " in samestory("relate", path, "-d", "reuse(ceiling=5)").err


def test_stages_are_written_as_json(samestory: Runner, tmp_path: Path) -> None:
    samestory("find", DEMO / "news.jsonl", "--stages", "stages.json")
    stages = json.loads((tmp_path / "stages.json").read_text())
    assert {"read", "candidates", "group", "write"} <= set(stages)
    assert all(isinstance(seconds, float) and seconds >= 0 for seconds in stages.values())


def test_ids_and_texts_in_any_script_survive_as_they_are(samestory: Runner, write: Writer) -> None:
    ids = ["ş ğ", "статья/1", 'with "quotes" \\ and tab', "東京 \U0001f600"]
    path = write("news.jsonl", [{"id": id, "text": f"{STORY} {n}"} for n, id in enumerate(ids)])
    assert samestory("find", path).members == sorted(ids)


@pytest.mark.parametrize("wanted", [True, False])
def test_progress_is_shown_on_a_terminal_only_and_not_when_quiet(wanted: bool, write: Writer) -> None:
    pty = pytest.importorskip("pty")
    path = write("news.jsonl", NEWS)
    terminal, other = pty.openpty()
    words = ["find", path, "--relations", path.with_name("r.jsonl")] + ([] if wanted else ["--quiet"])
    done = subprocess.run(
        command(*words),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=other,
        env=environment(TERM="xterm"),
        timeout=PATIENCE,
        check=False,
    )
    os.close(other)
    shown = b""
    try:
        while piece := os.read(terminal, 65536):
            shown += piece
    except OSError:
        pass  # the other end of the terminal is closed
    os.close(terminal)
    assert done.returncode == 0
    for stage in (b"reading", b"finding candidates", b"comparing", b"grouping"):
        assert (stage in shown) is wanted
    assert len(done.stdout.splitlines()) == 2
