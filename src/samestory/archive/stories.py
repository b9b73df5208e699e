"""One story: its articles in chronological order, and what each derives from an earlier one.

An article depends most on an earlier article that it copies; failing that, on one that it updates, then on one that
contains it or that it contains, and then on one that reports the same event.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from samestory.archive.cursors import decode_cursor, encode_cursor
from samestory.archive.independent import DERIVED, count_independent
from samestory.archive.query import name_key
from samestory.archive.stored import ids_of_numbers
from samestory.archive.story_stats import count_texts
from samestory.archive.strongest import CLOSEST_FIRST
from samestory.archive.times import moment
from samestory.database import Database, Session
from samestory.errors import InputError, ParameterError
from samestory.model import Kind, Overlap, Relation, shown

#: Pairs looked up per statement.
PAIRS_PER_QUERY = 400

#: The most articles on a page of members.
MAX_PAGE_SIZE = 1000

_CLOSENESS = {str(kind): place for place, kind in enumerate(CLOSEST_FIRST)}
_FLIPPED = {str(kind): str(kind.flipped) for kind in CLOSEST_FIRST}
_TIME = "coalesce(a.at, a.arrived)"
_MEMBER = f"a.number, {_TIME}, a.id, t.title, a.source, a.lang, t.published, t.url, a.words, a.likeness, a.revision"


@dataclass(frozen=True, slots=True)
class Member:
    """An article of a story; `published` is as given in the input."""

    number: int
    id: str
    title: str | None
    source: str | None
    language: str | None
    published: str | None
    url: str | None
    time: datetime
    """The publication time or, if unknown, the arrival time."""
    words: int
    likeness: int
    """A hash of its words: articles with the same words have the same one."""
    revision: int
    depends: Relation | None = None
    """The relation to the earlier article that it depends on most, with this article left; None if there is none."""

    @property
    def kind(self) -> Kind | None:
        """The kind of its relation to the article that it depends on most."""
        return self.depends.kind if self.depends else None


@dataclass(frozen=True, slots=True)
class MemberPage:
    """A page of the articles of a story, in chronological order."""

    articles: tuple[Member, ...]
    total: int
    cursor: str | None
    """Cursor of the next page; None on the last."""


@dataclass(frozen=True, slots=True)
class Story:
    """A story with all its articles, in chronological order."""

    number: int
    members: tuple[Member, ...]
    representative: Member
    """The longest article; ties go to the earliest."""

    @property
    def first(self) -> Member:
        """The earliest article."""
        return self.members[0]

    @property
    def last(self) -> Member:
        """The latest article."""
        return self.members[-1]

    @property
    def texts(self) -> int:
        """The number of independent texts: ten reprints of one wire story count as one, even if edited."""
        places = {member.id: place for place, member in enumerate(self.members)}
        # an article that derives from any earlier one depends most on such a one
        pairs = ((places[m.id], places[m.depends.right]) for m in self.members if m.depends and m.kind in DERIVED)
        return count_independent(((place, place, m.likeness) for place, m in enumerate(self.members)), pairs)

    @property
    def sources(self) -> tuple[str, ...]:
        """Its sources, in the order of their first articles."""
        return tuple(dict.fromkeys(member.source for member in self.members if member.source is not None))

    @property
    def kinds(self) -> dict[Kind, int]:
        """The number of articles per kind of dependency."""
        counts = Counter(member.kind for member in self.members)
        return {kind: counts[kind] for kind in CLOSEST_FIRST if counts[kind]}


@dataclass(frozen=True, slots=True)
class StorySummary:
    """What the head of a story's page states, computed in the database: a story may have ten thousand articles."""

    title: str
    """The title of the representative, or of the first article that has one, or the representative's id."""
    representative: Member
    first: Member
    last: Member
    articles: int
    texts: int
    sources: tuple[str, ...]
    kinds: dict[Kind, int]


