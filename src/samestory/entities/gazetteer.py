"""Lists of names: those of the language packs, and a user's own.

A list is a text file, one name a line, `#` begins a remark. What its names are, its file name tells (`person.txt`,
`location-istanbul.txt`, `organization.txt`), or a second column behind a tab:

    Karşıyaka	location
    Yeşilay	organization

A folder stands for all such files in it. A line that cannot be read is told with its number, and the rest goes on.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from samestory.errors import InputError

#: What the names of a list can be.
CLASSES = ("person", "location", "organization")


class Line(NamedTuple):
    """A line of a list that cannot be read."""

    file: str
    line: int
    problem: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.problem}"


class Gazetteer(NamedTuple):
    """Names by class, and the lines that were passed over."""

    names: dict[str, list[str]]
    problems: list[Line]


def entries(text: str) -> Iterator[str]:
    """The entries of a list, without remarks and blank lines.

    >>> list(entries("# towns\\nBursa  # a city\\n\\nVan\\n"))
    ['Bursa', 'Van']
    """
    for line in text.split("\n"):
        entry = line.partition("#")[0].strip()
        if entry:
            yield entry


def read_gazetteer(path: str | Path) -> Gazetteer:
    """Reads a user's list, or a folder of them."""
    where = Path(path)
    files = sorted(where.glob("*.txt")) if where.is_dir() else [where]
    if not files:
        raise InputError(f"{where}: no list of names (*.txt) in this folder")
    found = Gazetteer({name: [] for name in CLASSES}, [])
    for file in files:
        _read(file, found, alone=not where.is_dir())
    return found


def _read(file: Path, found: Gazetteer, alone: bool) -> None:
    try:
        raw = file.read_bytes()
    except OSError as error:
        raise InputError(f"{file}: {error.strerror or error}") from None
    whole = next((name for name in CLASSES if file.stem.lower().startswith(name)), None)
    problems = []
    taken = 0
    for number, line in enumerate(raw.split(b"\n"), 1):
        try:
            text = line.decode("utf-8-sig" if number == 1 else "utf-8")
        except UnicodeDecodeError:
            problems.append(Line(str(file), number, "not UTF-8"))
            continue
        entry = text.partition("#")[0].strip()
        if not entry:
            continue
        name, tab, told = (part.strip() for part in entry.partition("\t"))
        kind = told.lower() if tab else whole
        if kind not in CLASSES:
            got = f"got {told!r}" if tab else "and the file name does not tell either"
            problems.append(Line(str(file), number, f"wanted a name, a tab and {' or '.join(CLASSES)}; {got}"))
        elif not any(letter.isalpha() for letter in name):
            problems.append(Line(str(file), number, f"a name has letters, got {name!r}"))
        else:
            found.names[kind].append(name)
            taken += 1
    if alone and problems and not taken:
        hint = "one name a line, in a file called person.txt, location.txt or organization.txt, or name, tab, class"
        raise InputError(f"{file}: no name can be read; {problems[0].problem}", hint)
    found.problems.extend(problems)
