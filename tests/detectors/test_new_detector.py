"""`make new-detector` writes a detector that works, keeps the laws and is found by name."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SCRIPTS = ROOT / "scripts"


def run(*words: object, root: Path) -> str:
    environment = os.environ | {"PYTHONPATH": f"{root / 'src'}{os.pathsep}{root}"}
    done = subprocess.run([sys.executable, *map(str, words)], capture_output=True, text=True, cwd=root, env=environment)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A copy of the repository without what is built and measured."""
    if not (SCRIPTS / "new_detector.py").exists():
        pytest.skip("no source tree")
    for folder in ("src", "tests", "scripts", "docs/concepts", "crates/samestory-core/src/detectors"):
        shutil.copytree(ROOT / folder, tmp_path / folder, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    return tmp_path


def test_the_table_of_detectors_is_current() -> None:
    subprocess.run([sys.executable, SCRIPTS / "detector_table.py", "--check"], check=True)


def test_a_new_detector_keeps_the_laws(copy: Path) -> None:
    printed = run("scripts/new_detector.py", "own-words", "--root", copy, root=copy)
    assert "wrote src/samestory/detectors/own_words.py" in printed
    run("-m", "tests.golden", root=copy)
    assert "threshold" in run("-m", "samestory.cli", "detectors", "own-words", root=copy)
    laws = ("tests/detectors/test_own_words.py", "tests/laws/test_detectors.py", "tests/laws/test_specs.py")
    run("-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", "-p", "no:xdist", *laws, "-k", "own", root=copy)
    run("-m", "ruff", "check", "src/samestory/detectors/own_words.py", "tests/detectors/test_own_words.py", root=copy)
    again = subprocess.run(
        [sys.executable, "scripts/new_detector.py", "own-words", "--root", copy],
        cwd=copy,
        text=True,
        capture_output=True,
    )
    assert again.returncode == 1 and "exists already" in again.stderr


def test_a_new_detector_in_rust_is_registered(copy: Path) -> None:
    run("scripts/new_detector.py", "own-words", "--rust", "--root", copy, root=copy)
    folder = copy / "crates" / "samestory-core" / "src" / "detectors"
    modules = re.findall(r"mod (\w+);", (folder / "mod.rs").read_text())
    assert modules == sorted(modules) and "own_words" in modules
    names = re.findall(r'"([\w-]+)" =>', (folder / "registry.rs").read_text())
    assert names == sorted(names) and "own-words" in names
    assert "pub struct OwnWords" in (folder / "own_words.rs").read_text()


def test_a_name_must_be_usable(copy: Path) -> None:
    bad = [sys.executable, "scripts/new_detector.py", "Own Words", "--root", copy]
    done = subprocess.run(bad, cwd=copy, text=True, capture_output=True)
    assert done.returncode == 1 and "NAME must be" in done.stderr


def test_classes_are_imported_when_they_are_used() -> None:
    code = (
        "import sys, samestory.detectors as package\n"
        "assert not {'samestory.detectors.codet', 'samestory.detectors.native'} & sys.modules.keys()\n"
        "print(package.CoDet(power=3), package.Native.__name__)\n"
        "assert all(isinstance(getattr(package, name), object) for name in package.__all__)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "codet(power=3.0) Native\n"
