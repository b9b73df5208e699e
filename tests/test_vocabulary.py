"""Names and sizes: one class or type per name, short files, and the words of the field."""

import ast
import io
import re
import tokenize
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
MAX_LINES = 450
RUST_TYPE = re.compile(r"^\s*pub(?:\([^)]*\))? (?:struct|enum|trait) (\w+)", re.MULTILINE)
#: Words that stand for a missing subject or verb in comments, messages and docstrings.
VAGUE = re.compile(r"\b(told|whoever|nobody|somebody)\b", re.IGNORECASE)

#: Constants without their subject, and types that are no nouns.
VAGUE_CONSTANT = re.compile(r"\b(?:const|static) ((?:MOST|LEAST|LONGEST|SHORTEST)(?:_\w+)?): (?:usize|[iuf]\d+)\b")
VAGUE_TYPES = {
    "Asked",
    "Compared",
    "Filed",
    "Found",
    "Given",
    "Known",
    "Related",
    "Repeated",
    "Said",
    "Seen",
    "Shown",
    "Told",
}
#: A constructor that is called `of` in place of `new`, `from_…` or `parse`.
VAGUE_CONSTRUCTOR = re.compile(r"\bfn of(?:<[^>]*>)?\((?!&(?:mut )?self\b)[^)]*\) -> (?:Self|Option<Self>|Result<Self)")

#: Decisions with tables of old and new names.
RENAMINGS = ("0018-layers-of-the-core.md", "0019-one-engine-for-python-detectors.md", "0020-standard-vocabulary.md")


def pages() -> list[Path]:
    """The pages of the documentation, the templates of both servers, the scripts and the Makefile."""
    names = ("README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "Makefile")
    patterns: tuple[str, ...] = ("docs/**/*.md", "benchmarks/**/*.md", "scripts/**/*")
    patterns += ("src/samestory/web/**/*.html", "src/samestory/lab/judging/**/*.html")
    found = [ROOT / name for name in names] + [path for pattern in patterns for path in ROOT.glob(pattern)]
    return [path for path in found if path.suffix in ("", ".md", ".html", ".py", ".template") and path.is_file()]


def sources() -> list[Path]:
    """The source files of both languages."""
    python, rust = ROOT.glob("src/samestory/**/*.py*"), ROOT.glob("crates/*/src/**/*.rs")
    return [path for path in (*python, *rust) if path.suffix in (".py", ".pyi", ".rs")]


def test_no_two_public_classes_have_one_name() -> None:
    places = defaultdict(list)
    for path in ROOT.glob("src/samestory/**/*.py"):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                places[node.name].append(str(path.relative_to(ROOT)))
    assert len(places) > 300
    assert {name: paths for name, paths in places.items() if len(paths) > 1} == {}


@pytest.mark.parametrize("crate", ["samestory-core", "samestory-py"])
def test_no_two_public_rust_types_of_a_crate_have_one_name(crate: str) -> None:
    places = defaultdict(list)
    for path in (ROOT / "crates" / crate / "src").glob("**/*.rs"):
        for name in RUST_TYPE.findall(path.read_text(encoding="utf-8")):
            places[name].append(str(path.relative_to(ROOT)))
    assert len(places) > 30
    assert {name: paths for name, paths in places.items() if len(paths) > 1} == {}


def test_no_source_file_is_longer_than_a_reader_can_hold() -> None:
    scripts = [path for path in (ROOT / "scripts").rglob("*") if path.suffix in (".py", ".template")]
    paths = [*sources(), *checks(), Path(__file__), *scripts]
    lengths = {str(path.relative_to(ROOT)): len(path.read_bytes().splitlines()) for path in paths}
    assert len(lengths) > 1000
    assert {path: lines for path, lines in lengths.items() if lines > MAX_LINES} == {}


def vague_lines(paths: list[Path]) -> list[str]:
    """The lines with a vague word, with their places; tables of renamed modules and classes are left out."""
    lines = (
        (path, number, line)
        for path in paths
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if not (path.name in RENAMINGS and line.startswith("| `"))
    )
    return [f"{path.relative_to(ROOT)}:{number}: {line}" for path, number, line in lines if VAGUE.search(line)]


def checks() -> list[Path]:
    """The tests and benchmarks, without this file."""
    found = [path for folder in ("tests", "benchmarks", "demo") for path in (ROOT / folder).rglob("*.py")]
    return [path for path in found if path != Path(__file__)]


def prose(source: str) -> Iterator[tuple[int, str]]:
    """Names, comments and docstrings of a file with their lines; other texts are news, names of users and the like."""
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.NAME:
            yield token.start[0], re.sub(r"_|(?<=[a-z])(?=[A-Z])", " ", token.string)
        elif token.type == tokenize.COMMENT:
            yield token.start[0], token.string
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            yield node.lineno, node.value.value


def test_tests_and_benchmarks_use_the_words_of_the_field() -> None:
    assert len(checks()) > 300
    found = [
        f"{path.relative_to(ROOT)}:{number}: {text}"
        for path in checks()
        for number, text in prose(path.read_text(encoding="utf-8"))
        if VAGUE.search(text)
    ]
    assert found == []


def test_names_comments_and_docstrings_are_prose() -> None:
    source = "def as_told(x: Told):\n    'Nobody.'  # somebody\n    return 'Nobody was hurt'\n"
    assert [(line, VAGUE.findall(text)) for line, text in prose(source) if VAGUE.search(text)] == [
        (1, ["told"]),
        (1, ["Told"]),
        (2, ["somebody"]),
        (2, ["Nobody"]),
    ]


def test_sources_use_the_words_of_the_field() -> None:
    assert vague_lines(sources()) == []


def rust_sources() -> dict[str, str]:
    """The Rust sources by their path, and the template for detectors."""
    paths = [path for path in sources() if path.suffix == ".rs"] + list((ROOT / "scripts").glob("**/*.rs.template"))
    return {str(path.relative_to(ROOT)): path.read_text(encoding="utf-8") for path in paths}


def test_constants_types_and_constructors_have_names_of_the_field() -> None:
    sources = rust_sources()
    assert len(sources) > 250
    types = [(path, name) for path, source in sources.items() for name in RUST_TYPE.findall(source)]
    assert [(path, name) for path, name in types if name in VAGUE_TYPES] == []
    constants = {path: found for path, source in sources.items() if (found := VAGUE_CONSTANT.findall(source))}
    assert constants == {}
    assert [path for path, source in sources.items() if VAGUE_CONSTRUCTOR.search(source)] == []


def test_vague_constructors_and_constants_are_recognised() -> None:
    assert VAGUE_CONSTRUCTOR.search("    pub fn of(parameters: &Parameters) -> Result<Self, Missing> {")
    assert VAGUE_CONSTRUCTOR.search("fn of(\n    one: u32,\n) -> Self {")
    assert not VAGUE_CONSTRUCTOR.search("pub fn of(&self, class: u32) -> Self {")
    assert VAGUE_CONSTANT.findall("pub const MOST_DATA: usize = 16;") == ["MOST_DATA"]


def test_pages_use_the_words_of_the_field() -> None:
    assert len(pages()) > 80
    assert vague_lines(pages()) == []
