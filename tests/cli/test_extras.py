"""An optional library that is not installed is misuse: the message names the extra, and the exit code is 2."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from tests.conftest import Runner, command


@pytest.mark.parametrize(
    ("module", "words", "extra"),
    [
        ("psycopg", ["index", "query", "postgresql://127.0.0.1/none", "news.jsonl"], "postgres"),
        ("fastapi", ["portal", "news.db"], "portal"),
        ("snowballstemmer", ["find", "news.jsonl", "-d", "semshort"], "short"),
    ],
)
def test_a_missing_extra_is_named(module: str, words: list[str], extra: str, samestory: Runner, tmp_path: Path) -> None:
    news = (
        '{"id": "a", "text": "Fire in the old mill", "lang": "en"}\n{"id": "b", "text": "Mill fires", "lang": "en"}\n'
    )
    (tmp_path / "news.jsonl").write_text(news)
    assert samestory("index", "add", "news.db", "news.jsonl").code == 0
    absent = tmp_path / "absent"
    absent.mkdir()
    (absent / f"{module}.py").write_text(f"raise ModuleNotFoundError('absent', name={module!r})")
    path = os.pathsep.join([str(absent), *os.environ.get("PYTHONPATH", "").split(os.pathsep)])
    done = subprocess.run(
        command(*words), cwd=tmp_path, env={**os.environ, "PYTHONPATH": path}, capture_output=True, text=True
    )
    assert f"pip install 'samestory[{extra}]'" in done.stderr
    assert done.returncode == 2
