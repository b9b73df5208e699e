"""Search collapsed to stories: a story is listed once, at the rank of its best or newest matching article.

Totals and facets are exact. The relevance of an article grows with the number of query words in its title, and is
higher if its words match as typed and not only by stem; ties are broken by time, newest first. The score depends on the
article and the query alone, so that ranks do not change while other articles arrive (as they would with collection-wide
weights), and both databases return the same.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Literal, get_args

import numpy as np

from samestory.archive.columns import ArticleColumns, Numbers, load_columns
from samestory.archive.cursors import decode_cursor, encode_cursor
from samestory.archive.facet_columns import load_facets, narrow
from samestory.archive.query import SYNTAXES, Filters, Query, name_key, parse
from samestory.archive.ranking import Facets, Ranking, apply_filters, facets
from samestory.archive.snippets import Snippet, snippets
from samestory.archive.stored import ids_of_numbers
from samestory.archive.story_stats import load_stats
from samestory.archive.times import moment
from samestory.database import Database, Session
from samestory.errors import ParameterError
from samestory.model import Kind, shown

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
    longest, earliest, latest or best. Case and accents of sources do not matter. The cursor of a page selects the next
    one, over the articles that had arrived by the first page.
    """
    _check("sort", sort, get_args(Sort))
    _check("representative", representative, get_args(Representative))
    if type(limit) is not int or not 1 <= limit <= MAX_PAGE_SIZE:
        raise ParameterError(f"limit: expected 1 to {MAX_PAGE_SIZE}, got {shown(limit)}")
    filters = filters or Filters()
    query_hash = zlib.crc32(repr((query, sort, filters)).encode("utf-8", "replace"))
    start = decode_cursor(cursor, query_hash, 5)[1:] if cursor is not None else None
    with database.read() as session:
        table = load_columns(database, session)
        own_facets = load_facets(database, session, table)
        parsed = parse(query, own_facets.values)
        bound = start[0] if start else int(table.number[-1]) if len(table) else 0
        matching = _matching_rows(session, database.kind, table, parsed)
        rows = apply_filters(table, matching, (parsed.filters, filters), bound)
        rows = narrow(session, database.kind, table, rows, (parsed.filters, filters))
        scored = sort == "relevance" or representative == "best"
        scores = _scores(session, database.kind, table, parsed, rows) if scored else np.zeros(len(rows), np.int64)
        ranking = Ranking.from_rows(table, rows, scores if sort == "relevance" else np.zeros(len(rows), np.int64))
        rest = ranking.after(table, *start[1:]) if start else ranking
        page = rest.first(limit)
        stories = _story_hits(session, table, parsed, page.stories, rows, scores, representative, prefer)
    end = None
    if len(rest.stories) > limit:
        last = int(table.stories[page.stories[-1]])
        end = encode_cursor(query_hash, bound, int(page.score[-1]), int(page.time[-1]), last)
    counted = replace(facets(table, rows), fields=own_facets.counts(table, rows))
    return SearchPage(stories, len(ranking.stories), len(rows), counted, end)


def search_ids(database: Database, query: str, limit: int) -> list[str]:
    """Return the ids of matching articles, not collapsed to stories, newest first."""
    with database.read() as session:
        table = load_columns(database, session)
        parsed = parse(query, load_facets(database, session, table).values)
        last = int(table.number[-1]) if len(table) else 0
        rows = apply_filters(table, _matching_rows(session, database.kind, table, parsed), (parsed.filters,), last)
        rows = narrow(session, database.kind, table, rows, (parsed.filters,))
        chosen = rows[np.lexsort((-table.number[rows], -table.time[rows]))][:limit]
        names = ids_of_numbers(session, table.number[chosen].tolist())
    return [names[number] for number in table.number[chosen].tolist()]


def front(database: Database, *, day: int | None = None, since: int | None = None, **more: Any) -> SearchPage:
    """Return the newest stories, of a day or since one; days are counted from 1970. Other options as for `search`."""
    return search(database, filters=Filters(days=() if day is None else (day,), since=since), **more)


def _check(name: str, given: object, known: tuple[str, ...]) -> None:
    if given not in known:
        raise ParameterError(f"{name}: expected one of {', '.join(known)}, got {shown(given)}")


def _matching_numbers(session: Session, kind: str, expression: str) -> Numbers:
    """Return the numbers of the articles that match a full-text expression."""
    if kind == "sqlite":
        # all numbers as one string: a row for each would take longer than the search
        found = session.one("SELECT group_concat(rowid, ' ') FROM words WHERE words MATCH ?", (expression,))
    else:
        found = session.one(
            "SELECT string_agg(CAST(number AS text), ' ') FROM texts WHERE found @@ CAST(? AS tsquery)", (expression,)
        )
    return np.fromstring(found[0], np.int64, sep=" ") if found and found[0] else np.empty(0, np.int64)


