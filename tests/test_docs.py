"""Everything public is documented, what is exported is what is named, and examples run."""

from __future__ import annotations

import doctest
import importlib
import inspect
import pkgutil
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

import samestory
import samestory.lab.measures
from samestory import DETECTORS
from samestory.cli import parser
from samestory.cli.registry import COMMANDS
from samestory.cli.registry import module as command_module
from samestory.lab.measures import MEASURES
from tests.conftest import ROOT, Runner
from tests.lab.measures import table

PYTHON_REFERENCE = ROOT / "docs" / "reference" / "python.md"


def modules() -> Iterator[ModuleType]:
    yield samestory
    for found in pkgutil.walk_packages(samestory.__path__, "samestory."):
        if not found.name.endswith(("._core", ".__main__")):
            yield importlib.import_module(found.name)


def pages() -> str:
    return "\n".join(
        p.read_text(encoding="utf-8") for p in [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
    )


def test_all_measures_and_what_goes_with_them_are_what_is_exported() -> None:
    public = samestory.lab.measures
    assert all(inspect.getdoc(getattr(public, name)) for name in public.__all__ if name != "MEASURES")
    assert len(set(public.__all__)) == len(public.__all__)


@pytest.mark.parametrize("name", [name for name in samestory.__all__ if name not in ("DETECTORS", "__version__")])
def test_every_public_name_has_a_docstring(name: str) -> None:
    assert inspect.getdoc(getattr(samestory, name))


@pytest.mark.parametrize("module", list(modules()), ids=lambda module: module.__name__)
def test_the_examples_in_docstrings_run(module: ModuleType) -> None:
    assert doctest.testmod(module).failed == 0


def test_the_examples_in_the_reference_of_python_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert doctest.testfile(str(PYTHON_REFERENCE), module_relative=False).failed == 0


@pytest.mark.parametrize(
    "name",
    [
        "find",
        "relate",
        "group",
        "dedup",
        "label",
        "explain",
        "prepare",
        "read",
        "pages",
        "extract",
        "entities",
        "parse",
    ],
)
def test_the_reference_of_python_has_every_argument(name: str) -> None:
    """In the order of the signature, except for the options that `find` and `relate` share."""
    section = PYTHON_REFERENCE.read_text(encoding="utf-8").partition(f"\n### {name}\n")[2].partition("\n##")[0]
    rows = re.findall(r"^\| (`\w+`(?:, `\w+`)*) \|", section, re.MULTILINE)
    function = samestory.entities.entities if name == "entities" else getattr(samestory, name)
    documented = [argument for row in rows for argument in re.findall(r"\w+", row)]
    assert documented == list(inspect.signature(function).parameters)
    examples = "\n".join(re.findall(r"^(?:>>>|\.\.\.) .*", section, re.MULTILINE))
    assert f"{name}(" in examples


def test_the_docstrings_of_the_main_functions_name_every_argument() -> None:
    for name in ("find", "relate", "dedup", "label", "explain"):
        function = getattr(samestory, name)
        for argument in inspect.signature(function).parameters:
            assert f"`{argument}`" in (inspect.getdoc(function) or ""), f"{name}: {argument}"


def test_there_are_examples_to_run() -> None:
    finder = doctest.DocTestFinder(exclude_empty=True)
    assert sum(bool(test.examples) for module in modules() for test in finder.find(module)) >= 8


@pytest.mark.parametrize("name", sorted(DETECTORS))
def test_every_detector_says_what_it_is_what_it_sees_and_how_it_is_written(name: str) -> None:
    cls = DETECTORS[name]
    module = inspect.getdoc(inspect.getmodule(cls))
    assert module and len(module.splitlines()) > 1
    assert f"{name}(" in (inspect.getdoc(cls) or ""), "an example"
    assert cls.name == name
    assert cls.summary


@pytest.mark.parametrize("name", sorted(DETECTORS))
def test_every_detector_is_in_the_documentation(name: str) -> None:
    assert re.search(rf"`{name}\b", pages())


def test_the_table_of_measures_is_that_of_the_code() -> None:
    assert table.written() == table.render(), "python -m tests.lab.measures.table"


def test_the_examples_in_the_reference_of_measures_run() -> None:
    assert doctest.testfile(str(table.PAGE), module_relative=False).failed == 0


@pytest.mark.parametrize(
    "words",
    [
        ["table.py", "--write", "results.md"],
        ["quality.py", "--write", "results.md"],
        ["detectors.py", "--write", "results.md"],
        ["across_languages.py", "--write", "results.md"],
        ["api.py", "--write", "results.md"],
        ["audit.py", "--write", "results.md"],
        ["crowded.py", "--write", "results.md"],
        ["entities.py", "--write", "results.md"],
        ["extraction.py", "--write", "results.md"],
        ["error_budget.py", "--write", "results.md"],
        ["event_lengths.py", "--write", "results.md"],
        ["event_terms.py", "--write", "results.md"],
        ["event_trees.py", "--write", "results.md"],
        ["hard_news.py", "--write", "results.md"],
        ["judging.py", "--write", "results.md"],
        ["loss.py", "--write", "results.md"],
        ["pools.py", "--write", "results.md"],
        ["scripts_news.py", "--write", "results.md"],
        ["search.py", "--write", "results.md"],
        ["short_days.py", "--write", "results.md"],
        ["short_news.py", "--write", "results.md"],
        ["spark.py", "--write", "results.md"],
        ["stores.py", "--write", "results.md"],
        ["stream.py", "--write", "results.md"],
        ["vectors.py", "--write", "results.md"],
    ],
    ids=lambda words: str(words[0]).removesuffix(".py"),
)
def test_the_numbers_of_the_page_of_results_are_those_of_the_results(words: list[str], tmp_path: Path) -> None:
    """Numbers come from benchmarks/results, never from the keyboard."""
    page = ROOT / "docs" / "results.md"
    shutil.copy(page, tmp_path)
    script = str(ROOT / "benchmarks" / words[0])
    subprocess.run([sys.executable, script, *words[1:]], cwd=tmp_path, check=True, timeout=60)
    assert (tmp_path / page.name).read_text(encoding="utf-8") == page.read_text(encoding="utf-8")


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_picture_of_the_readme_is_that_of_the_results(theme: str, tmp_path: Path) -> None:
    script = str(ROOT / "benchmarks" / "picture.py")
    subprocess.run([sys.executable, script, "--out", str(tmp_path)], check=True, timeout=60)
    name = f"speed-{theme}.svg"
    assert (tmp_path / name).read_text() == (ROOT / "docs" / "pictures" / name).read_text()


def test_every_source_of_a_measure_is_in_the_bibliography() -> None:
    entries = re.findall(r"^@\w+\{(\w+),", (ROOT / "docs" / "references.bib").read_text(encoding="utf-8"), re.MULTILINE)
    assert len(set(entries)) == len(entries)
    for cls in MEASURES.values():
        assert set(cls.source.split(", ")) <= set(entries), cls.name
    for module in modules():
        for keys in re.findall(r"\[((?:[a-z]+\d{4})(?:, [a-z]+\d{4})*)\]", module.__doc__ or ""):
            assert set(keys.split(", ")) <= set(entries), module.__name__


def test_who_only_finds_duplicates_does_not_wait_for_what_measures_need() -> None:
    code = "import sys, samestory.cli; print([m for m in ('scipy', 'sklearn', 'samestory.lab') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_the_places_of_changes_exist() -> None:
    page = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    table = page.partition("| a new … | goes to |")[2].partition("\n\n")[0]
    places = re.findall(r"`([\w/.]+)`", table)
    folders = {"core": ROOT / "crates/samestory-core/src"}
    missing = [
        place
        for place in places
        if not (folders.get(place.split("/")[0], ROOT / "src/samestory") / place.removeprefix("core/")).exists()
    ]
    assert len(places) > 20
    assert missing == []


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_every_command_is_in_the_documentation(name: str) -> None:
    assert re.search(rf"samestory {name}\b", pages())


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_every_command_has_help_with_an_example_that_can_be_typed(name: str, samestory: Runner) -> None:
    done = samestory(name, "--help")
    assert done.code == 0
    assert "example:" in done.out
    example = command_module(name).EXAMPLE
    for part in example.split(" > ")[0].split(" | "):
        words = shlex.split(part)
        assert words[0] == "samestory"
        assert parser().parse_args(words[1:]).command == words[1]
    assert f"samestory {name}" in example


def test_every_option_has_help() -> None:
    (commands,) = [a for a in parser()._actions if hasattr(a, "choices") and isinstance(a.choices, dict)]
    for name, command in commands.choices.items():
        for action in command._actions:
            if action.option_strings:
                assert action.help, f"samestory {name} {action.option_strings}"


def test_help_lists_the_commands(samestory: Runner) -> None:
    done = samestory("--help")
    assert done.code == 0
    assert all(re.search(rf"^\s+{name}\s", done.out, re.MULTILINE) for name in COMMANDS)


def test_every_error_is_drawn_in_the_tree() -> None:
    import samestory.errors as errors

    classes = [c for c in vars(errors).values() if inspect.isclass(c) and c.__module__ == errors.__name__]
    assert all(c.__name__ in (errors.__doc__ or "") for c in classes)
    assert all(issubclass(c, errors.SamestoryError) for c in classes)
