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

from samestory._core.search import parse_numbers
from samestory.archive import settings
from samestory.archive.columns import ArticleColumns
from samestory.archive.facets import CHANGES, field_key, matching, number_list
from samestory.archive.matching import Numbers
from samestory.archive.query import Filters
from samestory.archive.ranking import Counts
from samestory.database import Database, Session

if TYPE_CHECKING:
    from samestory._core.search import ArticleTable, Filter

#: Fields with more values are not counted; nor are more fields than this.
MAX_VALUES, MAX_FIELDS = 200, 500
#: Fields in a response, those with the most stories.
MAX_COUNTED_FIELDS = 12


@dataclass(frozen=True)
class FacetColumns:
    """The facets of fields with few values, and their articles."""

    changes: int
    """How often facets of stored articles had changed."""
    values: Counter[str]
    """The number of values of each field."""
    facets: dict[int, tuple[str, str]]
    """Field and value of each facet that is counted, by its number."""
    articles: dict[int, Numbers]
    """The sorted numbers of the articles of each facet."""
    last_facet: int
    last_article: int
    seq: int
    """The last log entry that the columns include."""

    def counts(self, table: ArticleTable, wanted: Filter) -> tuple[tuple[str, Counts], ...]:
        """Count the stories with an article that passes a filter by value, for the fields with the most stories."""
        stories = table.count_stories(wanted, list(self.articles.values())) if self.articles else []
        found: dict[str, list[tuple[str, int]]] = {}
        for facet, count in zip(self.articles, stories, strict=True):
            if count:
                name, value = self.facets[facet]
                found.setdefault(name, []).append((value, count))
        most = sorted(found, key=lambda name: (-sum(count for _, count in found[name]), name))[:MAX_COUNTED_FIELDS]
        return tuple((name, tuple(sorted(found[name], key=lambda pair: (-pair[1], pair[0])))) for name in most)


_cache: WeakKeyDictionary[Database, FacetColumns] = WeakKeyDictionary()
_lock = threading.Lock()


def load_facets(database: Database, session: Session, columns: ArticleColumns) -> FacetColumns:
    """Return the facets of the archive, at least as of the columns of its articles."""
    with _lock:
        known = _cache.get(database)
        if known is None or known.seq < columns.seq:
            changes = settings.number(session, CHANGES) or 0
            is_current = known is not None and known.changes == changes
            known = (
                _catch_up(known, session, columns.seq)
                if known and is_current
                else _read(session, database.kind, columns.seq)
            )
            _cache[database] = known
        return known


def articles_with(session: Session, kind: str, filters: Iterable[Filters]) -> Numbers | None:
    """Return the sorted numbers of the articles with the metadata that filters require; None if they require none.

    Several values of a field are alternatives.
    """
    found: Numbers | None = None
    for each in filters:
        for name in dict.fromkeys(field_key(name) for name, _ in each.fields):
            values = [value for own, value in each.fields if field_key(own) == name]
            own = np.unique(matching(session, kind, name, values))
            found = own if found is None else np.intersect1d(found, own, assume_unique=True)
    return found


def _read(session: Session, kind: str, seq: int) -> FacetColumns:
    """Read the facets of all fields with few values."""
    counts: dict[str, int] = dict(session.rows("SELECT name, count(*) FROM facets GROUP BY name"))
    values = Counter(counts)
    few = sorted(name for name, count in values.items() if count <= MAX_VALUES)[:MAX_FIELDS]
    own = session.rows_among("SELECT number, name, value FROM facets WHERE name IN ({})", few)
    facets = {number: (name, value) for number, name, value in own}
    sql = f"SELECT facet, {number_list(kind, 'article')} FROM article_facets WHERE facet IN ({{}}) GROUP BY facet"
    rows = session.rows_among(sql, facets)
    articles = {facet: np.sort(np.asarray(parse_numbers(numbers))) for facet, numbers in rows}
    changes = settings.number(session, CHANGES) or 0
    return FacetColumns(changes, values, facets, articles, *_ends(session), seq)


def _catch_up(known: FacetColumns, session: Session, seq: int) -> FacetColumns:
    """Return the columns with the facets of later articles."""
    values, facets = Counter(known.values), dict(known.facets)
    counted = {name for name, _ in facets.values()}
    sql = "SELECT number, name, value FROM facets WHERE number > ?"
    for number, name, value in session.rows(sql, (known.last_facet,)):
        # of a field that is not new, earlier values are missing here
        if name in counted or (not known.values[name] and len(counted) < MAX_FIELDS):
            counted.add(name)
            facets[number] = (name, value)
        values[name] += 1
    many = {name for name, count in values.items() if count > MAX_VALUES}
    facets = {number: facet for number, facet in facets.items() if facet[0] not in many}
    added: dict[int, list[int]] = {}
    sql = "SELECT facet, article FROM article_facets WHERE article > ? ORDER BY article"
    for facet, article in session.rows(sql, (known.last_article,)):
        if facet in facets:
            added.setdefault(facet, []).append(article)
    articles = {facet: numbers for facet, numbers in known.articles.items() if facet in facets}
    for facet, numbers in added.items():
        before = articles.get(facet, np.empty(0, np.int64))
        articles[facet] = np.concatenate([before, np.array(numbers, np.int64)])
    return FacetColumns(known.changes, values, facets, articles, *_ends(session), seq)


def _ends(session: Session) -> tuple[int, int]:
    """Return the highest number of a facet, and of an article with one."""
    ends = session.one("SELECT (SELECT max(number) FROM facets), (SELECT max(article) FROM article_facets)")
    facet, article = ends or (None, None)
    return facet or 0, article or 0
