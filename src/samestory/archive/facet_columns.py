"""In-memory columns of facets: what search needs to count the stories of each value, and the names of all fields.

Fields with few values are counted; their articles are read once and catch up with the column cache of articles. A field
with many values, such as a URL, is found through the database.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

import numpy as np

from samestory._core.search import ArticleTable
from samestory.archive import settings
from samestory.archive.columns import ArticleColumns
from samestory.archive.facets import CHANGES, field_key, matching, number_list
from samestory.archive.matching import Numbers
from samestory.archive.query import Filters
from samestory.archive.ranking import Counts
from samestory.database import Database, Session

if TYPE_CHECKING:
    from samestory._core.search import Filter

#: Fields with more values are not counted; nor are more fields than this.
MAX_VALUES, MAX_FIELDS = 200, 500
#: The most cells of a bitmap of stories by values; larger ones are counted by sorting, which takes longer.
MAX_CELLS = 1 << 24
#: A bitmap with more cells per article than this is too sparse to be worth filling and summing.
MAX_CELLS_PER_ARTICLE = 64
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

    def counts(self, table: ArticleTable, filter: Filter) -> tuple[tuple[str, Counts], ...]:
        """Count the stories of the articles that pass a filter by value, for the fields with the most stories."""
        if not len(self.facet):
            return ()
        articles, stories = (np.asarray(column) for column in table.articles(filter))
        if not len(articles):
            return ()
        at = np.minimum(np.searchsorted(articles, self.article), len(articles) - 1)
        here = articles[at] == self.article
        facet, story = self.facet[here], stories[at[here]]
        if not len(facet):
            return ()
        first = int(facet.min())
        counts = _count_stories(story, facet - first, int(stories.max()) + 1, int(facet.max()) - first + 1)
        found: dict[str, list[tuple[str, int]]] = {}
        for number in np.flatnonzero(counts).tolist():
            name, value = self.facets[first + number]
            found.setdefault(name, []).append((value, int(counts[number])))
        most = sorted(found, key=lambda name: (-sum(count for _, count in found[name]), name))[:MAX_COUNTED_FIELDS]
        return tuple((name, tuple(sorted(found[name], key=lambda pair: (-pair[1], pair[0])))) for name in most)


def _count_stories(story: Numbers, value: Numbers, stories: int, values: int) -> Numbers:
    """Return the number of distinct stories with each value."""
    pairs = story * values + value
    if stories * values <= min(MAX_CELLS, MAX_CELLS_PER_ARTICLE * len(pairs)):
        seen = np.zeros((stories, values), bool)
        seen.reshape(-1)[pairs] = True
        counts: Numbers = seen.sum(axis=0, dtype=np.int64)
        return counts
    pairs = np.sort(pairs)  # np.unique hashes instead, and takes ten times as long
    new = np.ones(len(pairs), bool)
    new[1:] = pairs[1:] != pairs[:-1]
    return np.bincount(pairs[new] % values, minlength=values)


_cache: WeakKeyDictionary[Database, FacetColumns] = WeakKeyDictionary()
_lock = threading.Lock()


def load_facets(database: Database, session: Session, columns: ArticleColumns) -> FacetColumns:
    """Return the facets of the archive, at least as of the columns of articles."""
    with _lock:
        known = _cache.get(database)
        if known is None or known.seq < columns.seq:
            if known is not None and known.changes == (settings.number(session, CHANGES) or 0):
                known = _catch_up(known, session, columns)
            else:
                known = _read(session, database.kind, columns)
            _cache[database] = known
        return known


def required(session: Session, kind: str, filters: Iterable[Filters]) -> list[Numbers]:
    """Return, for every field of metadata in the filters, the sorted numbers of the articles that have a wanted value.

    Several values of a field are alternatives.
    """
    found = []
    for each in filters:
        for name in dict.fromkeys(field_key(name) for name, _ in each.fields):
            values = [value for own, value in each.fields if field_key(own) == name]
            found.append(np.unique(matching(session, kind, name, values)))
    return found


def _read(session: Session, kind: str, columns: ArticleColumns) -> FacetColumns:
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
        columns.seq,
    )


def _catch_up(known: FacetColumns, session: Session, columns: ArticleColumns) -> FacetColumns:
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
        columns.seq,
    )


def _ends(session: Session) -> tuple[int, int]:
    """Return the highest number of a facet, and of an article with one."""
    ends = session.one("SELECT (SELECT max(number) FROM facets), (SELECT max(article) FROM article_facets)")
    facet, article = ends or (None, None)
    return facet or 0, article or 0
