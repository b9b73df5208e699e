"""Gazetteers: name lists of the language packs and of the user.

A list is a text file with one name per line; `#` begins a comment. The class of its names is given by the file name
(`person.txt`, `location-istanbul.txt`, `organization.txt`) or by a second column after a tab:

    Karşıyaka	location
    Yeşilay	organization

A folder is read as all such files in it. An invalid line is reported with its number and skipped.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from samestory.errors import InputError
from samestory.readers import Problem, name

#: The classes of names.
CLASSES = ("person", "location", "organization")
#: Classes by spelling.
SPELLINGS = {**{kind: kind for kind in CLASSES}, "organisation": "organization"}
HINT = "one name per line, in a file called person.txt, location.txt or organization.txt, or name, tab, class"


class Gazetteer(NamedTuple):
    """Names by class, and the lines that were skipped."""

    names: dict[str, list[str]]
    problems: list[Problem]


def entries(text: str) -> Iterator[str]:
    """Yields the entries of a list, without comments and blank lines.

    >>> list(entries("# towns\\nBursa  # a city\\n\\nVan\\n"))
    ['Bursa', 'Van']
    """
    for line in text.split("\n"):
        entry = line.partition("#")[0].strip()
        if entry:
            yield entry


def read_gazetteer(path: str | Path) -> Gazetteer:
    """Reads a list, or a folder of lists."""
    source = Path(path)
    try:
        files = sorted(_lists(source)) if source.is_dir() else [source]
    except OSError as error:
        raise InputError((error.strerror or str(error)).lower(), place=name(source)) from None
    if not files:
        raise InputError("no list of names (*.txt) in this folder", HINT, place=name(source))
    found = Gazetteer({kind: [] for kind in CLASSES}, [])
    for file in files:
        _read(file, found)
    if not any(found.names.values()):
        raise InputError(
            "no names in it" + (f"; {found.problems[0]}" if found.problems else ""), HINT, place=name(source)
        )
    return found


def _lists(folder: Path) -> Iterator[Path]:
    return (file for file in folder.iterdir() if file.suffix.lower() == ".txt" and file.is_file())


def _read(file: Path, found: Gazetteer) -> None:
    try:
        raw = file.read_bytes()
    except OSError as error:
        raise InputError((error.strerror or str(error)).lower(), place=name(file)) from None
    default = next((SPELLINGS[kind] for kind in SPELLINGS if file.stem.lower().startswith(kind)), None)
    for number, line in enumerate(raw.split(b"\n"), 1):
        try:
            entry = _entry(line.decode("utf-8-sig" if number == 1 else "utf-8"), default)
        except UnicodeDecodeError:
            found.problems.append(Problem(name(file), number, "wrong encoding", "expected UTF-8"))
        except ValueError as error:
            found.problems.append(Problem(name(file), number, "not a name", str(error)))
        else:
            if entry:
                found.names[entry[1]].append(entry[0])


def _entry(line: str, default: str | None) -> tuple[str, str] | None:
    """Parses the name and class of a line; None if it is blank or a comment. Raises ValueError if it is invalid."""
    entry = line.partition("#")[0].replace("\N{NO-BREAK SPACE}", " ")
    if not entry.strip():
        return None
    text, label = (column.strip() for column in entry.partition("\t")[::2])
    kind = SPELLINGS.get(label.lower()) if label else default
    if kind is None:
        got = f"got {label!r}" if label else "the file name has no class either"
        raise ValueError(f"expected a name, a tab and {' or '.join(CLASSES)}; {got}")
    if not any(letter.isalpha() for letter in text) or not text.isprintable():
        raise ValueError(f"expected letters, got {text!r}")
    return text, kind
