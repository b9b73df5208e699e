"""Reads articles as Python objects, one at a time.

The main job does not use this module: the native core reads files without creating objects for articles.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import Any

from samestory import _core
from samestory.errors import ParameterError
from samestory.model import Article
from samestory.old_arguments import accept_old_arguments
from samestory.readers.metadata import to_metadata
from samestory.readers.objects import ROLES
from samestory.readers.parquet import TableRow, is_parquet, name, parquet_rows

#: Line (for a folder, the file), values in the order of ROLES or None, fault and detail or None, and the other fields,
#: as a mapping or as JSON.
Row = tuple[int | str, list[str | None] | None, tuple[str, str] | None, Mapping[str, Any] | str | None]
Rows = Iterable[Row]

#: Faults of input that was not read to its end: a file that cannot be opened or breaks off, and a damaged part of one.
UNREADABLE, DAMAGED = LOSSES = ("unreadable", "damaged")


def is_missing(path: str) -> bool:
    """Returns whether a path ("-": standard input) names no file or folder."""
    try:
        return path != "-" and not Path(path).stat()
    except (FileNotFoundError, NotADirectoryError):
        return True
    except (OSError, ValueError):
        return False  # reading it will report why


@dataclass(frozen=True, slots=True)
class Source:
    """A source of articles and how to read it; roles missing from `fields` are matched by their usual field names."""

    path: str
    fields: Mapping[str, str] = field(default_factory=dict)
    format: str | None = None
    encoding: str | None = None
    largest: int = _core.LARGEST

    def __post_init__(self) -> None:
        for role in self.fields:
            if role not in ROLES:
                raise ParameterError(f"field: expected one of {', '.join(ROLES)}, got {role!r}")


@dataclass(frozen=True, slots=True)
class Problem:
    """A rejected record, or a doubtful one that was kept, with its location."""

    file: str
    line: int
    fault: str
    detail: str
    kept: bool = False

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}" if self.line else self.file
        message = f"{place}: {self.fault}: {self.detail}"
        # escape control characters, which could control the terminal
        return "".join(c if c.isprintable() else repr(c)[1:-1] for c in message)


@accept_old_arguments("known_ids", "allow_repeated_ids", seen="known_ids", again="allow_repeated_ids")
def read(
    source: Source | str | os.PathLike[str], *, known_ids: set[str] | None = None, allow_repeated_ids: bool = False
) -> Iterator[Article | Problem]:
    """Yields the articles and problems of a file or folder, in order.

    Problems are yielded, not raised, so that a bad line does not stop reading. To read several sources as one, pass the
    same set of `known_ids`, to which ids are added; an article with a known id is a problem. With `allow_repeated_ids`,
    ids may repeat and are not added, so that the input can be endless.
    """
    if not isinstance(source, Source):
        source = Source(os.fspath(source))
    if is_parquet(source.path, source.format):
        rows: Rows = _judged(parquet_rows(source.path, source.fields, with_others=True), source.largest)
    else:
        native = _core.engine.Reader(
            source.path, list(source.fields.items()), source.format, source.encoding, source.largest
        )
        rows = chain.from_iterable(native)
    known_ids = set() if known_ids is None else known_ids
    for place, values, fault, others in rows:
        file, line = (place, 0) if isinstance(place, str) else (name(source.path), place)
        if values is not None:
            id, title, text, published, url, publisher, lang = values
            id = id or f"{file}:{line}"
            if id in known_ids:
                short = id if len(id) <= 200 else f"{id[:200]}…"
                yield Problem(file, line, "duplicate id", f'the id "{short}" was read before')
                continue
            if not allow_repeated_ids:
                known_ids.add(id)
            metadata, left_out = to_metadata(others, source.fields.values())
            yield Article(id, text or "", title, published, url, publisher, lang, metadata)
            if left_out:
                yield Problem(file, line, "unreadable field", left_out, kept=True)
        if fault is not None:
            yield Problem(file, line, *fault, kept=values is not None)


def _judged(rows: Iterable[TableRow], largest: int) -> Rows:
    """Applies the record rules of the native core to rows read in Python."""
    for place, values, doubts, others in rows:
        if isinstance(values, tuple):
            yield place, None, values, None
        else:
            yield place, *_core.engine.judge(values, doubts, largest), others
