"""A share of the inputs of `make fuzz`, the same in every run; and a target for every native function."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator, Set
from pathlib import Path
from random import Random

import pytest

from tests.fuzz.__main__ import ROOT, fuzz, keep_input, run_kept
from tests.fuzz.changes import changed, changed_lines, changed_text
from tests.fuzz.target import Target
from tests.fuzz.targets import TARGETS

STUBS = ROOT / "src" / "samestory" / "_core"
#: Parameters of these types come from outside: bytes, columns, texts, and whatever holds them.
OUTSIDE = {"Any", "bytes", "Column", "Filter", "Named", "Page", "Rows", "Two", "str", "object", "RelatedRow"}
#: Functions with such a parameter and without a target, with the reason.
EXEMPT = {"detectors.Counter": "the names of three sections", "engine.Groups.__getitem__": "a position"}
#: Seconds for all targets on a quiet machine, and inputs of a target.
MAX_SECONDS, MAX_INPUTS = 60, 1500


def functions(outside: Set[str]) -> Iterator[str]:
    """Yield the functions of the stubs with a parameter of one of these types; a class stands for its constructor."""
    for path in sorted(STUBS.glob("*.pyi")):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            members = node.body if isinstance(node, ast.ClassDef) else [node]
            for member in members:
                if isinstance(member, ast.FunctionDef) and types(member) & outside:
                    names = [path.stem, node.name if isinstance(node, ast.ClassDef) else "", member.name]
                    yield ".".join(name for name in names if name and name != "__new__")


def types(function: ast.FunctionDef) -> set[str]:
    """Return the names in the annotations of the parameters."""
    given = function.args
    annotations = [each.annotation for each in (*given.args, *given.kwonlyargs) if each.annotation]
    return {each.id for one in annotations for each in ast.walk(one) if isinstance(each, ast.Name)}


def test_every_native_function_that_reads_values_from_outside_has_a_target() -> None:
    found = set(functions(OUTSIDE))
    covered = {name for target in TARGETS.values() for name in target.functions}
    assert found - covered - EXEMPT.keys() == set(), "add them to a target in tests/fuzz"
    known = set(functions({*OUTSIDE, "Detector", "int"}))
    assert covered | EXEMPT.keys() <= known, "names of functions that do not exist"
    assert len(found) > 60


def test_no_input_of_a_fixed_share_fails(tmp_path: Path) -> None:
    report = fuzz(list(TARGETS), MAX_SECONDS, 0, MAX_INPUTS, tmp_path)
    assert report.failures == []
    assert report.inputs.keys() == TARGETS.keys() and min(report.inputs.values()) > 0


@pytest.mark.parametrize("name", TARGETS)
def test_an_input_is_always_the_same_and_can_be_kept(name: str, tmp_path: Path) -> None:
    target = TARGETS[name]
    inputs = [target.input(number) for number in range(5)]
    assert [target.input(number) for number in range(5)] == inputs
    assert len({repr(value) for value in inputs}) > 1
    assert [ast.literal_eval(repr(value)) for value in inputs] == inputs
    run_kept(keep_input(tmp_path, name, 1))


CRASHES = {
    "exception": "raise KeyError(value)",
    "panic": "raise BaseException(value)",
    "crash": "import os; os.abort()",
    "time": "while True: pass",
    "memory": "bytearray(2 << 30)",
}


@pytest.mark.parametrize("kind", CRASHES)
def test_what_must_not_happen_ends_the_process(kind: str, tmp_path: Path) -> None:
    """In a process of its own, with limits that end it soon."""
    script = f"""
import sys
from types import SimpleNamespace
from tests.fuzz.target import Target

sys.modules["tests.fuzz.targets"] = SimpleNamespace(TARGETS={{}})  # the others take a second to load
import tests.fuzz.__main__ as main

def run(value):
    if value == 3:
        {CRASHES[kind]}

main.MAX_SECONDS = main.MAX_LOADING_SECONDS = 1
numbers = iter(range(10**9))
main.TARGETS["numbers"] = Target("numbers", (), lambda random: next(numbers), run)
if "--child" in sys.argv:
    sys.exit(main.main())
"""
    path = tmp_path / "script.py"
    path.write_text(script)
    done = subprocess.run(
        [sys.executable, path, "--child", "--target", "numbers", "--inputs", "5"],
        capture_output=True,
        text=True,
        cwd=ROOT,
        env={"PYTHONPATH": f"{ROOT}/src:{ROOT}"},
        timeout=60,
    )
    assert done.returncode != 0
    assert done.stdout.split() == ["numbers"] * 4


def test_changes_keep_to_their_bounds() -> None:
    values, texts = [b"one two", b"\x01\0\0\0" * 9], ["one two", '{"a": 1}']
    random = Random(1)
    out = [changed(random, values) for _ in range(30_000)]
    assert values[0] in out and b"" in out and max(map(len, out)) <= 200_000
    for at in range(0, 32, 4):
        assert any(each[:at] == values[1][:at] and each[at : at + 4] == b"\xff" * 4 for each in out), at
    assert len({changed_text(random, texts) for _ in range(500)}) > 300
    assert len({changed_lines(random, texts) for _ in range(500)}) > 300


def test_an_error_that_hides_a_panic_is_a_failure() -> None:
    from samestory.errors import InputError

    def run(_: object) -> None:
        raise InputError("it cannot be read: please report this page")

    with pytest.raises(AssertionError, match="a panic was caught"):
        Target("x", (), lambda _: 1, run).check(1)
