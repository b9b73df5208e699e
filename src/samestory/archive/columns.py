"""In-memory columns of the table `articles`: what search needs to rank, filter and count every article.

A frequent word occurs in tens of thousands of articles. Looking each of them up in the database takes longer than a
reader waits, counting columns in memory some milliseconds. The columns are read once and catch up by the log `changes`:
every writer logs, in the same transaction, the stories that its articles are in and were in.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, NamedTuple, TypeVar
from weakref import WeakKeyDictionary

import numpy as np

from samestory._core.search import ArticleTable
from samestory.archive.matching import HitCache, MatchCache, Numbers
from samestory.database import Database, Session

#: If more than this share of the articles has changed, all are read again.
MAX_CHANGED_SHARE = 0.2

COLUMNS = ("number", "story", "came", "coalesce(at, arrived)", "words", "source", "lang", "day")
_SELECT = f"SELECT {', '.join(COLUMNS)} FROM articles WHERE story IS NOT NULL"

#: Events of the log that only add the articles that they name to a story.
ADDITIONS = frozenset({"opened", "joined"})

T = TypeVar("T")


class Codes(Generic[T]):
    """The values of a facet, numbered in the order of first use; the code of None, an unknown value, is 0."""

    def __init__(self) -> None:
        self.values: list[T | None] = [None]
        self._codes: dict[T | None, int] = {None: 0}
        self._places: list[int] = []

    def code(self, value: T | None) -> int:
        """Return the code of a value; a new value is assigned the next one."""
        code = self._codes.get(value)
        if code is None:
            code = self._codes[value] = len(self.values)
            self.values.append(value)
        return code

    def places(self) -> list[int]:
        """Return by code the place of its value in the order of values; None is last."""
        places = self._places
        if len(places) != len(self.values):
            values: list[Any] = self.values[1:]
            places = [len(values)] * (1 + len(values))
            for place, code in enumerate(sorted(range(len(values)), key=values.__getitem__)):
                places[code + 1] = place
            self._places = places
        return places


class FacetCodes(NamedTuple):
    """The codes of the facets, in the order of the table; days are counted from 1970."""

    sources: Codes[str]
    languages: Codes[str]
    days: Codes[int]


@dataclass(frozen=True)
class ArticleColumns:
    """The articles as of one position of the log. Tables are immutable; codes and caches are shared and only grow."""

    seq: int
    """The last log entry that the columns include."""
    table: ArticleTable
    facets: FacetCodes
    matches: MatchCache
    hits: HitCache


#: The number of versions kept per database, so that a session with an older snapshot still finds its own.
MAX_VERSIONS = 4

_cache: WeakKeyDictionary[Database, list[ArticleColumns]] = WeakKeyDictionary()
_lock = threading.Lock()


def load_columns(database: Database, session: Session) -> ArticleColumns:
    """Return the columns of the database as this session sees it."""
    seq = _seq(session)
    with _lock:
        versions = _cache.setdefault(database, [])
        before = [each for each in versions if each.seq <= seq]
        if before and before[-1].seq == seq:
            return before[-1]
        columns = _catch_up(before[-1], session, seq) if before else None
        if columns is None:
            columns = _read(database.kind, session, seq)
        versions.append(columns)
        versions.sort(key=lambda each: each.seq)
        del versions[:-MAX_VERSIONS]
        return columns


def _seq(session: Session) -> int:
    row = session.one("SELECT max(seq) FROM changes")
    return int(row[0]) if row and row[0] is not None else 0


def _read(kind: str, session: Session, seq: int) -> ArticleColumns:
    """Read all articles."""
    facets = FacetCodes(Codes(), Codes(), Codes())
    table = ArticleTable(_columns(session.rows(f"{_SELECT} ORDER BY number"), facets))
    return ArticleColumns(seq, table, facets, MatchCache(kind), HitCache())


def _columns(rows: Sequence[tuple[Any, ...]], facets: FacetCodes) -> list[Numbers]:
    """Transpose rows to columns, with facets as codes."""
    if not rows:
        return [np.empty(0, np.int64) for _ in COLUMNS]
    columns = list(zip(*rows, strict=True))
    of_facets: Iterable[tuple[Codes[Any], Any]] = zip(facets, columns[-len(facets) :], strict=True)
    coded = (list(map(codes.code, column)) for codes, column in of_facets)
    return [np.array(column, np.int64) for column in (*columns[: -len(facets)], *coded)]


def _catch_up(known: ArticleColumns, session: Session, seq: int) -> ArticleColumns | None:
    """Return the columns with later changes applied; None if the log is too short or the changes are too many."""
    oldest = session.one("SELECT min(seq) FROM changes")
    if oldest is None or oldest[0] is None or oldest[0] > known.seq + 1:
        return None  # the log does not reach back that far
    stories: set[int] = set()
    ids: set[str] = set()
    sql = "SELECT what, story, articles, other FROM changes WHERE seq > ?"
    for what, story, articles, other in session.rows(sql, (known.seq,)):
        if what == "repaired":
            return None  # any row may have changed, and the words of articles too
        ids.update(json.loads(articles) if articles else ())
        if what not in ADDITIONS:
            stories |= {number for number in (story, other) if number is not None}
    touched = np.asarray(known.table.members(list(stories)))
    if len(touched) + len(ids) > MAX_CHANGED_SHARE * len(known.table):
        return None
    select = f"{_SELECT} AND"
    fresh = {row[0]: row for row in session.rows(f"{select} number > ?", (known.table.last,))}
    for column, values in (("number", touched.tolist()), ("story", stories), ("id", ids)):
        fresh |= {row[0]: row for row in session.rows_among(f"{select} {column} IN ({{}})", values)}
    table = known.table.changed(touched, _columns(list(fresh.values()), known.facets))
    return ArticleColumns(seq, table, known.facets, known.matches, known.hits)
