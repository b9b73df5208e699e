"""Search folded to stories: a story is shown once, at the place of its best or newest matching article.

Totals and facets are exact. By relevance, an article is worth more the more of the words asked for stand in its title,
and more if it has them as they were typed and not only by their stems; of equals the newest comes first. That depends
on the article and the question alone, so that no place changes while other articles arrive (as it would with weights
that depend on all articles), and it is the same in both databases.
"""

from __future__ import annotations

import zlib
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, get_args

import numpy as np

from samestory.archive.cursors import packed, unpacked
from samestory.archive.folding import Facets, Ranking, admitted, facets
from samestory.archive.narrow import Narrow, Numbers, narrow
from samestory.archive.query import LANGUAGES, Filters, Query, name_key, parse
from samestory.archive.snippets import Snippet, snippets
from samestory.archive.stored import ids_of_numbers
from samestory.archive.times import moment
from samestory.archive.told import tell
from samestory.database import Database, Session
from samestory.errors import ParameterError
from samestory.model import Kind, shown

Sort = Literal["time", "relevance"]
Representative = Literal["longest", "earliest", "latest", "best"]

#: How many stories a page has at most.
LARGEST = 1000


@dataclass(frozen=True, slots=True)
class Hit:
    """The article that stands for a story; `published` as it was given."""

    id: str
    title: str | None
    source: str | None
    language: str | None
    published: str | None
    url: str | None
    time: datetime
    """When it was published or, where nobody knows, arrived."""
    snippet: Snippet


@dataclass(frozen=True, slots=True)
class Found:
    """A story on a page."""

    number: int
    representative: Hit
    matching: int
    """How many of its articles answer the question."""
    articles: int
    sources: int
    texts: int
    """How many independent texts: ten reprints of one wire story are one, whatever each has changed."""
    kinds: tuple[Kind, ...]
    """What its articles have to do with each other."""
    first: datetime
    last: datetime


@dataclass(frozen=True, slots=True)
class Page:
    """Some of the stories that were found, and what is known of all of them."""

    stories: tuple[Found, ...]
    total_stories: int
    total_articles: int
    facets: Facets
    cursor: str | None
    """Gives the next page; None on the last."""


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
) -> Page:
    """One page of the stories that have an article which answers the question; every article, if it is empty.

    The representative is one of the matching articles: of the first source of `prefer` that has one, there the longest,
    earliest, latest or best. Case and accents of sources do not matter. With the cursor of a page comes the next, of
    the articles that had arrived at the first.
    """
    _check("sort", sort, get_args(Sort))
    _check("representative", representative, get_args(Representative))
    if type(limit) is not int or not 1 <= limit <= LARGEST:
        raise ParameterError(f"limit: 1 to {LARGEST} is wanted, got {shown(limit)}")
    filters = filters or Filters()
    question = zlib.crc32(repr((query, sort, filters)).encode("utf-8", "replace"))
    begin = unpacked(cursor, question, 5)[1:] if cursor is not None else None
    asked = parse(query)
    with database.read() as session:
        table = narrow(database, session)
        bound = begin[0] if begin else int(table.number[-1]) if len(table) else 0
        rows = admitted(table, _matching(session, database.kind, table, asked), (asked.filters, filters), bound)
        scored = sort == "relevance" or representative == "best"
        scores = _scores(session, database.kind, table, asked, rows) if scored else np.zeros(len(rows), np.int64)
        ranking = Ranking.of(table, rows, scores if sort == "relevance" else np.zeros(len(rows), np.int64))
        rest = ranking.after(table, *begin[1:]) if begin else ranking
        page = rest.first(limit)
        stories = _found(session, table, asked, page.stories, rows, scores, representative, prefer)
    end = None
    if len(rest.stories) > limit:
        last = int(table.stories[page.stories[-1]])
        end = packed(question, bound, int(page.score[-1]), int(page.time[-1]), last)
    return Page(stories, len(ranking.stories), len(rows), facets(table, rows), end)


def hits(database: Database, query: str, limit: int) -> list[str]:
    """The ids of articles that answer a question, not folded to stories, the newest first."""
    asked = parse(query)
    with database.read() as session:
        table = narrow(database, session)
        last = int(table.number[-1]) if len(table) else 0
        rows = admitted(table, _matching(session, database.kind, table, asked), (asked.filters,), last)
        chosen = rows[np.lexsort((-table.number[rows], -table.time[rows]))][:limit]
        names = ids_of_numbers(session, table.number[chosen].tolist())
    return [names[number] for number in table.number[chosen].tolist()]


def front(database: Database, *, day: int | None = None, since: int | None = None, **more: Any) -> Page:
    """The newest stories, of a day or since one; days are counted from 1970. More as for `search`."""
    return search(database, filters=Filters(days=() if day is None else (day,), since=since), **more)


