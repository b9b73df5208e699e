"""The border to the native module: narrow, typed, and as its stubs say."""

from __future__ import annotations

import ast
import importlib
import inspect
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from samestory import _core, parse, prepare
from samestory.errors import InputError, NotAPage, ParameterError
from samestory.model import Article

STUBS = Path(__file__).parent.parent / "src/samestory/_core"
SUBMODULES = ("text", "html", "detectors", "engine", "exchange", "search")
#: Functions, and methods of classes, of all submodules. Attributes, properties and special methods such as constructors
#: are not counted.
MAX_CALLABLES = 80


def stub(name: str) -> ast.Module:
    return ast.parse((STUBS / f"{name}.pyi").read_text(encoding="utf-8"))


def is_property(node: ast.stmt) -> bool:
    return isinstance(node, ast.FunctionDef) and any(
        isinstance(each, ast.Name) and each.id == "property" for each in node.decorator_list
    )


def callables(body: list[ast.stmt], prefix: str = "") -> set[str]:
    """The functions and methods of a stub."""
    found = set()
    for node in body:
        if isinstance(node, ast.FunctionDef) and not node.name.startswith("__") and not is_property(node):
            found.add(prefix + node.name)
        elif isinstance(node, ast.ClassDef):
            found |= callables(node.body, f"{node.name}.")
    return found


def native_callables(module: ModuleType) -> set[str]:
    """The functions and methods of a native submodule."""
    found = set()
    for name, value in vars(module).items():
        if inspect.isclass(value):
            own = {each for each, member in vars(value).items() if callable(member) or isinstance(member, staticmethod)}
            found |= {f"{name}.{each}" for each in own if not each.startswith("__")}
        elif callable(value):
            found.add(name)
    return found


@pytest.mark.parametrize("name", SUBMODULES)
def test_a_stub_has_the_functions_and_methods_of_its_module(name: str) -> None:
    assert callables(stub(name).body) == native_callables(importlib.import_module(f"samestory._core.{name}"))


@pytest.mark.parametrize("name", SUBMODULES)
def test_a_stub_has_the_classes_of_its_module_with_their_attributes(name: str) -> None:
    module = importlib.import_module(f"samestory._core.{name}")
    stubbed = {
        node.name: {
            each.target.id if isinstance(each, ast.AnnAssign) and isinstance(each.target, ast.Name) else each.name
            for each in node.body
            if isinstance(each, ast.AnnAssign) or (is_property(each) and isinstance(each, ast.FunctionDef))
        }
        for node in stub(name).body
        if isinstance(node, ast.ClassDef)
    }
    native = {
        key: {own for own, member in vars(value).items() if inspect.isdatadescriptor(member)}
        for key, value in vars(module).items()
        if inspect.isclass(value)
    }
    assert stubbed == native


def test_the_border_is_narrow() -> None:
    assert sum(len(callables(stub(name).body)) for name in SUBMODULES) <= MAX_CALLABLES


def test_a_column_is_a_view_with_the_type_of_its_numbers() -> None:
    found = _core.text.prepare(["One two", "", "Three"], ["en", "en", "en"])
    offsets = np.asarray(found.tokens.offsets)
    assert (offsets.dtype, offsets.tolist(), len(found.tokens.offsets)) == (np.int64, [0, 2, 2, 3], 4)
    starts = np.asarray(found.starts.values)
    assert (starts.dtype, starts.tolist(), starts.flags.writeable) == (np.uint32, [0, 4, 0], False)
    assert np.frombuffer(bytes(found.starts.values), "<u4").tolist() == [0, 4, 0]
    nothing = np.asarray(_core.text.prepare([], []).tokens.values)
    assert (nothing.dtype, len(nothing)) == (np.uint32, 0)


def test_columns_of_different_lengths_are_rejected() -> None:
    signed = parse("exact").sign(prepare([Article("a", "One"), Article("b", "Two")])).columns
    native = parse("exact").native
    with pytest.raises(InputError, match="columns of one length"):
        native.compare(signed, signed, (np.array([0, 1]), np.array([0])))
    with pytest.raises(InputError, match="columns of one length"):
        _core.engine.Finder(native, None).add(["a"], (np.zeros(2, np.int64), np.zeros(2, np.uint64)), signed, True)
    columns = (np.zeros(1), np.zeros(1), np.zeros(1, np.uint8))
    numbers = (np.zeros(1, np.uint32), np.full(1, 7, np.uint32))
    articles: tuple[list[str], list[int], list[int | None], list[int]] = (["a", "b"], [1, 1], [None, None], [0, 0])
    with pytest.raises(InputError, match="no such article"):
        _core.engine.group(articles, "longest", numbers, columns[:2], columns[2], "star", True, [], [])
    none = (np.zeros(0, np.uint32),) * 2, (np.zeros(0),) * 2, np.zeros(0, np.uint8)
    for method in ("star", "components", "majority"):
        for decisions in ([(0, 2)], []), ([], [(0, 2)]):
            with pytest.raises(InputError, match="no such article"):
                _core.engine.group(articles, "longest", *none, method, True, *decisions)
    for order, message in (([1], "no such article"), ([0, 0], "names each article once")):
        with pytest.raises(InputError, match=message):
            _core.engine.cuts(none[0], np.zeros(0), np.array(order, np.uint32), "star", [0.5])


def test_errors_of_the_core_are_ours_and_have_fields(tmp_path: Path) -> None:
    with pytest.raises(ParameterError) as wrong:
        _core.engine.Reader(str(tmp_path), [], "xml", None, 10)
    assert wrong.value.detail == 'no format is called "xml"; there are jsonl, csv, tsv, text, parquet'
    absent = str(tmp_path / "none.jsonl")
    with pytest.raises(InputError) as missing:
        _core.engine.Reader(absent, [], None, None, 10)
    assert missing.value.place == absent and absent not in missing.value.detail
    with pytest.raises(NotAPage):
        _core.html.Page(b"%PDF-1.4 \0\0\0").blocks()
    with pytest.raises(ParameterError, match="frequencies is missing or damaged"):
        _core.detectors.Detector("cosine", parse("resemblance").arguments())  # type: ignore[attr-defined]
