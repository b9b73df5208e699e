"""Write the table of detectors, src/samestory/detectors/table.py, and their names in __init__.py from the classes.

    python scripts/detector_table.py            writes them
    python scripts/detector_table.py --check    exits with 1 if they are not current

The table lets the package import a detector when it is used: importing all of them takes longer than a small job. Type
checkers read the imports in __init__.py, which never run.
"""

import ast
import sys
from pathlib import Path

FOLDER = Path(__file__).resolve().parent.parent / "src" / "samestory" / "detectors"
TABLE = FOLDER / "table.py"
PACKAGE = FOLDER / "__init__.py"
HEAD = '''"""The class of every detector by its name in specs. Generated: make detector-table."""

PLACES = {
'''
#: The names of the package that are no classes of detectors.
OTHERS = ("ALIASES", "DETECTORS", "Detector", "parse")


def name_of(cls: ast.ClassDef) -> str | None:
    """The name of the detector that a class is: it has the class variables `name` and `summary`, and only defaults."""
    lines = [line for line in cls.body if isinstance(line, ast.AnnAssign) and isinstance(line.target, ast.Name)]
    values = {line.target.id: line.value for line in lines if isinstance(line.target, ast.Name)}
    if not {"name", "summary"} <= values.keys() or None in values.values():
        return None
    return str(ast.literal_eval(values["name"]))  # type: ignore[arg-type]


def places() -> dict[str, str]:
    """The module and class of every detector by its name in specs."""
    found = {}
    for path in sorted(FOLDER.glob("*.py")):
        for cls in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(cls, ast.ClassDef) and (name := name_of(cls)):
                found[name] = f"{path.stem}.{cls.name}"
    return {name: found[name] for name in sorted(found)}


def table() -> str:
    """The text of the table."""
    return HEAD + "".join(f'    "{name}": "{place}",\n' for name, place in places().items()) + "}\n"


def package() -> str:
    """The text of the package with the imports and names of all detectors."""
    modules: dict[str, list[str]] = {}
    for place in sorted([*places().values(), "native.Native"]):
        module, _, cls = place.partition(".")
        modules.setdefault(module, []).append(cls)
    names = {*OTHERS, *(name for some in modules.values() for name in some)}
    ordered = sorted(names, key=lambda name: (not name.isupper(), name.islower(), name))
    blocks = {
        "imports": [
            "if _typing.TYPE_CHECKING:",
            *(f"    from samestory.detectors.{module} import {', '.join(some)}" for module, some in modules.items()),
        ],
        "names": ["__all__ = [", *(f'    "{name}",' for name in ordered), "]"],
    }
    text = PACKAGE.read_text(encoding="utf-8")
    for what, lines in blocks.items():
        begin, end = f"# Begin of the generated {what}: make detector-table\n", f"# End of the generated {what}\n"
        head, _, rest = text.partition(begin)
        text = head + begin + "".join(f"{line}\n" for line in lines) + end + rest.partition(end)[2]
    return text


def main() -> int:
    files = {TABLE: table, PACKAGE: package}
    if "--check" in sys.argv[1:]:
        return int(any(path.read_text(encoding="utf-8") != text() for path, text in files.items()))
    for path, text in files.items():
        path.write_text(text(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