def _matching_rows(session: Session, kind: str, table: ArticleColumns, query: Query) -> Numbers:
    """Return the rows of the articles that contain the wanted phrases and none of the excluded ones."""
    syntax = SYNTAXES[kind]
    if query.wanted:
        return table.rows(_matching_numbers(session, kind, syntax.matching(query)))
    everything = np.arange(len(table))
    if query.excluded:
        return np.delete(everything, table.rows(_matching_numbers(session, kind, syntax.any_of(query.excluded))))
    return everything


def _scores(session: Session, kind: str, table: ArticleColumns, query: Query, rows: Numbers) -> Numbers:
    """Score the rows: 2 for every word or phrase in the title, 1 if all words match as typed."""
    syntax = SYNTAXES[kind]
    all_rows = np.zeros(len(table), np.int64)
    for group in query.wanted:
        all_rows[table.rows(_matching_numbers(session, kind, syntax.titles(group)))] += 2
    if any(phrase.stem for phrase in query.phrases):
        all_rows[table.rows(_matching_numbers(session, kind, syntax.matching(query.without_stems())))] += 1
    return all_rows[rows]


def _story_hits(
    session: Session,
    table: ArticleColumns,
    query: Query,
    stories: Numbers,
    rows: Numbers,
    scores: Numbers,
    representative: Representative,
    prefer: Sequence[str],
) -> tuple[StoryHit, ...]:
    """Return the stories of a page with everything that is shown of them."""
    on_page = np.zeros(len(table.stories), bool)
    on_page[stories] = True
    members = _by_story(table, np.flatnonzero(on_page[table.story]))
    here = on_page[table.story[rows]]
    matching = np.bincount(table.story[rows[here]], minlength=len(table.stories))
    best = _representatives(table, rows[here], scores[here], representative, prefer)
    chosen = [best[story] for story in stories.tolist()]
    hits = _article_hits(session, table, query, chosen)
    numbers = table.stories[stories].tolist()
    own_rows = {number: members[story] for number, story in zip(numbers, stories.tolist(), strict=True)}
    stats = load_stats(session, numbers)
    out = []
    for story, number, hit in zip(stories.tolist(), numbers, hits, strict=True):
        own = own_rows[number]
        named = [each for each in np.unique(table.source[own]).tolist() if table.sources.names[each] is not None]
        out.append(
            StoryHit(
                number=number,
                representative=hit,
                matching=int(matching[story]),
                articles=len(own),
                sources=len(named),
                texts=stats[number].texts,
                kinds=tuple(kind for kind in Kind if kind in stats[number].kinds),
                first=moment(int(table.time[own].min())),
                last=moment(int(table.time[own].max())),
            )
        )
    return tuple(out)


def _by_story(table: ArticleColumns, rows: Numbers) -> dict[int, Numbers]:
    """Return the rows of each story."""
    ordered = rows[np.argsort(table.story[rows], kind="stable")]
    stories, starts = np.unique(table.story[ordered], return_index=True)
    return dict(zip(stories.tolist(), np.split(ordered, starts)[1:], strict=True))


def _representatives(
    table: ArticleColumns, rows: Numbers, scores: Numbers, representative: Representative, prefer: Sequence[str]
) -> dict[int, int]:
    """Return the row that represents each story; ties go to the earliest article."""
    places = {name_key(name): place for place, name in reversed(list(enumerate(prefer)))}
    names = list(table.sources.names) if places else []
    place_of_source = [len(places) if name is None else places.get(name_key(name), len(places)) for name in names]
    place = np.array(place_of_source, np.int64)[table.source[rows]] if places else np.zeros(len(rows), np.int64)
    words, time = -table.words[rows], table.time[rows]
    own = {"longest": (words,), "earliest": (), "latest": (-time,), "best": (words, -scores)}[representative]
    # the last key is the first to sort by
    ordered = rows[np.lexsort((table.number[rows], time, *own, place, table.story[rows]))]
    stories, first = np.unique(table.story[ordered], return_index=True)
    return dict(zip(stories.tolist(), ordered[first].tolist(), strict=True))


def _article_hits(session: Session, table: ArticleColumns, query: Query, rows: list[int]) -> list[ArticleHit]:
    """Return the articles of some rows, with snippets."""
    numbers = table.number[rows].tolist()
    found = session.rows_among(
        "SELECT a.number, a.id, t.title, a.source, a.lang, t.published, t.url, t.text"
        " FROM articles a JOIN texts t ON t.number = a.number WHERE a.number IN ({})",
        numbers,
    )
    known = {row[0]: row[1:] for row in found}
    ordered = [known[number] for number in numbers]
    passages = snippets([row[-1] for row in ordered], [row[3] for row in ordered], query)
    times = [moment(int(table.time[row])) for row in rows]
    return [
        ArticleHit(id, title, source, language, published, url, time, passage)
        for (id, title, source, language, published, url, _), time, passage in zip(
            ordered, times, passages, strict=True
        )
    ]
