"""No modules of the Python package import each other in a circle, not even inside functions."""

import ast
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from samestory.cli.registry import COMMANDS, WORKBENCH
from tests.test_layers import Graph, Module, cycles

PACKAGE = Path(__file__).parent.parent / "src/samestory"


def modules() -> dict[Module, Path]:
    """Every file of the package by its module path."""
    found = {}
    for path in PACKAGE.rglob("*.py"):
        parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
        found[parts[:-1] if parts[-1] == "__init__" else parts] = path
    return found


def import_statements(node: ast.AST) -> Iterator[ast.Import | ast.ImportFrom]:
    """The imports of a file that run at some time: those for type checkers are left out."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Import | ast.ImportFrom):
            yield child
        elif isinstance(child, ast.If) and ast.unparse(child.test).split(".")[-1] == "TYPE_CHECKING":
            yield from import_statements(ast.Module(child.orelse, []))
        else:
            yield from import_statements(child)


def imports(module: Module, source: str, known: dict[Module, Path]) -> set[Module]:
    """The modules of the package that a file imports; a name in a package stands for that package."""
    found = set()
    for statement in import_statements(ast.parse(source)):
        base = f"{statement.module}." if isinstance(statement, ast.ImportFrom) else ""
        for alias in statement.names:
            name = tuple(f"{base}{alias.name}".split("."))
            found.update(next(([name[:end]] for end in range(len(name), 0, -1) if name[:end] in known), []))
    return found - {module}


def graph() -> Graph:
    known = modules()
    return {module: imports(module, path.read_text(encoding="utf-8"), known) for module, path in known.items()}


def test_no_modules_of_the_package_import_each_other() -> None:
    assert cycles(graph()) == []


def test_only_the_registry_of_commands_names_the_workbench() -> None:
    paths = {path.relative_to(PACKAGE): path for path in PACKAGE.rglob("*.py")}
    library = {str(name): path.read_text(encoding="utf-8") for name, path in paths.items() if name.parts[0] != "lab"}
    assert {name for name, source in library.items() if re.search(r"samestory\.lab\b", source)} == {"cli/registry.py"}


def asks_for_native(node: ast.AST) -> bool:
    """Whether a call asks if a value is of the class of native detectors."""
    is_call = isinstance(node, ast.Call) and ast.unparse(node.func) in ("isinstance", "issubclass")
    return is_call and any(isinstance(name, ast.Name) and name.id == "Native" for name in ast.walk(node))


def test_only_detectors_distinguish_native_ones() -> None:
    paths = [path for path in PACKAGE.rglob("*.py") if "detectors" not in path.relative_to(PACKAGE).parts]
    trees = {str(path.relative_to(PACKAGE)): ast.parse(path.read_text(encoding="utf-8")) for path in paths}
    assert len(trees) > 200
    assert [name for name, tree in trees.items() if any(map(asks_for_native, ast.walk(tree)))] == []
    assert asks_for_native(ast.parse("isinstance(self.detector, (str, Native))").body[0].value)  # type: ignore[attr-defined]


@pytest.mark.parametrize("command", COMMANDS)
def test_the_registry_has_the_package_of_each_command(command: str) -> None:
    file = command.replace("-", "_")
    packages = [name for name in ("samestory.cli", "samestory.lab.cli") if (*name.split("."), file) in modules()]
    assert packages == ["samestory.lab.cli" if command in WORKBENCH else "samestory.cli"]


def test_the_contract_on_the_workbench_covers_the_whole_library() -> None:
    project = tomllib.loads((PACKAGE.parent.parent / "pyproject.toml").read_text())
    contracts = {each["name"]: each for each in project["tool"]["importlinter"]["contracts"]}
    library = {path.stem for path in PACKAGE.iterdir() if path.suffix == ".py" or (path / "__init__.py").exists()}
    covered = contracts["The library does not import the workbench"]["source_modules"]
    assert sorted(covered) == sorted(f"samestory.{name}" for name in library - {"__init__", "lab"})


def test_imports_in_functions_count_and_those_for_type_checkers_do_not() -> None:
    known = {("samestory", name): PACKAGE for name in ("a", "b", "c", "d")} | {("samestory",): PACKAGE}
    source = """
from samestory import b, d
if TYPE_CHECKING:
    from samestory.c import Name
else:
    import samestory.d.e
def f():
    from samestory.b import g
"""
    assert imports(("samestory", "a"), source, known) == {("samestory", "b"), ("samestory", "d")}
