"""In-memory columns of facets: what search needs to count the stories of each value, and the names of all fields.

Fields with few values are counted; their articles are read once and catch up with the column cache of articles. A field
with many values, such as a URL, is found through the database.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from weakref import WeakKeyDictionary

import numpy as np

from samestory.archive import settings
from samestory.archive.columns import ArticleColumns, Numbers
from samestory.archive.facets import CHANGES, field_key, matching, number_list
from samestory.archive.query import Filters
from samestory.archive.ranking import Counts, count_stories
from samestory.database import Database, Session

#: Fields with more values are not counted; nor are more fields than this.
MAX_VALUES, MAX_FIELDS = 200, 500
#: Fields in a response, those with the most stories.
MAX_COUNTED_FIELDS = 12


@dataclass(frozen=True)
class FacetColumns:
    """The facets of fields with few values, and their articles, as pairs of numbers in two columns."""

    changes: int
    """How often facets of stored articles had changed."""
    values: Counter[str]
    """The number of values of each field."""
    facets: dict[int, tuple[str, str]]
    """Field and value of each facet that is counted, by its number."""
    facet: Numbers
    article: Numbers
    last_facet: int
    last_article: int
    seq: int
    """The last log entry that the columns include."""
    _rows: list[tuple[ArticleColumns, Numbers]] = field(default_factory=list, compare=False)

    def counts(self, table: ArticleColumns, rows: Numbers) -> tuple[tuple[str, Counts], ...]:
        """Count the stories of these rows by value, for the fields with the most stories."""
        if not len(self.facet) or not len(rows):
            return ()
        row = self._row(table)
        among = np.zeros(len(table) + 1, bool)
        among[rows] = True
        here = among[row]  # row -1, of an article that is gone, is the last one
        facet, story = self.facet[here], table.story[row[here]]
        if not len(facet):
            return ()
        first = int(facet.min())
        stories = count_stories(story, facet - first, len(table.stories), int(facet.max()) - first + 1)
        found: dict[str, list[tuple[str, int]]] = {}
        for at in np.flatnonzero(stories).tolist():
            name, value = self.facets[first + at]
            found.setdefault(name, []).append((value, int(stories[at])))
        most = sorted(found, key=lambda name: (-sum(count for _, count in found[name]), name))[:MAX_COUNTED_FIELDS]
        return tuple((name, tuple(sorted(found[name], key=lambda pair: (-pair[1], pair[0])))) for name in most)

    def _row(self, table: ArticleColumns) -> Numbers:
        """Return the row of each article in the table; -1 for those that are not there."""
        if not self._rows or self._rows[0][0] is not table:
            if not len(table):
                return np.full(len(self.article), -1, np.int64)
            at = np.minimum(np.searchsorted(table.number, self.article), len(table) - 1)
            self._rows[:] = [(table, np.where(table.number[at] == self.article, at, -1))]
        return self._rows[0][1]


_cache: WeakKeyDictionary[Database, FacetColumns] = WeakKeyDictionary()
_lock = threading.Lock()


def load_facets(database: Database, session: Session, table: ArticleColumns) -> FacetColumns:
    """Return the facets of the archive, at least as of the table."""
    with _lock:
        known = _cache.get(database)
        if known is None or known.seq < table.seq:
            changes = settings.number(session, CHANGES) or 0
            is_current = known is not None and known.changes == changes
            known = _catch_up(known, session, table) if known and is_current else _read(session, database.kind, table)
            _cache[database] = known
        return known


def narrow(session: Session, kind: str, table: ArticleColumns, rows: Numbers, filters: Iterable[Filters]) -> Numbers:
    """Return the rows with the metadata that the filters require; several values of a field are alternatives."""
    for each in filters:
        for name in dict.fromkeys(field_key(name) for name, _ in each.fields):
            values = [value for own, value in each.fields if field_key(own) == name]
            found = np.zeros(len(table), bool)
            found[table.rows(matching(session, kind, name, values))] = True
            rows = rows[found[rows]]
    return rows


def _read(session: Session, kind: str, table: ArticleColumns) -> FacetColumns:
    """Read the facets of all fields with few values."""
    counts: dict[str, int] = dict(session.rows("SELECT name, count(*) FROM facets GROUP BY name"))
    values = Counter(counts)
    few = sorted(name for name, count in values.items() if count <= MAX_VALUES)[:MAX_FIELDS]
    own = session.rows_among("SELECT number, name, value FROM facets WHERE name IN ({})", few)
    facets = {number: (name, value) for number, name, value in own}
    sql = f"SELECT facet, {number_list(kind, 'article')} FROM article_facets WHERE facet IN ({{}}) GROUP BY facet"
    lists = {facet: np.fromstring(numbers, np.int64, sep=" ") for facet, numbers in session.rows_among(sql, facets)}
    return FacetColumns(
        settings.number(session, CHANGES) or 0,
        values,
        facets,
        np.repeat(np.fromiter(lists, np.int64, len(lists)), [len(each) for each in lists.values()]),
        np.concatenate([np.empty(0, np.int64), *lists.values()]),
        *_ends(session),
        table.seq,
    )


def _catch_up(known: FacetColumns, session: Session, table: ArticleColumns) -> FacetColumns:
    """Return the columns with the facets of later articles."""
    values, facets = Counter(known.values), dict(known.facets)
    for number, name, value in session.rows(
        "SELECT number, name, value FROM facets WHERE number > ?", (known.last_facet,)
    ):
        values[name] += 1
        facets[number] = (name, value)
    many = {name for name, count in values.items() if count > MAX_VALUES}
    facets = {number: facet for number, facet in facets.items() if facet[0] not in many}
    sql = "SELECT facet, article FROM article_facets WHERE article > ?"
    pairs = [pair for pair in session.rows(sql, (known.last_article,)) if pair[0] in facets]
    added = np.array(pairs, np.int64).reshape(-1, 2)
    kept = np.isin(known.facet, np.fromiter(facets, np.int64, len(facets))) if many & set(known.values) else ...
    return FacetColumns(
        known.changes,
        values,
        facets,
        np.concatenate([known.facet[kept], added[:, 0]]),
        np.concatenate([known.article[kept], added[:, 1]]),
        *_ends(session),
        table.seq,
    )


def _ends(session: Session) -> tuple[int, int]:
    """Return the highest number of a facet, and of an article with one."""
    ends = session.one("SELECT (SELECT max(number) FROM facets), (SELECT max(article) FROM article_facets)")
    facet, article = ends or (None, None)
    return facet or 0, article or 0
