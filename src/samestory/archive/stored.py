"""Articles as an archive keeps them: the rows of an article written, read and taken away."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from samestory import _core
from samestory.archive import words
from samestory.database import Session, storable
from samestory.index.index import EPOCH, relation
from samestory.model import NO_TIME, Article, Features, Kind, Overlap, Relation

#: A day, in microseconds.
DAY = 24 * 3600 * 10**6
_COLUMNS = (
    "a.number, a.came, a.id, t.text, t.title, t.published, t.url,"
    " a.source, a.lang, a.at, a.arrived, a.story, a.revision"
)

#: What a packed token says besides which word it is: a figure, a capital.
_FLAGS = np.uint32(3)

_RELATION = ("left_number", "right_number", "kind", "forward", "backward", "detector", "score")


#: Compares articles again: the spec of a detector and two ids each; None where they are not related any more.
Compared = Callable[[Sequence[tuple[str, str, str]]], Sequence[tuple[Kind, Overlap] | None]]


class _Copy(NamedTuple):
    """What tells copies from each other: source and time; and what they have in common."""

    number: int
    id: str
    source: int
    time: int
    lot: tuple[Any, ...]

    @classmethod
    def of(cls, row: Sequence[Any]) -> _Copy:
        number, id, likeness, source, day, at = row
        return cls(number, id, _core.source_hash(source or ""), NO_TIME if at is None else at, (likeness, day))


@dataclass(frozen=True, slots=True)
class Stored:
    """An article, with what the archive knows about it; times are microseconds since 1970."""

    article: Article
    number: int
    came: int
    """The number that it had when it came first; each version has its own."""
    at: int | None
    arrived: int
    story: int
    revision: int


def clean(article: Article) -> Article:
    """The article as every database can keep it."""
    roles = ("id", "text", "title", "published", "url", "source", "lang")
    given = {role: getattr(article, role) for role in roles}
    if not any(value and "\0" in value for value in given.values()):
        return article
    return replace(article, **{role: value and storable(value) for role, value in given.items()})


def likeness(features: Features) -> list[int]:
    """A number for every article, with a sign, as databases hold it: same words, same number; 0 for none.

    Capitals make no other word: some shout the first line of what they reprint.
    """
    tokens = features.tokens
    values, offsets = tokens.values & ~_FLAGS, tokens.offsets.tolist()
    raw, size = values.tobytes(), values.itemsize
    out = []
    for start, end in pairwise(offsets):
        digest = hashlib.blake2b(raw[start * size : end * size], digest_size=8).digest()
        out.append(int.from_bytes(digest, "little", signed=True) if end > start else 0)
    return out


class About(NamedTuple):
    """What is written about an article beside what it says."""

    number: int
    likeness: int
    story: int
    before: Stored | None
    """The version that it replaces."""


def insert(
    session: Session, articles: Sequence[Article], features: Features, about: Sequence[About], arrived: int
) -> None:
    """Writes new articles but for their texts."""
    times, languages = features.microseconds, features.languages
    counts = features.tokens.lengths().tolist()
    rows = []
    for row, (article, (number, like, story, before)) in enumerate(zip(articles, about, strict=True)):
        at = None if times[row] == NO_TIME else times[row]
        day = (arrived if at is None else at) // DAY
        came, revision = (before.came, before.revision + 1) if before else (number, 1)
        plain = (number, came, article.id, article.source, languages[row])
        rows.append((*plain, at, day, arrived, counts[row], like, story, revision))
    named = ("number", "came", "id", "source", "lang")
    columns = (*named, "at", "day", "arrived", "words", "likeness", "story", "revision")
    session.insert("articles", columns, rows)


def insert_texts(
    session: Session, kind: str, numbers: Sequence[int], articles: Sequence[Article], languages: Sequence[str]
) -> None:
    """Writes the texts of new articles and files their words for search: of all that is written, what takes longest."""
    columns = ("number", "text", "title", "published", "url")
    rows = [(number, a.text, a.title, a.published, a.url) for number, a in zip(numbers, articles, strict=True)]
    titles, texts = [article.title for article in articles], [article.text for article in articles]
    if kind == "postgres":
        # beside the text, at once: to add them to what is written would write all of it again
        found = words.vectors(titles, texts, languages)
        session.insert("texts", (*columns, "found"), [(*row, each) for row, each in zip(rows, found, strict=True)])
        return
    session.insert("texts", columns, rows)
    words.file(session, kind, list(zip(numbers, titles, texts, languages, strict=True)))


def delete(session: Session, kind: str, numbers: Sequence[int], compared: Compared) -> list[int]:
    """Takes articles away, with all that was said about them; of copies the next one takes the place of the first.

    Gives the likenesses of those that are gone.
    """
    lots = _bequeath(session, numbers, compared)
    if kind == "sqlite":
        filed = "SELECT a.number, t.title, t.text, a.lang FROM articles a JOIN texts t ON t.number = a.number"
        words.unfile(session, session.rows_among(f"{filed} WHERE a.number IN ({{}})", numbers))
    for table, column in (
        ("relations", "left_number"),
        ("relations", "right_number"),
        ("texts", "number"),
        ("articles", "number"),
    ):
        session.run_among(f"DELETE FROM {table} WHERE {column} IN ({{}})", numbers)
    return lots


def _bequeath(session: Session, numbers: Sequence[int], compared: Compared) -> list[int]:
    """Says of the next copy what was said of articles that go: only the first of copies is related to others.

    What makes one article a new version of another goes to the next copy of the same source as well.
    """
    columns = "SELECT number, id, likeness, source, CASE WHEN at IS NULL THEN NULL ELSE day END, at FROM articles WHERE"
    gone = [_Copy.of(row) for row in session.rows_among(f"{columns} number IN ({{}})", numbers)]
    lots = sorted({each.lot[0] for each in gone if each.lot[0]})
    known = {each.number: each for each in gone}
    heirs: dict[tuple[Any, ...], _Copy] = {}
    for each in sorted(
        (_Copy.of(row) for row in session.rows_among(f"{columns} likeness IN ({{}})", lots)),
        key=lambda each: each.number,
    ):
        if each.number not in known:
            heirs.setdefault(each.lot, each)
            if each.source:
                heirs.setdefault((*each.lot, each.source), each)
    if not heirs:
        return []
    first = {each.number: heirs[each.lot].number for each in gone if each.lot in heirs}
    own = {each.number: heirs[kin].number for each in gone if (kin := (*each.lot, each.source)) in heirs}
    said: dict[frozenset[Any], tuple[Any, ...]] = {}
    for side in ("left_number", "right_number"):
        sql = f"SELECT left_number, right_number, kind, forward, backward, detector, score FROM relations WHERE {side}"
        for left, right, kind, *rest in session.rows_among(f"{sql} IN ({{}})", sorted(first)):
            for heir in (first, own) if kind == Kind.UPDATE else (first,):
                one, other = (heir.get(number, number) for number in (left, right))
                if one != other and not {one, other} & known.keys():
                    said.setdefault(frozenset((one, other)), (one, other, kind, *rest))
        sql = f"SELECT left_number, right_number FROM relations WHERE {side}"
        for pair in session.rows_among(f"{sql} IN ({{}})", sorted({*first.values(), *own.values()})):
            said[frozenset(pair)] = ()  # known already
    rows = [row for row in said.values() if row]
    named = sorted({number for row in rows for number in row[:2]})
    about = {row[0]: _Copy.of(row) for row in session.rows_among(f"{columns} number IN ({{}})", named)}
    session.insert("relations", _RELATION, _dated(rows, about, compared))
    return lots


def _dated(
    rows: Sequence[tuple[Any, ...]], about: Mapping[int, _Copy], compared: Compared
) -> Iterator[tuple[Any, ...]]:
    """Relations told anew of articles that have the same words and maybe other sources and times."""
    updates = [row for row in rows if row[2] == Kind.UPDATE]
    asked = [(row[5], about[row[0]].id, about[row[1]].id) for row in updates]
    # what a new version would be to another's article is not written down
    plain = dict(zip(asked, compared(asked), strict=True)) if asked else {}
    for one, other, kind, forward, backward, detector, score in rows:
        left, right = about[one], about[other]
        found: tuple[Kind, Overlap] | None = (Kind(kind), Overlap(forward, backward))
        if kind == Kind.UPDATE:
            found = plain[detector, left.id, right.id]
        if found is not None:
            told = relation(left[1:4], right[1:4], *found, detector, score)
            ends = (one, other) if told.left == left.id else (other, one)
            yield (*ends, str(told.kind), *told.overlap, told.detector, told.score)


def relate(session: Session, relations: Iterable[Relation], known: Mapping[str, int]) -> None:
    """Writes relations; `known` are the numbers of articles that are not to be looked up."""
    relations = list(relations)
    asked = {id for relation in relations for id in (relation.left, relation.right)} - known.keys()
    numbers = {**known, **numbers_of_ids(session, asked)}
    session.insert(
        "relations",
        _RELATION,
        [
            (numbers[r.left], numbers[r.right], str(r.kind), r.overlap.forward, r.overlap.backward, r.detector, r.score)
            for r in relations
        ],
    )


def missing(session: Session, relations: Sequence[Relation], numbers: Mapping[str, int]) -> list[Relation]:
    """Those relations of some articles, given by id and number, that are not written yet; each pair once."""
    known = set()
    for side, other in (("left", "right"), ("right", "left")):
        sql = f"SELECT r.{side}_number, a.id FROM relations r JOIN articles a ON a.number = r.{other}_number"
        rows = session.rows_among(f"{sql} WHERE r.{side}_number IN ({{}})", sorted(numbers.values()))
        names = {number: id for id, number in numbers.items()}
        known |= {frozenset((names[number], id)) for number, id in rows}
    out = {frozenset((relation.left, relation.right)): relation for relation in relations}
    return [relation for pair, relation in out.items() if pair not in known]


def numbers_of_ids(session: Session, ids: Iterable[str]) -> dict[str, int]:
    """The numbers of the articles that are there."""
    return dict(session.rows_among("SELECT id, number FROM articles WHERE id IN ({})", sorted(ids)))


def ids_of_numbers(session: Session, numbers: Iterable[int]) -> dict[int, str]:
    """The ids of the articles that are there."""
    return dict(session.rows_among("SELECT number, id FROM articles WHERE number IN ({})", sorted(numbers)))


def load(session: Session, ids: Iterable[str]) -> dict[str, Stored]:
    """The articles of these ids that are there."""
    sql = f"SELECT {_COLUMNS} FROM articles a JOIN texts t ON t.number = a.number WHERE a.id IN ({{}})"
    return {each.article.id: each for each in map(_stored, session.rows_among(sql, sorted(set(ids))))}


def after(session: Session, number: int, limit: int) -> list[Stored]:
    """Articles in the order in which they came, from the one behind that number on."""
    sql = f"SELECT {_COLUMNS} FROM articles a JOIN texts t ON t.number = a.number"
    return [
        _stored(row) for row in session.rows(f"{sql} WHERE a.number > ? ORDER BY a.number LIMIT ?", (number, limit))
    ]


def _stored(row: tuple[Any, ...]) -> Stored:
    number, came, id, text, title, published, url, source, lang, at, arrived, story, revision = row
    article = Article(id, text, title, published, url, source, lang)
    return Stored(article, number, came, at, arrived, story, revision)


def moment(at: int | None) -> str | None:
    """A time as people and programs read it.

    >>> moment(0)
    '1970-01-01T00:00:00+00:00'
    """
    from datetime import timedelta

    return None if at is None else (EPOCH + timedelta(microseconds=at)).isoformat()
