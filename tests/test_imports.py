"""No modules of the Python package import each other in a circle, not even inside functions."""

import ast
from collections.abc import Iterator
from pathlib import Path

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
