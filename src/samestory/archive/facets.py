"""Facets: the short values in the metadata of articles, by which they are found.

    facets.insert(session, [(7, ArticleMetadata({"section": "Sports", "tags": ["ferry"]}))])
    facets.matching(session, "sqlite", "section", ["sports"])          # array([7])

Names of fields and values are compared without case and accents. A text of one line, a number, a boolean, and each of a
list of these is a facet; an object is none.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from samestory._core.search import parse_numbers
from samestory.archive import settings
from samestory.archive.query import name_key
from samestory.database import Session
from samestory.model import digits

#: Facets of an article, and characters of a value; others are stored and shown, but not found.
MAX_FACETS, MAX_VALUE_CHARS = 64, 100

#: The setting that counts changes to facets of stored articles; new articles add facets without changing it.
CHANGES = "facet changes"


class Facet(NamedTuple):
    """A value of a field: both folded, and the value as it was given."""

    name: str
    key: str
    value: str


def field_key(name: str) -> str:
    """Fold the name of a field.

    >>> field_key(" Section ")
    'section'
    """
    return name.strip().casefold()


def facets_of(metadata: Mapping[str, Any]) -> list[Facet]:
    """Return the distinct facets of an article.

    >>> [facet[1:] for facet in facets_of({"Section": "Sports", "page": 3.0, "live": True})]
    [('sports', 'Sports'), ('3', '3'), ('true', 'true')]
    """
    found: dict[tuple[str, str], Facet] = {}
    for name, given in metadata.items():
        for value in facet_texts(given):
            facet = Facet(field_key(name), name_key(value), value)
            found.setdefault(facet[:2], facet)
            if len(found) == MAX_FACETS:
                return list(found.values())
    return list(found.values())


def facet_texts(given: Any) -> Iterator[str]:
    """Yield the texts of a value by which articles are found."""
    if isinstance(given, list | tuple):
        for each in given:
            if not isinstance(each, list | tuple):
                yield from facet_texts(each)
    elif isinstance(given, bool):
        yield "true" if given else "false"
    elif isinstance(given, int | float):
        if len(text := str(given) if isinstance(given, int) else digits(given)) <= MAX_VALUE_CHARS:
            yield text
    elif isinstance(given, str):
        text = given.strip()
        if text and len(text) <= MAX_VALUE_CHARS and len(text.splitlines()) == 1:
            yield text


def insert(session: Session, articles: Iterable[tuple[int, Mapping[str, Any]]]) -> None:
    """Write the facets of articles, given by their numbers."""
    own = {number: facets_of(metadata) for number, metadata in articles}
    distinct: dict[tuple[str, str], Facet] = {}
    for facet in (facet for facets in own.values() for facet in facets):
        distinct.setdefault(facet[:2], facet)
    keys: dict[str, list[str]] = {}
    for name, key in distinct:
        keys.setdefault(name, []).append(key)
    numbers: dict[tuple[str, str], int] = {}
    for name, values in keys.items():
        sql = "SELECT key, number FROM facets WHERE name = ? AND key IN ({})"
        numbers |= {(name, key): number for key, number in session.rows_among(sql, values, (name,))}
    following = ((session.one("SELECT max(number) FROM facets") or (0,))[0] or 0) + 1
    new = [facet for pair, facet in distinct.items() if pair not in numbers]
    numbers |= {facet[:2]: number for number, facet in enumerate(new, following)}
    session.insert("facets", ("number", *Facet._fields), [(numbers[facet[:2]], *facet) for facet in new])
    rows = sorted((numbers[facet[:2]], article) for article, facets in own.items() for facet in facets)
    session.insert("article_facets", ("facet", "article"), rows)


def replace(session: Session, articles: Mapping[int, Mapping[str, Any]]) -> None:
    """Write other facets of stored articles, given by their numbers."""
    session.run_among("DELETE FROM article_facets WHERE article IN ({})", list(articles))
    insert(session, articles.items())
    _count_change(session)


def purge(session: Session) -> None:
    """Delete the facets that no article has."""
    if session.run("DELETE FROM facets WHERE NOT EXISTS (SELECT 1 FROM article_facets WHERE facet = facets.number)"):
        _count_change(session)


def _count_change(session: Session) -> None:
    settings.put(session, CHANGES, str((settings.number(session, CHANGES) or 0) + 1))


def number_list(kind: str, column: str) -> str:
    """Return SQL for the numbers of many rows as one text: a row for each would take longer than the search."""
    return f"group_concat({column}, ' ')" if kind == "sqlite" else f"string_agg(CAST({column} AS text), ' ')"


def matching(session: Session, kind: str, name: str, values: Sequence[str]) -> NDArray[np.int64]:
    """Return the numbers of the articles with one of some values of a field."""
    marks = ", ".join("?" * len(values))
    facets = f"SELECT number FROM facets WHERE name = ? AND key IN ({marks})"
    sql = f"SELECT {number_list(kind, 'article')} FROM article_facets WHERE facet IN ({facets})"
    row = session.one(sql, (field_key(name), *map(name_key, values)))
    return np.asarray(parse_numbers(row[0] if row and row[0] else ""))


def wrong_articles(session: Session, metadata: Mapping[int, Mapping[str, Any]], repair: bool) -> list[int]:
    """Return those of some articles, by number, whose stored facets are not those of their metadata; repair them."""
    sql = "SELECT x.article, f.name, f.key FROM article_facets x JOIN facets f ON f.number = x.facet"
    stored: dict[int, set[tuple[str, str]]] = {}
    for article, *facet in session.rows_among(f"{sql} WHERE x.article IN ({{}})", list(metadata)):
        stored.setdefault(article, set()).add((facet[0], facet[1]))
    wrong = [
        number
        for number, own in metadata.items()
        if {facet[:2] for facet in facets_of(own)} != stored.get(number, set())
    ]
    if wrong and repair:
        replace(session, {number: metadata[number] for number in wrong})
    return wrong
