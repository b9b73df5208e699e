"""Detectors of users: by import path, by entry point, and never by importing what stored data names."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import samestory
from samestory.detectors import plugins
from samestory.detectors.spec import parse_stored
from samestory.errors import DetectorError, ParameterError
from tests.conftest import ROOT

SOURCE = '''
"""Articles with the same first word."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from samestory import Detector, Kind
from samestory.model import Features, Overlaps, Pairs, Ragged, Signatures
from samestory.specs import parameter


@dataclass(frozen=True)
class FirstWord(Detector):
    name: ClassVar[str] = "first-word"
    summary: ClassVar[str] = "the same first word"
    reports: ClassVar[frozenset[Kind]] = frozenset({Kind.NEAR})
    letters: int = parameter(4, "letters of the word that count")

    def sign(self, features: Features) -> Signatures:
        words = [(text.split() or [""])[0].lower()[: self.letters].encode() for text in features.compared]
        return Signatures.from_lists(words)

    def keys(self, signatures: Signatures) -> Ragged:
        return Ragged.from_lists([int.from_bytes(word[:7], "little")] if word else [] for word in signatures)

    def compare(self, left: Signatures, right: Signatures, pairs: Pairs) -> Overlaps:
        same = [left[a] == right[b] for a, b in zip(pairs.left.tolist(), pairs.right.tolist(), strict=True)]
        share = np.array(same, np.float64)
        return Overlaps(share, share, np.where(share > 0, 2, 0).astype(np.uint8))


class NoDetector:
    pass
