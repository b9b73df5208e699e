"""The notebooks run, and print what is stored in them."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import PATIENCE, ROOT, environment

pytest.importorskip("pandas", reason="the notebooks use pandas")
NOTEBOOKS = sorted((ROOT / "docs" / "notebooks").glob("*.ipynb"))


def test_there_are_notebooks() -> None:
    assert {path.stem for path in NOTEBOOKS} == {"compare_detectors", "deduplicate_a_frame"}


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_prints_what_is_stored(path: Path) -> None:
    words = [sys.executable, str(ROOT / "scripts" / "notebooks.py"), "--check", str(path)]
    done = subprocess.run(words, env=environment(), capture_output=True, text=True, timeout=2 * PATIENCE, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_another_output_is_noticed(tmp_path: Path) -> None:
    notebook = {"cells": [{"cell_type": "code", "source": ["1 + 1"], "outputs": [], "execution_count": None}]}
    path = tmp_path / "sum.ipynb"
    path.write_text(json.dumps(notebook))
    words = [sys.executable, str(ROOT / "scripts" / "notebooks.py"), str(path)]
    assert subprocess.run([*words, "--check"], env=environment(), check=False, timeout=PATIENCE).returncode == 1
    assert subprocess.run(words, env=environment(), check=False, timeout=PATIENCE).returncode == 0
    assert json.loads(path.read_text())["cells"][0]["outputs"][0]["data"]["text/plain"] == ["2"]
    assert subprocess.run([*words, "--check"], env=environment(), check=False, timeout=PATIENCE).returncode == 0