@dataclass(frozen=True, slots=True)
class StoryDay:
    """A day of a story: its articles, and the texts and sources that were new."""

    day: date
    articles: int
    texts: int
    """The number of texts that did not appear on earlier days."""
    sources: tuple[str, ...]
    """Sources that did not appear on earlier days."""


def story(database: Database, number: int, prefer: Sequence[str] = ()) -> Story:
    """Return a story; raise an InputError if no story has this number.

    The representative is from the first source of `prefer` that has an article in it; case and accents do not matter.
    """
    with database.read() as session:
        found = _members(session, f"a.story = ? ORDER BY {_TIME}, a.number", (number,))
        if not found:
            raise _missing(session, number)
        members = _with_dependencies(session, number, found)
    places = {name_key(name): place for place, name in reversed(list(enumerate(prefer)))}

    def rank(member: Member) -> tuple[Any, ...]:
        place = len(places) if member.source is None else places.get(name_key(member.source), len(places))
        return place, -member.words, member.time, member.number

    best = min(members, key=rank)
    return Story(number, members, best)


def _missing(session: Session, number: int) -> InputError:
    now = merged_into(session, number)
    return InputError(f"story {number}: no such story", hint=f"it was merged into story {now}" if now else "")


def _closeness_sql(kinds: Mapping[str, str]) -> str:
    """SQL: the closeness of the kind of a relation; `kinds` maps a stored kind to the kind seen from one article."""
    cases = (f"WHEN '{kind}' THEN {_CLOSENESS[seen]}" for kind, seen in kinds.items())
    return f"CASE r.kind {' '.join(cases)} END"


#: The closeness of the kind of a relation, seen from its left and from its right article.
_FROM_LEFT = _closeness_sql({kind: kind for kind in _CLOSENESS})
_FROM_RIGHT = _closeness_sql(_FLIPPED)

#: The number of articles by the closest kind of their relations to earlier ones. With a plain right_number, SQLite
#: would look up every pair of articles.
_KIND_COUNTS = (
    "WITH placed AS MATERIALIZED (SELECT number, row_number() OVER (ORDER BY coalesce(at, arrived), number) AS place"
    " FROM articles WHERE story = ?), closest AS (SELECT"
    " CASE WHEN b.place < a.place THEN a.number ELSE b.number END AS own,"
    f" min(CASE WHEN b.place < a.place THEN {_FROM_LEFT} ELSE {_FROM_RIGHT} END) AS closeness"
    " FROM placed a JOIN relations r ON r.left_number = a.number JOIN placed b ON b.number = +r.right_number"
    " GROUP BY 1)"
    " SELECT closeness, count(*) FROM closest GROUP BY closeness ORDER BY closeness"
)


def summary(database: Database, number: int) -> StorySummary:
    """Return the summary of a story; raise an InputError if no story has this number."""
    with database.read() as session:

        def ends(order: str) -> list[Row]:
            return _members(session, f"a.story = ? ORDER BY {order} LIMIT 1", (number,))

        chosen = [
            *ends(f"a.words DESC, {_TIME}, a.number"),
            *ends(f"{_TIME}, a.number"),
            *ends(f"{_TIME} DESC, a.number DESC"),
        ]
        if not chosen:
            raise _missing(session, number)
        best, first, last = _with_dependencies(session, number, chosen)
        (articles,) = session.rows("SELECT count(*) FROM articles WHERE story = ?", (number,))[0]
        texts = count_texts(session, [number])[number]
        sources = session.rows(
            "SELECT source FROM (SELECT source, row_number() OVER (ORDER BY coalesce(at, arrived), number) AS place"
            " FROM articles WHERE story = ? AND source IS NOT NULL) s GROUP BY source ORDER BY min(place)",
            (number,),
        )
        kinds = session.rows(_KIND_COUNTS, (number,))
        titled = best.title if best.title and best.title.strip() else _first_title(session, number)
    return StorySummary(
        title=titled or best.id,
        representative=best,
        first=first,
        last=last,
        articles=articles,
        texts=texts,
        sources=tuple(source for (source,) in sources),
        kinds={CLOSEST_FIRST[closeness]: count for closeness, count in kinds},
    )


