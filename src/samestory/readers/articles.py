"""Articles as objects, one after the other, for those who want to look at them.

The main job does not come this way: it reads in the native core and never makes an object of an article.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain

from samestory import _core
from samestory.errors import InputError, ParameterError
from samestory.model import Article
from samestory.readers.objects import ROLES
from samestory.readers.parquet import Row, TableRow, is_parquet, name, parquet_rows

Rows = Iterable[Row]


@dataclass(frozen=True, slots=True)
class Source:
    """Where articles come from and how to read it; a field that is not named here is known by its usual names."""

    path: str
    fields: Mapping[str, str] = field(default_factory=dict)
    format: str | None = None
    encoding: str | None = None
    largest: int = _core.LARGEST

    def __post_init__(self) -> None:
        for role in self.fields:
            if role not in ROLES:
                raise ParameterError(f"field: one of {', '.join(ROLES)} is wanted, got {role!r}")


@dataclass(frozen=True, slots=True)
class Problem:
    """Something refused (or doubted and kept), with its place."""

    file: str
    line: int
    fault: str
    detail: str
    kept: bool = False

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}" if self.line else self.file
        message = f"{place}: {self.fault}: {self.detail}"
        # what was read must not steer the terminal that shows it
        return "".join(c if c.isprintable() else repr(c)[1:-1] for c in message)


def read(
    source: Source | str | os.PathLike[str], seen: set[str] | None = None, again: bool = False
) -> Iterator[Article | Problem]:
    """The articles of a file or folder, and in their places the problems met on the way.

    A bad line never stops the good ones: failures are values here. Who reads several sources as one gives them one set
    of the ids that were `seen`. Where ids may come `again` none is remembered, so that an input may have no end.
    """
    if not isinstance(source, Source):
        source = Source(os.fspath(source))
    if is_parquet(source.path, source.format):
        rows: Rows = _judged(parquet_rows(source.path, source.fields), source.largest)
    else:
        try:
            native = _core.Reader(
                source.path, list(source.fields.items()), source.format, source.encoding, source.largest
            )
        except OSError as error:
            raise InputError(str(error)) from None
        except ValueError as error:
            raise ParameterError(str(error)) from None
        rows = chain.from_iterable(_batches(native, source.path))
    seen = set() if seen is None else seen
    for place, values, fault in rows:
        file, line = (place, 0) if isinstance(place, str) else (name(source.path), place)
        if values is not None:
            id, title, text, published, url, publisher, lang = values
            id = id or f"{file}:{line}"
            if id in seen:
                short = id if len(id) <= 200 else f"{id[:200]}…"
                yield Problem(file, line, "duplicate id", f'the id "{short}" was read before')
                continue
            if not again:
                seen.add(id)
            yield Article(id, text or "", title, published, url, publisher, lang)
        if fault is not None:
            yield Problem(file, line, *fault, kept=values is not None)


def _judged(rows: Iterable[TableRow], largest: int) -> Rows:
    """Rows that were read here are put to the rules of the native core, as its own are."""
    for place, values, doubts in rows:
        if isinstance(values, tuple):
            yield place, None, values
        else:
            yield place, *_core.judge(values, doubts, largest)


def _batches(native: _core.Reader, path: str) -> Iterator[list[Row]]:
    while True:
        try:
            yield next(native)
        except StopIteration:
            return
        except OSError as error:
            raise InputError(f"{name(path)}: {error}") from None
