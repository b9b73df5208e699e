"""Run the notebooks of docs/notebooks and store what their cells print.

    python scripts/notebooks.py [--check] [FILE ...]

A notebook runs in its own namespace, in the folder of the repository.  With --check nothing is written; exit code 1
means that a cell printed something else than what is stored.  Cells are plain Python; the value of a last expression
is shown.
"""

import argparse
import ast
import contextlib
import io
import json
import os
import re
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
#: Numbers that differ from run to run.
VARYING = re.compile(r"\d+\.\d+ s\b|\b0x[0-9a-f]+")


def run_cell(source: str, names: dict[str, Any]) -> list[dict[str, Any]]:
    """Execute the source of a cell, and return its outputs as a notebook stores them."""
    tree = ast.parse(source)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    printed = io.StringIO()
    value = None
    with contextlib.redirect_stdout(printed):
        exec(compile(tree, "<cell>", "exec"), names)
        if last is not None:
            value = eval(compile(ast.Expression(last.value), "<cell>", "eval"), names)
    outputs: list[dict[str, Any]] = []
    if text := printed.getvalue():
        outputs.append({"name": "stdout", "output_type": "stream", "text": text.splitlines(keepends=True)})
    if value is not None:
        data = {"text/plain": repr(value).splitlines(keepends=True)}
        if html := getattr(value, "_repr_html_", None):
            data["text/html"] = str(html()).splitlines(keepends=True)
        outputs.append({"data": data, "execution_count": None, "metadata": {}, "output_type": "execute_result"})
    return outputs


def run(path: Path) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return a notebook as stored, and as it is after a run."""
    stored = json.loads(path.read_text(encoding="utf-8"))
    fresh = json.loads(json.dumps(stored))
    names: dict[str, Any] = {"__name__": "__main__"}
    count = 0
    for cell in fresh["cells"]:
        if cell["cell_type"] == "code":
            count += 1
            cell["execution_count"] = count
            cell["outputs"] = run_cell("".join(cell["source"]), names)
            for output in cell["outputs"]:
                if "execution_count" in output:
                    output["execution_count"] = count
    return stored, fresh


def comparable(notebook: dict[str, Any]) -> str:
    """The notebook without what differs from run to run."""
    return VARYING.sub("…", json.dumps(notebook, sort_keys=True, ensure_ascii=False))


def main() -> int:
    """Run the notebooks."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", type=Path, default=sorted((ROOT / "docs" / "notebooks").glob("*.ipynb")))
    parser.add_argument("--check", action="store_true", help="write nothing")
    options = parser.parse_args()
    os.chdir(ROOT)
    changed = 0
    for path in options.files:
        stored, fresh = run(path)
        if comparable(stored) == comparable(fresh):
            continue
        changed += 1
        print(f"{path.name}: {'not as stored' if options.check else 'written'}")
        if not options.check:
            path.write_text(json.dumps(fresh, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    return int(options.check and changed > 0)


if __name__ == "__main__":
    sys.exit(main())
