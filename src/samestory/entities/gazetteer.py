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
from samestory.readers import Problem, name

#: What the names of a list can be.
CLASSES = ("person", "location", "organization")
#: The same in other spellings.
SPELLINGS = {**{kind: kind for kind in CLASSES}, "organisation": "organization"}
HINT = "one name a line, in a file called person.txt, location.txt or organization.txt, or name, tab, class"


class Gazetteer(NamedTuple):
    """Names by class, and the lines that were passed over."""

    names: dict[str, list[str]]
    problems: list[Problem]


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
    try:
        files = sorted(_lists(where)) if where.is_dir() else [where]
    except OSError as error:
        raise InputError(f"{name(where)}: {(error.strerror or str(error)).lower()}") from None
    if not files:
        raise InputError(f"{name(where)}: no list of names (*.txt) in this folder", HINT)
    found = Gazetteer({kind: [] for kind in CLASSES}, [])
    for file in files:
        _read(file, found)
    if not any(found.names.values()):
        raise InputError(f"{name(where)}: no names in it" + (f"; {found.problems[0]}" if found.problems else ""), HINT)
    return found


def _lists(folder: Path) -> Iterator[Path]:
    return (file for file in folder.iterdir() if file.suffix.lower() == ".txt" and file.is_file())


def _read(file: Path, found: Gazetteer) -> None:
    try:
        raw = file.read_bytes()
    except OSError as error:
        raise InputError(f"{name(file)}: {(error.strerror or str(error)).lower()}") from None
    whole = next((SPELLINGS[kind] for kind in SPELLINGS if file.stem.lower().startswith(kind)), None)
    for number, line in enumerate(raw.split(b"\n"), 1):
        try:
            entry = _entry(line.decode("utf-8-sig" if number == 1 else "utf-8"), whole)
        except UnicodeDecodeError:
            found.problems.append(Problem(name(file), number, "wrong encoding", "UTF-8 is wanted"))
        except ValueError as error:
            found.problems.append(Problem(name(file), number, "not a name", str(error)))
        else:
            if entry:
                found.names[entry[1]].append(entry[0])


def _entry(line: str, whole: str | None) -> tuple[str, str] | None:
    """The name of a line and its class; none where the line has a remark at most. A ValueError says what is wrong."""
    entry = line.partition("#")[0].replace("\N{NO-BREAK SPACE}", " ")
    if not entry.strip():
        return None
    text, told = (column.strip() for column in entry.partition("\t")[::2])
    kind = SPELLINGS.get(told.lower()) if told else whole
    if kind is None:
        got = f"got {told!r}" if told else "and the file name does not tell either"
        raise ValueError(f"wanted a name, a tab and {' or '.join(CLASSES)}; {got}")
    if not any(letter.isalpha() for letter in text) or not text.isprintable():
        raise ValueError(f"letters are wanted, got {text!r}")
    return text, kind