def _first_title(session: Session, number: int) -> str:
    """Return the first title in the story that is not blank."""
    rows = session.each(
        f"SELECT t.title FROM articles a JOIN texts t ON t.number = a.number WHERE a.story = ?"
        f" AND t.title IS NOT NULL ORDER BY {_TIME}, a.number",
        (number,),
    )
    return next((title for (title,) in rows if title.strip()), "")


def members(database: Database, number: int, cursor: str | None = None, limit: int = 50) -> MemberPage:
    """Return a page of the articles of a story; articles that arrived after the first page are excluded."""
    if type(limit) is not int or not 1 <= limit <= MAX_PAGE_SIZE:
        raise ParameterError(f"limit: expected 1 to {MAX_PAGE_SIZE}, got {shown(limit)}")
    with database.read() as session:
        newest = session.one("SELECT max(number) FROM articles")
        if cursor is None:
            bound, time, last = (newest[0] if newest and newest[0] is not None else 0), None, 0
        else:
            _, bound, time, last = decode_cursor(cursor, number, 4)
        total = session.one("SELECT count(*) FROM articles WHERE story = ? AND came <= ?", (number, bound))
        later, place = ("", ()) if time is None else (f" AND ({_TIME}, a.number) > (?, ?)", (time, last))
        found = _members(
            session,
            f"a.story = ? AND a.came <= ?{later} ORDER BY {_TIME}, a.number LIMIT ?",
            (number, bound, *place, limit + 1),
        )
        page = _with_dependencies(session, number, found[:limit])
    end = encode_cursor(number, bound, found[limit - 1][1], found[limit - 1][0]) if len(found) > limit else None
    return MemberPage(page, total[0] if total else 0, end)


def relations(database: Database, id: str, limit: int | None = None) -> list[Relation]:
    """Return the relations of an article, closest first; the contained article and the newer version are left.

    With `limit`, only so many: thousands of articles may repeat one.
    """
    with database.read() as session:
        found = session.one("SELECT number FROM articles WHERE id = ?", (id,))
        if found is None:
            raise InputError(f"article {shown(id)}: no such article")
        columns = "SELECT left_number, right_number, kind, forward, backward, detector, score FROM relations WHERE"
        rows = [row for side in ("left", "right") for row in session.rows(f"{columns} {side}_number = ?", found)]
        rows.sort(key=lambda row: (_CLOSENESS[row[2]], -max(row[3:5]), -sum(row[3:5]), row[0], row[1]))
        names = ids_of_numbers(session, {number for row in rows[:limit] for number in row[:2]})
    return [
        Relation(names[left], names[right], Kind(kind), Overlap(forward, backward), detector, score)
        for left, right, kind, forward, backward, detector, score in rows[:limit]
    ]


def weaker_relations(database: Database, id: str) -> int:
    """Return how many relations of an article were found but not stored, since others are stronger."""
    with database.read() as session:
        found = session.one("SELECT weaker_relations FROM articles WHERE id = ?", (id,))
    return int(found[0]) if found else 0


def timeline(database: Database, number: int) -> list[StoryDay]:
    """Return the growth of a story day by day; days without an article are omitted."""
    days: dict[date, list[Member]] = defaultdict(list)
    for member in story(database, number).members:
        days[member.time.date()].append(member)
    out, texts, sources = [], set[int](), set[str]()
    for day, found in days.items():
        new_texts = {member.likeness for member in found} - texts
        new_sources = dict.fromkeys(m.source for m in found if m.source is not None and m.source not in sources)
        out.append(StoryDay(day, len(found), len(new_texts), tuple(new_sources)))
        texts |= new_texts
        sources |= set(new_sources)
    return out


Row = tuple[Any, ...]


