"""Search collapsed to stories: a story is listed once, at the rank of its best or newest matching article.

Totals and facets are exact. The relevance of an article grows with the number of query words in its title, and is
higher if its words match as typed and not only by stem; ties are broken by time, newest first. The score depends on the
article and the query alone, so that ranks do not change while other articles arrive (as they would with collection-wide
weights), and both databases return the same.
"""

from __future__ import annotations

import zlib
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np

from samestory._core.search import StoryRanking
from samestory.archive.columns import ArticleColumns, load_columns
from samestory.archive.cursors import decode_cursor, encode_cursor
from samestory.archive.facet_columns import articles_with, load_facets
from samestory.archive.matching import Numbers
from samestory.archive.query import SYNTAXES, Filters, Query, parse
from samestory.archive.ranking import Facets, name_facets, wanted_codes
from samestory.archive.representatives import Preferences, first_ids
from samestory.archive.snippets import Snippet, snippets
from samestory.archive.stored import ids_of_numbers
from samestory.archive.story_stats import SINGLE, load_shapes
from samestory.archive.times import moment
from samestory.database import Database, Session
from samestory.errors import ParameterError
from samestory.model import Kind, shown

if TYPE_CHECKING:
    from samestory._core.search import Filter

Sort = Literal["time", "relevance"]
Representative = Literal["longest", "earliest", "latest", "best"]

#: The most stories on a page.
MAX_PAGE_SIZE = 1000


@dataclass(frozen=True, slots=True)
class ArticleHit:
    """The representative article of a story; `published` is as given in the input."""

    id: str
    title: str | None
    source: str | None
    language: str | None
    published: str | None
    url: str | None
    time: datetime
    """The publication time or, if unknown, the arrival time."""
    snippet: Snippet


@dataclass(frozen=True, slots=True)
class StoryHit:
    """A story on a results page."""

    number: int
    representative: ArticleHit
    matching: int
    """The number of its articles that match the query."""
    articles: int
    sources: int
    texts: int
    """The number of independent texts: ten reprints of one wire story count as one, even if edited."""
    kinds: tuple[Kind, ...]
    """The kinds of the relations between its articles."""
    first: datetime
    last: datetime


@dataclass(frozen=True, slots=True)
class SearchPage:
    """A page of the stories that match a query, with totals and facets over all of them."""

    stories: tuple[StoryHit, ...]
    total_stories: int
    total_articles: int
    facets: Facets
    cursor: str | None
    """Cursor of the next page; None on the last."""


def search(
    database: Database,
    query: str = "",
    *,
    sort: Sort = "time",
    representative: Representative = "longest",
    prefer: Sequence[str] = (),
    cursor: str | None = None,
    limit: int = 20,
    filters: Filters | None = None,
) -> SearchPage:
    """Return a page of the stories with an article that matches the query; an empty query matches every article.

    The representative is chosen among the matching articles: from the first source of `prefer` that has one, the
    longest, earliest, latest or best, in the order that groups have. Case and accents of sources do not matter. The
    cursor of a page selects the next one, over the articles that had arrived by the first page.
    """
    _check("sort", sort, get_args(Sort))
    _check("representative", representative, get_args(Representative))
    if type(limit) is not int or not 1 <= limit <= MAX_PAGE_SIZE:
        raise ParameterError(f"limit: expected 1 to {MAX_PAGE_SIZE}, got {shown(limit)}")
    filters = filters or Filters()
    query_hash = zlib.crc32(repr((query, sort, filters)).encode("utf-8", "replace"))
    start = decode_cursor(cursor, query_hash, 5)[1:] if cursor is not None else None
    with database.read() as session:
        columns = load_columns(database, session)
        fields = load_facets(database, session, columns)
        parsed = parse(query, fields.values)
        bound = start[0] if start else columns.table.last
        wanted = _article_filter(session, database.kind, columns, parsed, (parsed.filters, filters), bound)
        found = columns.table.search(
            wanted,
            _points(session, database.kind, columns, parsed) if sort == "relevance" or representative == "best" else [],
            sort == "relevance",
            (start[1], start[2], start[3]) if start else None,
            limit,
            representative,
            _preferences(columns, prefer),
        )
        stories = _story_hits(session, columns, parsed, found)
    end = None
    if found.has_more:
        ends = (int(np.asarray(column)[-1]) for column in (found.scores, found.times, found.numbers))
        end = encode_cursor(query_hash, bound, *ends)
    named = replace(name_facets(columns.facets, found.facets), fields=fields.counts(columns.table, wanted))
    return SearchPage(stories, found.total_stories, found.total_articles, named, end)