'''
NEWS = [{"id": "a", "text": "Ferry sinks"}, {"id": "b", "text": "ferry found"}, {"id": "c", "text": "Fire"}]


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The name of a module with a detector, in the working directory."""
    name = f"own_detectors_{os.getpid()}_{tmp_path.name.replace('-', '_')}"
    (tmp_path / f"{name}.py").write_text(SOURCE)
    monkeypatch.chdir(tmp_path)
    yield name
    sys.modules.pop(name, None)


def test_a_detector_of_a_module_is_found_by_its_import_path(module: str) -> None:
    spec = f"{module}:FirstWord(letters=2)"
    assert [set(group.members) for group in samestory.find(NEWS, detector=spec)] == [{"a", "b"}, {"c"}]
    detector = samestory.parse(spec)
    assert str(detector) == spec
    assert samestory.parse(str(detector)) == detector
    assert str(Path.cwd()) not in sys.path


def test_the_command_takes_an_import_path(module: str, tmp_path: Path) -> None:
    (tmp_path / "news.jsonl").write_text("".join(json.dumps(row) + "\n" for row in NEWS))
    command = [sys.executable, "-m", "samestory.cli", "relate", "-d", f"{module}:FirstWord", "news.jsonl"]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=tmp_path)
    (row,) = map(json.loads, done.stdout.splitlines())
    assert {row["left"], row["right"], row["detector"]} == {"a", "b", f"{module}:FirstWord()"}


def test_stored_data_imports_no_module(module: str) -> None:
    with pytest.raises(ParameterError, match="is not loaded"):
        parse_stored(f"{module}:FirstWord")
    assert module not in sys.modules
    relation = {"left": "b", "right": "a", "kind": "NEAR", "forward": 1, "backward": 1}
    samestory.group([relation | {"detector": f"{module}:FirstWord()"}])
    assert module not in sys.modules
    detector = samestory.parse(f"{module}:FirstWord")
    assert parse_stored(str(detector)) == detector


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("{}:NoDetector", "is no detector"),
        ("{}:Missing", "has no class Missing"),
        ("{}_absent:FirstWord", "cannot import"),
        ("{}:FirstWord(word=2)", "unknown parameter"),
        ("json:loads", "is no detector"),
        ("samestory:Detector", "a frozen dataclass with a name"),
    ],
)
def test_errors_name_what_is_wrong(module: str, spec: str, message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        samestory.parse(spec.format(module))


@pytest.fixture
def package(module: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """An installed package that registers detectors."""
    info = tmp_path / "own_detectors-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: own-detectors\nVersion: 1.0\n")
    points = f"first-word = {module}:FirstWord\nbroken = {module}:Nothing\n"
    (info / "entry_points.txt").write_text(f"[samestory.detectors]\n{points}")
    monkeypatch.syspath_prepend(tmp_path)
    plugins.installed.cache_clear()
    yield
    plugins.installed.cache_clear()


@pytest.mark.usefixtures("package")
def test_detectors_of_installed_packages_have_names() -> None:
    detector = samestory.parse("first_word(letters=1)")
    assert str(detector) == "first-word(letters=1)"
    assert len(samestory.find(NEWS, detector="first-word(letters=1)")) == 1
    assert parse_stored(str(detector)) == detector
    with pytest.raises(ParameterError, match="'broken' of the package own-detectors cannot be loaded"):
        samestory.parse("broken")
    with pytest.raises(ParameterError, match="first-word"):
        samestory.parse("first-wird")


@pytest.mark.usefixtures("package")
def test_the_list_of_detectors_has_those_of_installed_packages(capsys: pytest.CaptureFixture[str]) -> None:
    from samestory.cli import main

    assert main(["detectors"]) == 0
    printed = capsys.readouterr()
    assert "the same first word" in printed.out and "warning: detector 'broken'" in printed.err


def guide_example() -> str:
    """The detector that CONTRIBUTING.md shows whole."""
    section = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").partition("### A detector of your own")[2]
    return section.partition("```python\n")[2].partition("```")[0]


def test_the_detector_in_the_guide_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = guide_example()
    assert len([line for line in source.splitlines() if line.strip()]) <= 26
    (tmp_path / "my_module.py").write_text(source)
    monkeypatch.chdir(tmp_path)
    try:
        spec = "my_module:MyDetector(threshold=0.6)"
        news = [{"id": "a", "text": "Ferry sinks off Oldmere"}, {"id": "b", "text": "off oldmere ferry sinks"}, "Fire"]
        assert [group.members for group in samestory.find(news, detector=spec)] == [("a", "b"), ("3",)]
        index = samestory.Index(samestory.parse(spec))
        found = index.add(samestory.prepare([samestory.Article(f"{at}", "Ferry sinks") for at in range(3)]))
        assert {(each.left, each.right) for each in found} == {("1", "0"), ("2", "0"), ("2", "1")}
        assert samestory.explain(*news[:2], detector=spec).relation
    finally:
        sys.modules.pop("my_module", None)


@pytest.mark.parametrize("method", ["sign", "keys", "compare"])
def test_an_exception_in_a_detector_is_reported_with_its_method(
    method: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    head, mark, rest = guide_example().partition(f"    def {method}(")
    first, _, body = rest.partition("\n")
    name = f"faulty_{method}"
    (tmp_path / f"{name}.py").write_text(f"{head}{mark}{first}\n        raise KeyError('Oldmere')\n{body}")
    monkeypatch.chdir(tmp_path)
    line = head.count("\n") + 2
    message = f"detector {name}:MyDetector: {method}: KeyError: 'Oldmere' ({name}.py:{line})"
    news = ["Ferry sinks off Oldmere", "Ferry sinks off Oldmere pier"]
    calls = [
        lambda: samestory.find(news, detector=f"{name}:MyDetector"),
        lambda: samestory.Index(samestory.parse(f"{name}:MyDetector")).add(
            samestory.prepare([samestory.Article(str(at), text) for at, text in enumerate(news)])
        ),
        lambda: samestory.explain(*news, detector=f"{name}:MyDetector"),
    ]
    try:
        for call in calls:
            with pytest.raises(DetectorError) as caught:
                call()
            assert str(caught.value) == message
            assert isinstance(caught.value.__cause__, KeyError)
    finally:
        sys.modules.pop(name, None)