def _members(session: Session, where: str, args: Sequence[Any]) -> list[Row]:
    return session.rows(f"SELECT {_MEMBER} FROM articles a JOIN texts t ON t.number = a.number WHERE {where}", args)


def _with_dependencies(session: Session, story: int, rows: Sequence[Row]) -> tuple[Member, ...]:
    """Return the articles of a story, each with the relation that it depends on most."""
    sql = f"SELECT a.number, a.id FROM articles a WHERE a.story = ? ORDER BY {_TIME}, a.number"
    ordered = session.rows(sql, (story,))
    place = {number: place for place, (number, _) in enumerate(ordered)}
    best = _closest(session, place, [row[0] for row in rows])
    loaded = _load_relations(session, [pair for _, pair in best.values()])

    def depends(own: int) -> Relation | None:
        if own not in best:
            return None
        left, right = best[own][1]
        kind, forward, backward, detector, score = loaded[left, right]
        ends = ordered[place[left]][1], ordered[place[right]][1]
        relation = Relation(*ends, Kind(kind), Overlap(forward, backward), detector, score)
        return relation if left == own else relation.flipped()

    return tuple(_member(row, depends(row[0])) for row in rows)


Pair = tuple[int, int]


def _closest(session: Session, place: Mapping[int, int], numbers: Sequence[int]) -> dict[int, tuple[Row, Pair]]:
    """Return the closest dependency of some articles of a story, as its rank and its pair; `place` is their order.

    A story of hundreds of near copies has a hundred thousand relations: few columns are read and no objects created.
    """
    best: dict[int, tuple[Row, Pair]] = {}
    wanted, whole = set(numbers), len(numbers) == len(place)
    # within a whole story every relation is found from its left end
    for side in ("left_number",) if whole else ("left_number", "right_number"):
        for left, right, kind, forward, backward in session.rows_among(
            f"SELECT left_number, right_number, kind, forward, backward FROM relations WHERE {side} IN ({{}})", numbers
        ):
            here, there = place.get(left), place.get(right)
            if here is None or there is None:
                continue
            if there < here:
                own, rank = left, (_CLOSENESS[kind], -forward, -backward, there)
            else:
                own, rank = right, (_CLOSENESS[_FLIPPED[kind]], -backward, -forward, here)
            if own in wanted and (own not in best or rank < best[own][0]):
                best[own] = rank, (left, right)
    return best


def _load_relations(session: Session, pairs: Sequence[Pair]) -> dict[Pair, Row]:
    """Load the relations of these pairs."""
    out: dict[Pair, Row] = {}
    for start in range(0, len(pairs), PAIRS_PER_QUERY):
        chunk = pairs[start : start + PAIRS_PER_QUERY]
        marks = ", ".join(["(?, ?)"] * len(chunk))
        # joined to the pairs: "(left, right) IN …" makes SQLite scan every relation
        found = session.rows(
            f"WITH wanted (one, other) AS (VALUES {marks})"
            " SELECT left_number, right_number, kind, forward, backward, detector, score"
            " FROM wanted JOIN relations ON left_number = one AND right_number = other",
            [number for pair in chunk for number in pair],
        )
        out |= {(left, right): tuple(rest) for left, right, *rest in found}
    return out


def _member(row: Row, depends: Relation | None) -> Member:
    number, time, id, title, source, language, published, url, words, likeness, revision = row
    fields = (id, title, source, language, published, url)
    return Member(number, *fields, moment(time), words, likeness, revision, depends)


def merged_into(session: Session, number: int) -> int | None:
    """Return the story that a vanished one was merged into, possibly through others; None if the log has no merge."""
    # read all merges at once: a chain may be long, and every query scans the whole log
    into: dict[int, int] = dict(session.rows("SELECT other, story FROM changes WHERE what = 'merged' ORDER BY seq"))
    while (following := into.pop(number, None)) is not None:
        if session.one("SELECT 1 FROM articles WHERE story = ? LIMIT 1", (following,)):
            return following
        number = following
    return None