def _check(name: str, given: object, known: tuple[str, ...]) -> None:
    if given not in known:
        raise ParameterError(f"{name}: one of {', '.join(known)} is wanted, got {shown(given)}")


def _numbers(session: Session, kind: str, expression: str) -> Numbers:
    """The numbers of the articles that answer a question about words."""
    if kind == "sqlite":
        # one text of all numbers: a row for each would take longer than the search
        found = session.one("SELECT group_concat(rowid, ' ') FROM words WHERE words MATCH ?", (expression,))
    else:
        found = session.one(
            "SELECT string_agg(CAST(number AS text), ' ') FROM texts WHERE found @@ CAST(? AS tsquery)", (expression,)
        )
    return np.fromstring(found[0], np.int64, sep=" ") if found and found[0] else np.empty(0, np.int64)


def _matching(session: Session, kind: str, table: Narrow, query: Query) -> Numbers:
    """The rows of the articles that have the words asked for and none of those excluded."""
    language = LANGUAGES[kind]
    if query.wanted:
        return table.rows(_numbers(session, kind, language.question(query)))
    everything = np.arange(len(table))
    if query.excluded:
        return np.delete(everything, table.rows(_numbers(session, kind, language.any_of(query.excluded))))
    return everything


def _scores(session: Session, kind: str, table: Narrow, query: Query, rows: Numbers) -> Numbers:
    """What the rows are worth: 2 for every word or phrase in the title, 1 for words as they were asked for."""
    language = LANGUAGES[kind]
    all_rows = np.zeros(len(table), np.int64)
    for group in query.wanted:
        all_rows[table.rows(_numbers(session, kind, language.titles(group)))] += 2
    if any(piece.stem for piece in query.pieces):
        all_rows[table.rows(_numbers(session, kind, language.question(query.exactly())))] += 1
    return all_rows[rows]


def _found(
    session: Session,
    table: Narrow,
    query: Query,
    stories: Numbers,
    rows: Numbers,
    scores: Numbers,
    representative: Representative,
    prefer: Sequence[str],
) -> tuple[Found, ...]:
    """The stories of a page with everything that is shown of them."""
    on_page = np.zeros(len(table.stories), bool)
    on_page[stories] = True
    members = _by_story(table, np.flatnonzero(on_page[table.story]))
    here = on_page[table.story[rows]]
    matching = _by_story(table, rows[here])
    score = dict(zip(rows[here].tolist(), scores[here].tolist(), strict=True))
    rank = _rank(table, representative, prefer, score)
    chosen = [min(matching[story], key=rank) for story in stories.tolist()]
    hits = _hits(session, table, query, chosen)
    numbers = table.stories[stories].tolist()
    own_rows = {number: np.array(members[story]) for number, story in zip(numbers, stories.tolist(), strict=True)}
    asked = {number: table.number[own].tolist() for number, own in own_rows.items() if not table.is_told(number)}
    table.told.update(tell(session, asked, table.told))
    out = []
    for story, number, hit in zip(stories.tolist(), numbers, hits, strict=True):
        own = own_rows[number]
        kinds, _, texts = table.told[number]
        named = {source for source in table.source[own].tolist() if table.sources.names[source] is not None}
        out.append(
            Found(
                number=number,
                representative=hit,
                matching=len(matching[story]),
                articles=len(own),
                sources=len(named),
                texts=texts or 0,
                kinds=tuple(kind for kind in Kind if kind in kinds),
                first=moment(int(table.time[own].min())),
                last=moment(int(table.time[own].max())),
            )
        )
    return tuple(out)


def _by_story(table: Narrow, rows: Numbers) -> dict[int, list[int]]:
    out: dict[int, list[int]] = defaultdict(list)
    for row, story in zip(rows.tolist(), table.story[rows].tolist(), strict=True):
        out[story].append(row)
    return out


def _rank(
    table: Narrow, representative: Representative, prefer: Sequence[str], score: dict[int, int]
) -> Callable[[int], tuple[int, ...]]:
    """What makes an article stand for its story: the smallest; of equals the earliest."""
    places = {name_key(name): place for place, name in reversed(list(enumerate(prefer)))}
    names = table.sources.names

    def rank(row: int) -> tuple[int, ...]:
        time, words = int(table.time[row]), int(table.words[row])
        own = {"longest": (-words,), "earliest": (), "latest": (-time,), "best": (-score[row], -words)}[representative]
        source = names[table.source[row]]
        place = len(places) if source is None else places.get(name_key(source), len(places))
        return (place, *own, time, int(table.number[row]))

    return rank


def _hits(session: Session, table: Narrow, query: Query, rows: list[int]) -> list[Hit]:
    """The articles of some rows, as they are shown."""
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
        Hit(id, title, source, language, published, url, time, passage)
        for (id, title, source, language, published, url, _), time, passage in zip(
            ordered, times, passages, strict=True
        )
    ]
