"""What is loaded when: a command waits for nothing that it does not need, and every name is where the table says."""

from __future__ import annotations

import inspect
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

import samestory
from samestory.cli.registry import COMMANDS, module_name
from samestory.detectors import DETECTORS
from tests.conftest import DEMO


def loaded(program: str) -> set[str]:
    """The modules that a program of Python has loaded at its end."""
    code = f"{program}\nimport sys; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(done.stdout.split())


@pytest.mark.parametrize("name", sorted(DETECTORS))
def test_a_detector_stands_under_its_own_name(name: str) -> None:
    assert DETECTORS[name].name == name


def test_every_public_name_is_there() -> None:
    assert {name for name in samestory.__all__ if not hasattr(samestory, name)} == set()
    assert set(samestory.__all__) <= set(dir(samestory))
    assert sorted([*samestory._NAMES, "__version__", "entities"]) == sorted(samestory.__all__)
    # and no other: what the module itself needs begins with an underscore, and packages are no names
    own = {name for name, value in vars(samestory).items() if not inspect.ismodule(value) or callable(value)}
    assert {name for name in own if not name.startswith("_")} <= set(samestory.__all__)
    missing = "nothing"
    with pytest.raises(AttributeError, match=missing):
        getattr(samestory, missing)


def test_to_import_it_loads_nothing_else() -> None:
    ours = {name for name in loaded("import samestory") if name.startswith("samestory")}
    assert {name for name in ours if not name.startswith("samestory._core.")} == {"samestory", "samestory._core"}


def test_packages_are_there_without_importing_them() -> None:
    loaded("import samestory; assert samestory.entities.Recogniser and samestory.detectors.parse and samestory.archive")


def test_a_command_loads_no_other() -> None:
    there = loaded("from samestory.cli import main\ntry: main(['find', '--help'])\nexcept SystemExit: pass")
    names = {module_name(name) for name in COMMANDS}
    assert there & names == {"samestory.cli.find"}
    assert not any(name.startswith("samestory.lab") for name in there)
    assert not there & {
        "samestory.html",
        "samestory.web",
        "samestory.detectors.koala",
        "numpy",
        "sqlite3",
        "importlib.metadata",
    }


@pytest.mark.skipif(find_spec("pandas") is None, reason="pandas is not installed")
def test_the_page_of_a_story_does_not_load_pandas(tmp_path: Path) -> None:
    """The import would take half of the time of a portal's first page; pyarrow imports it for many conversions."""
    program = f"""
from fastapi.testclient import TestClient
from samestory import read
from samestory.archive import Archive
from samestory.web import app
with Archive.open({str(tmp_path / "news.db")!r}) as archive, TestClient(app(archive)) as client:
    archive.add(read({str(DEMO / "news.jsonl")!r}))
    for page in ("/", "/story/1"):
        assert client.get(page, headers={{"Accept": "text/html"}}).status_code == 200
"""
    there = loaded(program)
    assert "pyarrow" in there and "pandas" not in there
