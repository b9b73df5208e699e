"""Writes, reads and deletes the database rows of articles and their relations."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from samestory import _core
from samestory.archive import checksums, words
from samestory.archive.dependencies import DependencyUpdate
from samestory.archive.times import moment
from samestory.database import Session, storable
from samestory.index.index import directed, relation
from samestory.model import NO_TIME, Article, ArticleMetadata, Features, Kind, Overlap, Relation

#: A day, in microseconds.
DAY = 24 * 3600 * 10**6
_COLUMNS = (
    "a.number, a.came, a.id, t.text, t.title, t.published, t.url,"
    " a.source, a.lang, a.at, a.arrived, a.story, a.revision, m.fields"
)
_FROM = (
    "FROM articles a JOIN texts t ON t.number = a.number"
    " LEFT JOIN metadata m ON m.id = a.id AND m.revision = a.revision"
)

#: Flag bits of a packed token: is a number, is capitalised.
_FLAGS = np.uint32(3)

_RELATION = ("left_number", "right_number", "kind", "forward", "backward", "detector", "score")


#: Compares articles again, given as (detector spec, id, id); None where they are no longer related.
CompareAgain = Callable[[Sequence[tuple[str, str, str]]], Sequence[tuple[Kind, Overlap] | None]]


class _Copy(NamedTuple):
    """A copy of a text: its source and time, which distinguish it, and its duplicate class (likeness, day)."""

    number: int
    id: str
    source: int
    time: int
    duplicates: tuple[Any, ...]

    @classmethod
    def from_row(cls, row: Sequence[Any]) -> _Copy:
        number, id, likeness, source, day, at = row
        return cls(
            number, id, _core.detectors.source_hash(source or ""), NO_TIME if at is None else at, (likeness, day)
        )


@dataclass(frozen=True, slots=True)
class StoredArticle:
    """An article with the fields that the archive assigns; times are microseconds since 1970."""

    article: Article
    number: int
    came: int
    """The number of its first version; every version has its own."""
    at: int | None
    arrived: int
    story: int
    revision: int


def storable_article(article: Article) -> Article:
    """Return the article as every database can store it: without NUL characters."""
    roles = ("id", "text", "title", "published", "url", "source", "lang")
    given = {role: getattr(article, role) for role in roles}
    if not any(value and "\0" in value for value in given.values()):
        return article
    changed: dict[str, Any] = {role: value and storable(value) for role, value in given.items()}
    return replace(article, **changed)


def likeness(features: Features) -> list[int]:
    """Hash the words of every article to a signed 64-bit number; articles without words have 0.

    Case is ignored: some outlets set the first line of a reprint in capitals.
    """
    tokens = features.tokens
    values, offsets = tokens.values & ~_FLAGS, tokens.offsets.tolist()
    raw, size = values.tobytes(), values.itemsize
    out = []
    for start, end in pairwise(offsets):
        digest = hashlib.blake2b(raw[start * size : end * size], digest_size=8).digest()
        out.append(int.from_bytes(digest, "little", signed=True) if end > start else 0)
    return out


class ArchiveFields(NamedTuple):
    """Fields of a new article that the archive assigns."""

    number: int
    likeness: int
    story: int
    before: StoredArticle | None
    """The version that it replaces, if any."""
    weaker_relations: int
    """The number of relations that are weaker than those that are stored."""


def version(article: Article, fields: ArchiveFields) -> tuple[int, str, int, Mapping[str, Any]]:
    """Return the number, the id, the revision and the metadata of a new article."""
    return fields.number, article.id, fields.before.revision + 1 if fields.before else 1, article.metadata


def insert(
    session: Session, articles: Sequence[Article], features: Features, fields: Sequence[ArchiveFields], arrived: int
) -> None:
    """Write new articles, without their texts."""
    times, languages = features.microseconds, features.languages
    counts = features.tokens.lengths().tolist()
    rows = []
    for row, (article, (number, like, story, before, weaker)) in enumerate(zip(articles, fields, strict=True)):
        at = None if times[row] == NO_TIME else times[row]
        day = (arrived if at is None else at) // DAY
        came, revision = (before.came, before.revision + 1) if before else (number, 1)
        plain = (number, came, article.id, article.source, languages[row])
        rows.append((*plain, at, day, arrived, counts[row], like, story, revision, weaker))
    named = ("number", "came", "id", "source", "lang")
    columns = (*named, "at", "day", "arrived", "words", "likeness", "story", "revision", "weaker_relations")
    checksums.insert(session, "articles", columns, rows)


def insert_texts(
    session: Session, kind: str, numbers: Sequence[int], articles: Sequence[Article], languages: Sequence[str]
) -> None:
    """Write the texts of new articles and index their words for search; the slowest of all writes."""
    columns = ("number", "text", "title", "published", "url")
    rows = [(number, a.text, a.title, a.published, a.url) for number, a in zip(numbers, articles, strict=True)]
    titles, texts = [article.title for article in articles], [article.text for article in articles]
    if kind == "postgres":
        # in the same row as the text: adding them later would rewrite the row
        vectors = words.tsvectors(titles, texts, languages)
        with_vectors = [(*row, each) for row, each in zip(rows, vectors, strict=True)]
        checksums.insert(session, "texts", (*columns, "found"), with_vectors)
        return
    checksums.insert(session, "texts", columns, rows)
    words.index_words(session, kind, list(zip(numbers, titles, texts, languages, strict=True)))


def delete(
    session: Session, kind: str, numbers: Sequence[int], compare: CompareAgain, update: DependencyUpdate
) -> list[int]:
    """Delete articles and their relations; the next copy of a deleted article inherits its relations.

    Returns the likenesses of the deleted articles; an empty list if none of them has a copy left.
    """
    update.leave(numbers)
    likenesses = _reassign_relations(session, numbers, compare, update)
    if kind == "sqlite":
        indexed = "SELECT a.number, t.title, t.text, a.lang FROM articles a JOIN texts t ON t.number = a.number"
        words.unindex(session, session.rows_among(f"{indexed} WHERE a.number IN ({{}})", numbers))
    for table, column in (
        ("relations", "left_number"),
        ("relations", "right_number"),
        ("texts", "number"),
        ("article_facets", "article"),
        ("articles", "number"),
    ):
        session.run_among(f"DELETE FROM {table} WHERE {column} IN ({{}})", numbers)
    return likenesses


def _reassign_relations(
    session: Session, numbers: Sequence[int], compare: CompareAgain, update: DependencyUpdate
) -> list[int]:
    """Copy the relations of articles to be deleted to their next copies: only the first copy of a text has relations.

    An UPDATE relation is also copied to the next copy of the same source.
    """
    columns = "SELECT number, id, likeness, source, CASE WHEN at IS NULL THEN NULL ELSE day END, at FROM articles WHERE"
    deleted = [_Copy.from_row(row) for row in session.rows_among(f"{columns} number IN ({{}})", numbers)]
    likenesses = sorted({each.duplicates[0] for each in deleted if each.duplicates[0]})
    deleted_numbers = {each.number for each in deleted}
    heirs: dict[tuple[Any, ...], _Copy] = {}
    for each in sorted(
        (_Copy.from_row(row) for row in session.rows_among(f"{columns} likeness IN ({{}})", likenesses)),
        key=lambda each: each.number,
    ):
        if each.number not in deleted_numbers:
            heirs.setdefault(each.duplicates, each)
            if each.source:
                heirs.setdefault((*each.duplicates, each.source), each)
    if not heirs:
        return []
    first = {each.number: heirs[each.duplicates].number for each in deleted if each.duplicates in heirs}
    same_source = {
        each.number: heirs[key].number for each in deleted if (key := (*each.duplicates, each.source)) in heirs
    }
    moved: dict[frozenset[Any], tuple[Any, ...]] = {}
    for side in ("left_number", "right_number"):
        sql = f"SELECT left_number, right_number, kind, forward, backward, detector, score FROM relations WHERE {side}"
        for left, right, kind, *rest in session.rows_among(f"{sql} IN ({{}})", sorted(first)):
            for heir in (first, same_source) if kind == Kind.UPDATE else (first,):
                one, other = (heir.get(number, number) for number in (left, right))
                if one != other and not {one, other} & deleted_numbers:
                    moved.setdefault(frozenset((one, other)), (one, other, kind, *rest))
        sql = f"SELECT left_number, right_number FROM relations WHERE {side}"
        for pair in session.rows_among(f"{sql} IN ({{}})", sorted({*first.values(), *same_source.values()})):
            moved[frozenset(pair)] = ()  # related already
    rows = [row for row in moved.values() if row]
    ends = sorted({number for row in rows for number in row[:2]})
    copies = {row[0]: _Copy.from_row(row) for row in session.rows_among(f"{columns} number IN ({{}})", ends)}
    checksums.insert(session, "relations", _RELATION, _reassigned(rows, copies, compare))
    update.enter({*first.values(), *same_source.values()})
    return likenesses


def _reassigned(
    rows: Sequence[tuple[Any, ...]], copies: Mapping[int, _Copy], compare: CompareAgain
) -> Iterator[tuple[Any, ...]]:
    """Yield relation rows for copies with the same words but possibly other sources and times."""
    updates = [row for row in rows if row[2] == Kind.UPDATE]
    pairs = [(row[5], copies[row[0]].id, copies[row[1]].id) for row in updates]
    # the kind that an update would have between different sources is not stored
    plain = dict(zip(pairs, compare(pairs), strict=True)) if pairs else {}
    for one, other, kind, forward, backward, detector, score in rows:
        left, right = copies[one], copies[other]
        found: tuple[Kind, Overlap] | None = (Kind(kind), Overlap(forward, backward))
        if kind == Kind.UPDATE:
            found = plain[detector, left.id, right.id]
        if found is not None:
            ((new_kind, is_reversed),) = directed([(left[1:4], right[1:4], *found)])
            new = relation(left.id, right.id, new_kind, found[1], detector, score, is_reversed)
            ends = (one, other) if new.left == left.id else (other, one)
            yield (*ends, str(new.kind), *new.overlap, new.detector, new.score)


def insert_relations(session: Session, relations: Iterable[Relation], known: Mapping[str, int]) -> None:
    """Write relations; `known` holds article numbers that need not be looked up."""
    relations = list(relations)
    if not relations:
        return
    unknown = {id for relation in relations for id in (relation.left, relation.right)} - known.keys()
    numbers = {**known, **numbers_of_ids(session, unknown)}
    checksums.insert(
        session,
        "relations",
        _RELATION,
        [
            (numbers[r.left], numbers[r.right], str(r.kind), r.overlap.forward, r.overlap.backward, r.detector, r.score)
            for r in relations
        ],
    )


def count_weaker_relations(session: Session, numbers: Mapping[str, int], weaker: Mapping[str, int]) -> None:
    """Write how many relations of some articles are weaker than those that are stored."""
    rows = [(weaker.get(id, 0), number) for id, number in numbers.items()]
    session.many("UPDATE articles SET weaker_relations = ? WHERE number = ?", rows)


def new_relations(session: Session, relations: Sequence[Relation], numbers: Mapping[str, int]) -> list[Relation]:
    """Return the relations that are not stored yet, each pair once; `numbers` maps the ids of their articles."""
    known = set()
    for side, other in (("left", "right"), ("right", "left")):
        sql = f"SELECT r.{side}_number, a.id FROM relations r JOIN articles a ON a.number = r.{other}_number"
        rows = session.rows_among(f"{sql} WHERE r.{side}_number IN ({{}})", sorted(numbers.values()))
        names = {number: id for id, number in numbers.items()}
        known |= {frozenset((names[number], id)) for number, id in rows}
    out = {frozenset((relation.left, relation.right)): relation for relation in relations}
    return [relation for pair, relation in out.items() if pair not in known]


def numbers_of_ids(session: Session, ids: Iterable[str]) -> dict[str, int]:
    """Return the numbers of the stored articles among these ids."""
    return dict(session.rows_among("SELECT id, number FROM articles WHERE id IN ({})", sorted(ids)))


def ids_of_numbers(session: Session, numbers: Iterable[int]) -> dict[int, str]:
    """Return the ids of the stored articles among these numbers."""
    return dict(session.rows_among("SELECT number, id FROM articles WHERE number IN ({})", sorted(numbers)))


def load(session: Session, ids: Iterable[str]) -> dict[str, StoredArticle]:
    """Return the stored articles with these ids, by id."""
    sql = f"SELECT {_COLUMNS} {_FROM} WHERE a.id IN ({{}})"
    return {each.article.id: each for each in map(_stored, session.rows_among(sql, sorted(set(ids))))}


def load_after(session: Session, number: int, limit: int) -> list[StoredArticle]:
    """Return up to `limit` articles with numbers above `number`, in order of arrival."""
    sql = f"SELECT {_COLUMNS} {_FROM} WHERE a.number > ? ORDER BY a.number LIMIT ?"
    return [_stored(row) for row in session.rows(sql, (number, limit))]


def _stored(row: tuple[Any, ...]) -> StoredArticle:
    number, came, id, text, title, published, url, source, lang, at, arrived, story, revision, fields = row
    article = Article(id, text, title, published, url, source, lang, ArticleMetadata.from_json(fields))
    return StoredArticle(article, number, came, at, arrived, story, revision)


def iso_time(at: int | None) -> str | None:
    """Format a time in ISO 8601.

    >>> iso_time(0)
    '1970-01-01T00:00:00+00:00'
    """
    return None if at is None else moment(at).isoformat()
