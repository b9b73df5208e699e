"""In-memory column cache of the table `articles`: what search needs to rank, filter and count every article.

A frequent word occurs in tens of thousands of articles. Looking each of them up in the database takes longer than a
reader waits, counting columns in memory some milliseconds. The columns are read once and catch up by the log `changes`:
every writer logs, in the same transaction, the stories that its articles are in and were in.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from samestory.database import Database, Session

Numbers = NDArray[np.int64]

#: Distinct values are found with a bitmap if their range is at most this many times their count, else by sorting.
MAX_RANGE_PER_VALUE = 16

#: If more than this share of the articles has changed, all are read again.
MAX_CHANGED_SHARE = 0.2

COLUMNS = ("number", "story", "coalesce(at, arrived)", "day", "words", "came", "source", "lang")
_SELECT = f"SELECT {', '.join(COLUMNS)} FROM articles WHERE story IS NOT NULL"


class NameTable:
    """Sources or languages, numbered in the order of first use; None is a name too."""

    def __init__(self) -> None:
        self.names: list[str | None] = []
        self._numbers: dict[str | None, int] = {}

    def number(self, name: str | None) -> int:
        """Return the number of a name; a new name is assigned the next one."""
        number = self._numbers.get(name)
        if number is None:
            number = self._numbers[name] = len(self.names)
            self.names.append(name)
        return number


@dataclass(frozen=True)
class ArticleColumns:
    """The articles as columns, sorted by number. Rows are immutable; only the name tables grow."""

    seq: int
    """The last log entry that the columns include."""
    columns: tuple[Numbers, ...]
    sources: NameTable
    languages: NameTable
    stories: Numbers = field(init=False)
    """The numbers of all stories, sorted."""
    story: Numbers = field(init=False)
    """The story of every article, as an index into `stories`."""

    def __post_init__(self) -> None:
        stories, story = _unique_inverse(self.columns[1])
        object.__setattr__(self, "stories", stories)
        object.__setattr__(self, "story", story)

    def __len__(self) -> int:
        return len(self.columns[0])

    @property
    def number(self) -> Numbers:
        """The numbers of the articles, sorted."""
        return self.columns[0]

    @property
    def time(self) -> Numbers:
        """The publication times or, where unknown, the arrival times, in microseconds since 1970."""
        return self.columns[2]

    @property
    def day(self) -> Numbers:
        """The days, counted from 1970."""
        return self.columns[3]

    @property
    def words(self) -> Numbers:
        """The numbers of words."""
        return self.columns[4]

    @property
    def came(self) -> Numbers:
        """The numbers that the articles had when they first arrived."""
        return self.columns[5]

    @property
    def source(self) -> Numbers:
        """The sources, as numbers of `sources`."""
        return self.columns[6]

    @property
    def language(self) -> Numbers:
        """The languages, as numbers of `languages`."""
        return self.columns[7]

    def rows(self, numbers: Numbers) -> Numbers:
        """Return the row indices of article numbers, sorted; unknown numbers are skipped."""
        if not len(self):
            return np.empty(0, np.int64)
        at = np.minimum(np.searchsorted(self.number, numbers), len(self) - 1)
        return np.sort(at[self.number[at] == numbers])


def _unique_inverse(values: Numbers) -> tuple[Numbers, Numbers]:
    """Return the distinct values, sorted, and the index of each value among them."""
    low, high = (int(values.min()), int(values.max())) if len(values) else (0, 0)
    if high - low > MAX_RANGE_PER_VALUE * len(values):
        return np.unique(values, return_inverse=True)
    # story numbers are dense: a bitmap takes a tenth of the time of sorting
    present = np.zeros(high - low + 1, bool)
    present[values - low] = True
    return np.flatnonzero(present) + low, (np.cumsum(present) - 1)[values - low]


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
        table = _catch_up(before[-1], session, seq) if before else None
        if table is None:
            table = _read(session, seq)
        versions.append(table)
        versions.sort(key=lambda each: each.seq)
        del versions[:-MAX_VERSIONS]
        return table


def _seq(session: Session) -> int:
    row = session.one("SELECT max(seq) FROM changes")
    return int(row[0]) if row and row[0] is not None else 0


def _read(session: Session, seq: int) -> ArticleColumns:
    """Read all articles."""
    rows = session.rows(f"{_SELECT} ORDER BY number")
    sources, languages = NameTable(), NameTable()
    return ArticleColumns(seq, _columns(rows, sources, languages), sources, languages)


def _columns(rows: Sequence[tuple[Any, ...]], sources: NameTable, languages: NameTable) -> tuple[Numbers, ...]:
    """Transpose rows to columns, with sources and languages as numbers."""
    if not rows:
        return tuple(np.empty(0, np.int64) for _ in COLUMNS)
    *plain, source, language = zip(*rows, strict=True)
    numbered = [list(map(sources.number, source)), list(map(languages.number, language))]
    return tuple(np.array(column, np.int64) for column in (*plain, *numbered))


def _catch_up(known: ArticleColumns, session: Session, seq: int) -> ArticleColumns | None:
    """Return the columns with later changes applied; None if the log is too short or the changes are too many."""
    oldest = session.one("SELECT min(seq) FROM changes")
    if oldest is None or oldest[0] is None or oldest[0] > known.seq + 1:
        return None  # the log does not reach back that far
    stories: set[int] = set()
    ids: set[str] = set()
    sql = "SELECT story, articles, other FROM changes WHERE seq > ?"
    for story, articles, other in session.rows(sql, (known.seq,)):
        stories |= {number for number in (story, other) if number is not None}
        ids.update(json.loads(articles) if articles else ())
    touched = np.isin(known.columns[1], np.fromiter(stories, np.int64, len(stories)))
    if touched.sum() + len(ids) > MAX_CHANGED_SHARE * len(known):
        return None
    last = int(known.number[-1]) if len(known) else -1
    select = f"{_SELECT} AND"
    fresh = {row[0]: row for row in session.rows(f"{select} number > ?", (last,))}
    for column, values in (("number", known.number[touched].tolist()), ("story", stories), ("id", ids)):
        fresh |= {row[0]: row for row in session.rows_among(f"{select} {column} IN ({{}})", values)}
    new = _columns(list(fresh.values()), known.sources, known.languages)
    unchanged = ~touched & ~np.isin(known.number, new[0])
    merged = [np.concatenate([old[unchanged], added]) for old, added in zip(known.columns, new, strict=True)]
    order = np.argsort(merged[0], kind="stable")
    return ArticleColumns(seq, tuple(column[order] for column in merged), known.sources, known.languages)
