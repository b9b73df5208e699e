"""Write the skeleton of a new detector: code, oracle, tests, a page; and everything that is generated from them.

    make new-detector NAME=same-words             a detector in Python
    make new-detector NAME=same-words RUST=1      the same with its work in the Rust core

The skeleton works: it relates articles by the Jaccard coefficient of their sets of words. Replace its formula in the
code and in the oracle by yours, then `make golden test`.
"""

import argparse
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TEMPLATES = Path(__file__).resolve().parent / "new_detector"
CORE = Path("crates/samestory-core/src/detectors")
#: Template to the file that it becomes; `{module}` is the name with underscores.
FILES = {
    "oracle.py": "tests/reference/{module}.py",
    "test.py": "tests/detectors/test_{module}.py",
    "page.md": "docs/concepts/{module}.md",
}
PYTHON = FILES | {"detector.py": "src/samestory/detectors/{module}.py"}
RUST = FILES | {"native.py": "src/samestory/detectors/{module}.py", "detector.rs": f"{CORE}/{{module}}.rs"}


def insert_sorted(path: Path, line: str, like: str) -> None:
    """Inserts a line into a file, in order, among the lines that match a pattern."""
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    places = [at for at, other in enumerate(lines) if re.match(like, other)]
    after = [at for at in places if lines[at].removeprefix("pub ") < line]
    lines.insert(after[-1] + 1 if after else places[0], line)
    path.write_text("".join(lines), encoding="utf-8")


def register(root: Path, name: str, module: str, cls: str) -> None:
    """Adds a Rust detector to the module and to the registry."""
    insert_sorted(root / CORE / "mod.rs", f"mod {module};\n", r"(pub )?mod \w+;")
    registry = root / CORE / "registry.rs"
    arm = f'        "{name}" => Arc::new(super::{module}::{cls}::from_parameters(parameters)?),\n'
    insert_sorted(registry, arm, r'        "[\w-]+" => ')


def write(root: Path, name: str, is_rust: bool) -> list[Path]:
    """Writes the files of a new detector; none if one of them exists."""
    module = name.replace("-", "_")
    cls = "".join(part.capitalize() for part in name.split("-"))
    places = {each: root / place.format(module=module) for each, place in (RUST if is_rust else PYTHON).items()}
    if existing := [place for place in places.values() if place.exists()]:
        sys.exit(f"new-detector: {existing[0].relative_to(root)} exists already")
    for template, place in places.items():
        text = (TEMPLATES / f"{template}.template").read_text(encoding="utf-8")
        for old, new in {"@name@": name, "@module@": module, "@Class@": cls}.items():
            text = text.replace(old, new)
        place.write_text(text, encoding="utf-8")
    if is_rust:
        register(root, name, module, cls)
    return list(places.values())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("name", help="lower-case letters, digits and hyphens")
    parser.add_argument("--rust", action="store_true", help="with its work in the Rust core")
    parser.add_argument("--root", type=Path, default=ROOT, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if not re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", options.name):
        sys.exit(f"new-detector: NAME must be lower-case letters, digits and hyphens, got {options.name!r}")
    written = write(options.root, options.name, options.rust)
    subprocess.run([sys.executable, options.root / "scripts" / "detector_table.py"], check=True)
    print(*(f"wrote {path.relative_to(options.root)}" for path in written), sep="\n")
    print("next: put your formula into the code and into the oracle, then: make golden test")


if __name__ == "__main__":
    main()
