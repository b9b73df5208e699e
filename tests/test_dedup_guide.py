"""The commands and the code of the guide to deduplication run, in its order, and print what it shows."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import DEMO, ROOT

PAGE = (ROOT / "docs" / "guides" / "dedup.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)


def test_the_commands_run_where_their_files_are(tmp_path: Path) -> None:
    (tmp_path / "demo").mkdir()
    shutil.copy(DEMO / "news.jsonl", tmp_path / "demo")
    (tmp_path / "bin").mkdir()
    command = tmp_path / "bin" / "samestory"
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m samestory.cli "$@"\n')
    command.chmod(0o755)
    path = f"{command.parent}{os.pathsep}{os.environ['PATH']}"
    printed = []
    for block in blocks("sh"):
        done = subprocess.run(
            ["sh", "-e", "-c", block], cwd=tmp_path, env={**os.environ, "PATH": path}, capture_output=True, text=True
        )
        assert done.returncode == 0, f"{block}\n{done.stderr}"
        printed.append((done.stdout, done.stderr))
    (summary,) = blocks("text")
    assert summary.strip() in printed[0][1]
    (line,) = blocks("json")
    assert json.loads(line) == json.loads(printed[1][0])


def test_the_code_returns_what_its_comments_say() -> None:
    (code,) = blocks("python")
    names: dict[str, object] = {}
    checked = 0
    statement = ""
    for line in code.splitlines():
        expression, mark, wanted = line.partition("  # ")
        if mark:
            exec(statement, names)
            assert repr(eval(expression, names)) == wanted
            statement, checked = "", checked + 1
        else:
            statement += line + "\n"
    assert checked == 2


@pytest.mark.parametrize("option", re.findall(r"`(--?[a-z]+)", PAGE))
def test_the_options_of_the_guide_exist(option: str) -> None:
    from samestory.cli import parser

    (commands,) = [action for action in parser(["dedup"])._actions if isinstance(action.choices, dict)]
    assert option in commands.choices["dedup"]._option_string_actions
