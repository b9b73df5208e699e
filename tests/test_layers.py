"""The Rust crates: modules of the core import downwards only, and there are no import cycles in either crate."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

CRATES = Path(__file__).parent.parent / "crates"
CORE, BINDINGS = CRATES / "samestory-core/src", CRATES / "samestory-py/src"

Module = tuple[str, ...]
Graph = dict[Module, set[Module]]


def modules(crate: Path) -> dict[Module, Path]:
    """Every file of a crate by its module path; that of `lib.rs` is empty."""
    found = {}
    for path in crate.rglob("*.rs"):
        parts = path.relative_to(crate).with_suffix("").parts
        found[parts[:-1] if parts[-1] in ("mod", "lib") else parts] = path
    return found


def use_paths(tree: str) -> Iterator[list[str]]:
    """The paths of a `use` declaration, with its braces expanded."""
    depth, start, items = 0, 0, []
    for at, letter in enumerate(tree):
        depth += {"{": 1, "}": -1}.get(letter, 0)
        if letter == "," and depth == 0:
            items.append(tree[start:at])
            start = at + 1
    for item in [*items, tree[start:]]:
        nested = re.fullmatch(r"\s*([\w:\s]*?)(?:::)?\s*\{(.*)\}\s*", item, re.DOTALL)
        if nested:
            prefix = [part for part in nested[1].strip().split("::") if part]
            yield from (prefix + path for path in use_paths(nested[2]))
        elif item.strip():
            yield [part.strip() for part in item.split(" as ")[0].split("::")]


def imports(module: Module, source: str, known: dict[Module, Path]) -> set[Module]:
    """The modules that the code of a module names, tests left out."""
    code = re.sub(r"//[^\n]*|pub\(in [^)]*\)", "", source)
    code = re.split(r"#\[cfg\(test\)\]\s*mod tests", code)[0]
    uses = re.findall(r"\buse\s+([^;]+);", code)
    inline = re.findall(r"\b(?:crate|super|self)(?:::\w+)+", re.sub(r"\buse\s+[^;]+;", "", code))
    found = set()
    for path in [*(path for tree in uses for path in use_paths(tree)), *(path.split("::") for path in inline)]:
        base: list[str] = [] if path[0] == "crate" else list(module)
        rest = path[1:] if path[0] in ("crate", "self") else path
        while rest and rest[0] == "super":
            base, rest = base[:-1], rest[1:]
        full = (*base, *rest)
        if path[0] not in ("crate", "super", "self") and (*module, path[0]) not in known:
            continue  # another crate, or a name of this file
        target = next(full[:end] for end in range(len(full), -1, -1) if full[:end] in known)
        if target not in ((), module):
            found.add(target)
    return found


def graph(crate: Path) -> Graph:
    known = modules(crate)
    return {module: imports(module, path.read_text(encoding="utf-8"), known) for module, path in known.items()}


def cycles(graph: Graph) -> list[set[Module]]:
    """Sets of modules that import each other, directly or not."""

    def reachable(start: Module) -> set[Module]:
        seen: set[Module] = set()
        todo = list(graph[start])
        while todo:
            module = todo.pop()
            if module not in seen:
                seen.add(module)
                todo.extend(graph[module])
        return seen

    reach = {module: reachable(module) for module in graph}
    circles = {frozenset(m for m in reach[module] if module in reach[m]) for module in graph if module in reach[module]}
    return [set(circle) for circle in circles]


def layers() -> list[str]:
    """The layers in the order in which `lib.rs` documents them."""
    return re.findall(r"^//! (\w+)  +\w", (CORE / "lib.rs").read_text(encoding="utf-8"), re.MULTILINE)


@pytest.mark.parametrize("crate", [CORE, BINDINGS], ids=["core", "bindings"])
def test_no_modules_of_a_crate_import_each_other(crate: Path) -> None:
    found = graph(crate)
    assert sum(map(len, found.values())) > len(found) / 2, "imports are found"
    assert cycles(found) == []


def test_every_folder_of_the_core_is_a_layer() -> None:
    assert sorted(layers()) == sorted(path.name for path in CORE.iterdir() if path.is_dir())


def test_layers_import_only_those_above_them_in_the_list() -> None:
    rank = {layer: at for at, layer in enumerate(layers())}
    upwards = [
        (module, other)
        for module, others in graph(CORE).items()
        for other in others
        if module and rank[other[0]] > rank[module[0]]
    ]
    assert upwards == []


def test_cycles_are_found() -> None:
    assert cycles({("a",): {("b",)}, ("b",): {("c",)}, ("c",): {("a",)}, ("d",): {("a",)}}) == [
        {("a",), ("b",), ("c",)}
    ]


def test_braces_of_imports_are_expanded() -> None:
    assert list(use_paths("crate::a::{b, c::{self, D as E}}")) == [
        ["crate", "a", "b"],
        ["crate", "a", "c", "self"],
        ["crate", "a", "c", "D"],
    ]
