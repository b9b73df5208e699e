"""--load: archives with detectors of the user's own modules, which stored data never imports."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

import pytest

from tests.conftest import Runner, Writer, command, environment
from tests.detectors.test_plugins import NEWS, SOURCE

HINT = "hint: pass --load my_det, or register the detector as an entry point (CONTRIBUTING.md)"


@pytest.fixture
def archive(samestory: Runner, write: Writer) -> str:
    """An archive with a detector of the module my_det in the current folder."""
    write("my_det.py", SOURCE)
    write("news.jsonl", NEWS)
    done = samestory("index", "add", "news.db", "news.jsonl", "-d", "my_det:FirstWord")
    assert done.code == 0, done.err
    return "news.db"


def test_commands_with_load_open_the_archive(samestory: Runner, write: Writer, archive: str) -> None:
    write("draft.jsonl", [{"id": "draft", "text": "ferry again"}])
    done = samestory("index", "query", archive, "draft.jsonl", "--load", "my_det")
    assert {row["right"] for row in done.rows} == {"a", "b"}, done.err
    done = samestory("index", "stats", archive, "--load", "my_det")
    assert json.loads(done.out)["detectors"] == ["my_det:FirstWord()"], done.err
    assert samestory("index", "add", archive, "draft.jsonl", "--load", "my_det").code == 0
    assert samestory("index", "check", archive, "--load", "json", "--load", "my_det").code == 0
    assert samestory("index", "rebuild", archive, "--load", "my_det", "-d", "reuse").code == 0
    assert samestory("index", "stats", archive).code == 0


@pytest.mark.parametrize(
    "words", [["query", "news.jsonl"], ["stats"], ["add", "news.jsonl"], ["expire", "--older-than", "1d"]]
)
def test_without_load_the_error_names_the_option(samestory: Runner, archive: str, words: list[str]) -> None:
    done = samestory("index", words[0], archive, *words[1:])
    assert (done.code, done.out) == (1, "")
    assert "made with a detector that is not available: the detector my_det:FirstWord is not loaded" in done.err
    assert HINT in done.err


def test_a_check_names_the_option(samestory: Runner, archive: str) -> None:
    done = samestory("index", "check", archive)
    assert done.code == 1
    assert "pass --load my_det" in done.out


def test_a_portal_starts_with_load(archive: str, tmp_path: Path) -> None:
    words = ("portal", archive, "--port", 0)
    without = subprocess.run(command(*words), capture_output=True, text=True, env=environment(), cwd=tmp_path)
    assert without.returncode == 1 and HINT in without.stderr
    process = subprocess.Popen(
        command(*words, "--load", "my_det"), stderr=subprocess.PIPE, text=True, env=environment(), cwd=tmp_path
    )
    try:
        assert process.stderr
        line = process.stderr.readline()
        assert re.search(r"http://\S+/", line), line + process.stderr.read()
    finally:
        process.kill()
        process.communicate()


@pytest.mark.parametrize(
    ("module", "message"),
    [
        ("absent", "--load: cannot import absent: No module named 'absent'"),
        ("my_det.py", "hint: pass the name of the module: my_det"),
        ("./my_det.py", "--load: expected the name of a module such as my_module, got './my_det.py'"),
        ("broken", "--load: cannot import broken: name 'undefined' is not defined"),
    ],
)
def test_a_module_that_cannot_be_imported_is_an_error(
    samestory: Runner, write: Writer, archive: str, module: str, message: str
) -> None:
    write("broken.py", "undefined")
    done = samestory("index", "stats", archive, "--load", module)
    assert done.code == 2
    assert message in done.err
