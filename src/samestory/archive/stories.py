"""One story: its articles in the order of time, and what each owes to those before it.

An article depends most on the earlier one that it copies; if there is none, on that of which it is a new version, then
on that which holds it or which it holds, and then on one that tells of the same event.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from samestory.archive.cursors import packed, unpacked
from samestory.archive.independent import TAKEN, independent
from samestory.archive.query import name_key
from samestory.archive.times import moment
from samestory.database import Database, Session
from samestory.errors import InputError, ParameterError
from samestory.model import Kind, Overlap, Relation, shown

#: From what an article owes most to what it owes least.
CLOSEST = (Kind.IDENTICAL, Kind.NEAR, Kind.UPDATE, Kind.PART_OF, Kind.HAS_PART, Kind.SAME_EVENT, Kind.SHARES_TEXT)

#: So many pairs are asked about at once.
SOME = 400

#: How many articles a page of members has at most.
LARGEST = 1000

_CLOSENESS = {str(kind): place for place, kind in enumerate(CLOSEST)}
_FLIPPED = {str(kind): str(kind.flipped) for kind in CLOSEST}
_TIME = "coalesce(a.at, a.arrived)"
_MEMBER = f"a.number, {_TIME}, a.id, t.title, a.source, a.lang, t.published, t.url, a.words, a.likeness, a.revision"


@dataclass(frozen=True, slots=True)
class Member:
    """An article of a story; `published` as it was given."""

    number: int
    id: str
    title: str | None
    source: str | None
    language: str | None
    published: str | None
    url: str | None
    time: datetime
    """When it was published or, where nobody knows, arrived."""
    words: int
    likeness: int
    """The same number: the same words."""
    revision: int
    depends: Relation | None = None
    """What it has to do with the earlier article that it depends on most; it stands left. None: with none of them."""

    @property
    def kind(self) -> Kind | None:
        """What it is to the article that it depends on most."""
        return self.depends.kind if self.depends else None


@dataclass(frozen=True, slots=True)
class Members:
    """Some of the articles of a story, in the order of time."""

    articles: tuple[Member, ...]
    total: int
    cursor: str | None
    """Gives the next ones; None at the end."""


@dataclass(frozen=True, slots=True)
class Story:
    """A story with all its articles, in the order of time."""

    number: int
    members: tuple[Member, ...]
    representative: Member
    """The longest; of equals the earliest."""

    @property
    def first(self) -> Member:
        """Who had it first."""
        return self.members[0]

    @property
    def last(self) -> Member:
        """The newest."""
        return self.members[-1]

    @property
    def texts(self) -> int:
        """How many independent texts: ten reprints of one wire story are one, whatever each has changed."""
        places = {member.id: place for place, member in enumerate(self.members)}
        # whoever took text from any earlier one depends on such a one most
        pairs = ((places[m.id], places[m.depends.right]) for m in self.members if m.depends and m.kind in TAKEN)
        return independent(((place, place, m.likeness) for place, m in enumerate(self.members)), pairs)

    @property
    def sources(self) -> tuple[str, ...]:
        """Who told it, in the order of their first articles."""
        return tuple(dict.fromkeys(member.source for member in self.members if member.source is not None))

    @property
    def kinds(self) -> dict[Kind, int]:
        """How many articles are what to those that they depend on."""
        counts = Counter(member.kind for member in self.members)
        return {kind: counts[kind] for kind in CLOSEST if counts[kind]}


@dataclass(frozen=True, slots=True)
class Day:
    """A day of a story: its articles, and what of them was new."""

    day: date
    articles: int
    texts: int
    """Texts that were not there on the days before."""
    sources: tuple[str, ...]
    """Sources that had not told it on the days before."""


def story(database: Database, number: int, prefer: Sequence[str] = ()) -> Story:
    """A story; an InputError if there is none of this number.

    The representative is of the first source of `prefer` that has an article in it; case and accents do not matter.
    """
    with database.read() as session:
        found = _members(session, f"a.story = ? ORDER BY {_TIME}, a.number", (number,))
        if not found:
            now = became(session, number)
            raise InputError(f"story {number}: there is none", hint=f"it became part of story {now}" if now else "")
        members = _dependent(session, number, found)
    places = {name_key(name): place for place, name in reversed(list(enumerate(prefer)))}

    def rank(member: Member) -> tuple[Any, ...]:
        place = len(places) if member.source is None else places.get(name_key(member.source), len(places))
        return place, -member.words, member.time, member.number

    best = min(members, key=rank)
    return Story(number, members, best)


def members(database: Database, number: int, cursor: str | None = None, limit: int = 50) -> Members:
    """The articles of a story, some at a time; those that arrived after the first page are not among them."""
    if type(limit) is not int or not 1 <= limit <= LARGEST:
        raise ParameterError(f"limit: 1 to {LARGEST} is wanted, got {shown(limit)}")
    with database.read() as session:
        newest = session.one("SELECT max(number) FROM articles")
        if cursor is None:
            bound, time, last = (newest[0] if newest and newest[0] is not None else 0), None, 0
        else:
            _, bound, time, last = unpacked(cursor, number, 4)
        total = session.one("SELECT count(*) FROM articles WHERE story = ? AND came <= ?", (number, bound))
        later, place = ("", ()) if time is None else (f" AND ({_TIME}, a.number) > (?, ?)", (time, last))
        found = _members(
            session,
            f"a.story = ? AND a.came <= ?{later} ORDER BY {_TIME}, a.number LIMIT ?",
            (number, bound, *place, limit + 1),
        )
        shown_now = _dependent(session, number, found[:limit])
    end = packed(number, bound, found[limit - 1][1], found[limit - 1][0]) if len(found) > limit else None
    return Members(shown_now, total[0] if total else 0, end)


def relations(database: Database, id: str) -> list[Relation]:
    """What an article has to do with others, the closest first; a part stands left of its whole, a new version left
    of the old one."""
    with database.read() as session:
        found = session.one("SELECT number FROM articles WHERE id = ?", (id,))
        if found is None:
            raise InputError(f"article {shown(id)}: there is none")
        told = [told for _, _, told in _relations(session, found)]
    return sorted(told, key=lambda r: (CLOSEST.index(r.kind), -r.overlap.share, -sum(r.overlap), r.left, r.right))


def timeline(database: Database, number: int) -> list[Day]:
    """How a story grew, day by day; days without an article are left out."""
    days: dict[date, list[Member]] = defaultdict(list)
    for member in story(database, number).members:
        days[member.time.date()].append(member)
    out, texts, sources = [], set[int](), set[str]()
    for day, there in days.items():
        new_texts = {member.likeness for member in there} - texts
        new_sources = dict.fromkeys(m.source for m in there if m.source is not None and m.source not in sources)
        out.append(Day(day, len(there), len(new_texts), tuple(new_sources)))
        texts |= new_texts
        sources |= set(new_sources)
    return out


Row = tuple[Any, ...]


def _members(session: Session, where: str, args: Sequence[Any]) -> list[Row]:
    return session.rows(f"SELECT {_MEMBER} FROM articles a JOIN texts t ON t.number = a.number WHERE {where}", args)


def _dependent(session: Session, story: int, rows: Sequence[Row]) -> tuple[Member, ...]:
    """The articles of a story, each with what it depends on most."""
    sql = f"SELECT a.number, a.id FROM articles a WHERE a.story = ? ORDER BY {_TIME}, a.number"
    ordered = session.rows(sql, (story,))
    place = {number: place for place, (number, _) in enumerate(ordered)}
    best = _closest(session, place, [row[0] for row in rows])
    told = _told(session, [pair for _, pair in best.values()])

    def depends(own: int) -> Relation | None:
        if own not in best:
            return None
        left, right = best[own][1]
        kind, forward, backward, detector, score = told[left, right]
        ends = ordered[place[left]][1], ordered[place[right]][1]
        kept = Relation(*ends, Kind(kind), Overlap(forward, backward), detector, score)
        return kept if left == own else kept.flipped()

    return tuple(_member(row, depends(row[0])) for row in rows)


Pair = tuple[int, int]


def _closest(session: Session, place: Mapping[int, int], numbers: Sequence[int]) -> dict[int, tuple[Row, Pair]]:
    """Of the articles of a story, which have places in it, what some depend on most: how closely, and the pair.

    A story of hundreds of near copies has a hundred thousand relations: little of each is read, none made an object.
    """
    best: dict[int, tuple[Row, Pair]] = {}
    asked, whole = set(numbers), len(numbers) == len(place)
    # of a whole story every relation is found from its left end
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
            if own in asked and (own not in best or rank < best[own][0]):
                best[own] = rank, (left, right)
    return best


def _told(session: Session, pairs: Sequence[Pair]) -> dict[Pair, Row]:
    """The relations of these pairs."""
    out: dict[Pair, Row] = {}
    for start in range(0, len(pairs), SOME):
        some = pairs[start : start + SOME]
        marks = ", ".join(["(?, ?)"] * len(some))
        # joined to the pairs: "(left, right) IN …" makes SQLite look at every relation there is
        found = session.rows(
            f"WITH asked (one, other) AS (VALUES {marks})"
            " SELECT left_number, right_number, kind, forward, backward, detector, score"
            " FROM asked JOIN relations ON left_number = one AND right_number = other",
            [number for pair in some for number in pair],
        )
        out |= {(left, right): tuple(rest) for left, right, *rest in found}
    return out


def _member(row: Row, depends: Relation | None) -> Member:
    number, time, id, title, source, language, published, url, words, likeness, revision = row
    told = (id, title, source, language, published, url)
    return Member(number, *told, moment(time), words, likeness, revision, depends)


def _relations(session: Session, numbers: Iterable[int]) -> Iterable[tuple[int, int, Relation]]:
    """All relations of some articles as they are kept, each with the number of such an article and of the other."""
    numbers = list(numbers)
    for own, other in (("left", "right"), ("right", "left")):
        found = session.rows_among(
            f"SELECT r.{own}_number, r.{other}_number, a.id, b.id, r.kind, r.forward, r.backward, r.detector, r.score"
            " FROM relations r JOIN articles a ON a.number = r.left_number JOIN articles b ON b.number = r.right_number"
            f" WHERE r.{own}_number IN ({{}})",
            numbers,
        )
        for mine, theirs, left, right, kind, forward, backward, detector, score in found:
            yield mine, theirs, Relation(left, right, Kind(kind), Overlap(forward, backward), detector, score)


def became(session: Session, number: int) -> int | None:
    """The story that one which is gone was merged into, maybe by way of others; None if the log knows of none."""
    # all at once: a chain may be long, and every question reads the whole log
    into: dict[int, int] = dict(session.rows("SELECT other, story FROM changes WHERE what = 'merged' ORDER BY seq"))
    while (following := into.pop(number, None)) is not None:
        if session.one("SELECT 1 FROM articles WHERE story = ? LIMIT 1", (following,)):
            return following
        number = following
    return None
