"""The demo: every pair of demo/expected.jsonl as it should be, and nothing else."""

from __future__ import annotations

import itertools
import json
import shlex
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path

from samestory import Article, Index, Reuse, explain, find, prepare, read, relate
from samestory.archive import Archive
from tests.conftest import DEMO, PATIENCE, Runner, environment

EXPECTED = [json.loads(line) for line in (DEMO / "expected.jsonl").read_text(encoding="utf-8").splitlines()]
FOUND = {"IDENTICAL", "NEAR", "PART_OF", "UPDATE"}
DIRECTED = {"PART_OF", "UPDATE"}


def news() -> list[Article]:
    return [item for item in read(str(DEMO / "news.jsonl")) if isinstance(item, Article)]


def ordered(left: str, right: str, kind: str) -> tuple[str, str, str]:
    """A pair in the order that means something, or in any one order."""
    return (left, right, kind) if kind in DIRECTED or left < right else (right, left, kind)


def expected() -> set[tuple[str, str, str]]:
    return {ordered(row["left"], row["right"], row["kind"]) for row in EXPECTED if row["kind"] in FOUND}


def test_the_expected_file_names_articles_that_exist_and_kinds_of_every_sort() -> None:
    ids = {article.id for article in news()}
    assert len(ids) == 43
    assert ids.issuperset(row[side] for row in EXPECTED for side in ("left", "right"))
    assert {row["kind"] for row in EXPECTED} == FOUND | {"FORM", "NONE"}


def test_every_expected_relation_is_found_and_nothing_else() -> None:
    assert {ordered(r.left, r.right, str(r.kind)) for r in relate(news())} == expected()


def test_the_command_says_the_same(samestory: Runner) -> None:
    done = samestory("relate", DEMO / "news.jsonl")
    assert {ordered(row["left"], row["right"], row["kind"]) for row in done.rows} == expected()
    assert set(done.rows[0]) == {"left", "right", "kind", "forward", "backward", "score", "detector"}
    assert done.code == 0


def test_streaming_the_demo_finds_the_same() -> None:
    index = Index(Reuse())
    found = [r for article in news() for r in index.add(prepare([article]))]
    assert {ordered(r.left, r.right, str(r.kind)) for r in found} == expected()


def test_the_groups_are_the_families_of_copies_edits_and_updates() -> None:
    joined = {frozenset((row["left"], row["right"])) for row in EXPECTED if row["kind"] in FOUND}
    for group in find(news()):
        pairs = [frozenset(pair) for pair in itertools.combinations(group.members, 2)]
        assert set(pairs) <= joined
    grouped = Counter(len(group.members) for group in find(news()))
    assert grouped == {5: 3, 2: 6, 1: 43 - 15 - 12}


def test_siblings_of_one_template_are_kept_apart_and_the_reason_is_given() -> None:
    siblings = [row for row in EXPECTED if row["kind"] == "FORM"]
    by_id = {article.id: article for article in news()}
    whys = {explain(by_id[row["left"]], by_id[row["right"]]).why for row in siblings}
    assert whys <= {"same template, other facts", "same template, other figures"}
    assert siblings


def test_the_demo_is_short_and_its_next_commands_work_as_printed(tmp_path: Path) -> None:
    shutil.copytree(DEMO, tmp_path / "demo")
    done = subprocess.run(
        [sys.executable, "demo/run.py"],
        capture_output=True,
        cwd=tmp_path,
        env=environment(),
        timeout=PATIENCE,
        check=False,
    )
    out = done.stdout.decode()
    assert done.returncode == 0, done.stderr.decode()
    assert len((out + done.stderr.decode()).splitlines()) < 40
    assert "* en-harbour-" in out
    for kind in FOUND - {"IDENTICAL"}:
        assert kind in out
    commands = [line.partition("    # ")[0] for line in out.partition("Next")[2].splitlines()[1:]]
    assert len(commands) == 3
    for command in commands:
        words = [sys.executable, "-m", "samestory.cli", *shlex.split(command)[1:]]
        done = subprocess.run(
            words, capture_output=True, cwd=tmp_path, env=environment(), timeout=PATIENCE, check=False
        )
        assert done.returncode == 0, (command, done.stderr.decode())
    unique = (tmp_path / ".demo" / "unique.jsonl").read_text(encoding="utf-8").splitlines()
    assert len(unique) == 9 + 16
    with Archive.open(tmp_path / ".demo" / "news.db", create=False) as archive:
        assert archive.stats()["articles"] == 43