def search_ids(database: Database, query: str, limit: int) -> list[str]:
    """Return the ids of matching articles, not collapsed to stories, newest first."""
    with database.read() as session:
        columns = load_columns(database, session)
        parsed = parse(query, load_facets(database, session, columns).values)
        bound = columns.table.last
        numbers = columns.table.newest(
            _article_filter(session, database.kind, columns, parsed, (parsed.filters,), bound), limit
        )
        names = ids_of_numbers(session, numbers)
    return [names[number] for number in numbers]


def front(database: Database, *, day: int | None = None, since: int | None = None, **more: Any) -> SearchPage:
    """Return the newest stories, of a day or since one; days are counted from 1970. Other options as for `search`."""
    return search(database, filters=Filters(days=() if day is None else (day,), since=since), **more)


def _check(name: str, given: object, known: tuple[str, ...]) -> None:
    if given not in known:
        raise ParameterError(f"{name}: expected one of {', '.join(known)}, got {shown(given)}")


def _article_filter(
    session: Session, kind: str, columns: ArticleColumns, query: Query, filters: Collection[Filters], bound: int
) -> Filter:
    """Return which articles are searched: those that match, pass all filters and first arrived up to number `bound`."""
    syntax, wanted = SYNTAXES[kind], wanted_codes(columns.facets, filters)
    matching, excluded = articles_with(session, kind, filters), None
    if query.wanted:
        found = _matches(session, columns, syntax.matching(query))
        matching = found if matching is None else np.intersect1d(found, matching, assume_unique=True)
    elif query.excluded:
        excluded = _matches(session, columns, syntax.any_of(query.excluded))
    return matching, excluded, bound, wanted


def _matches(session: Session, columns: ArticleColumns, expression: str) -> Numbers:
    """Return the numbers of the articles that match a full-text expression."""
    return columns.matches.numbers(session, expression, columns.seq, columns.table.last)


def _points(session: Session, kind: str, columns: ArticleColumns, query: Query) -> list[tuple[Numbers, int]]:
    """Return the articles that score: 2 for every word or phrase in the title, 1 if all words match as typed."""
    syntax = SYNTAXES[kind]
    points = [(_matches(session, columns, syntax.titles(group)), 2) for group in query.wanted]
    if any(phrase.stem for phrase in query.phrases):
        points.append((_matches(session, columns, syntax.matching(query.without_stems())), 1))
    return points


def _preferences(columns: ArticleColumns, prefer: Sequence[str]) -> list[int]:
    """Return the place of every source in the order of preference; the others share the last."""
    if not prefer:
        return []
    preferences = Preferences(prefer)
    return [preferences.place(name) for name in list(columns.facets.sources.values)]


def _story_hits(session: Session, columns: ArticleColumns, query: Query, found: StoryRanking) -> tuple[StoryHit, ...]:
    """Return the stories of a page with everything that is shown of them."""
    representatives = first_ids(session, found.representatives, columns.hits)
    hits = _article_hits(session, columns, query, representatives)
    numbers: list[int] = np.asarray(found.numbers).tolist()
    counts = [np.asarray(column).tolist() for column in (found.matching, found.articles, found.sources)]
    larger = [number for number, articles in zip(numbers, counts[1], strict=True) if articles > 1]
    shapes = load_shapes(session, larger) if larger else {}
    times = (map(moment, np.asarray(column).tolist()) for column in (found.first, found.last))
    return tuple(
        StoryHit(
            number=number,
            representative=hits[representative],
            matching=matching,
            articles=articles,
            sources=sources,
            texts=shapes.get(number, SINGLE).texts,
            kinds=shapes.get(number, SINGLE).kinds,
            first=first,
            last=last,
        )
        for number, representative, matching, articles, sources, first, last in zip(
            numbers, representatives, *counts, *times, strict=True
        )
    )


def _article_hits(
    session: Session, columns: ArticleColumns, query: Query, numbers: Sequence[int]
) -> dict[int, ArticleHit]:
    """Return articles with snippets, by number."""
    known = {number: columns.hits.get((number, query.wanted)) for number in numbers}
    rows = session.rows_among(
        "SELECT a.number, a.id, t.title, a.source, a.lang, t.published, t.url, coalesce(a.at, a.arrived), t.text"
        " FROM articles a JOIN texts t ON t.number = a.number WHERE a.number IN ({})",
        [number for number, hit in known.items() if hit is None],
    )
    passages = snippets([row[-1] for row in rows], [row[4] for row in rows], query)
    for (number, id, title, source, language, published, url, time, _), passage in zip(rows, passages, strict=True):
        known[number] = ArticleHit(id, title, source, language, published, url, moment(time), passage)
        columns.hits.put((number, query.wanted), known[number])
    return known
