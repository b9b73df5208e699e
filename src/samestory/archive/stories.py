"""One story: its articles in chronological order, and what each derives from an earlier one.

An article depends most on an earlier article that it copies; failing that, on one that it updates, then on one that
contains it or that it contains, and then on one that reports the same event.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from samestory.archive.cursors import decode_cursor, encode_cursor
from samestory.archive.representatives import LONGEST_FIRST, Preferences
from samestory.archive.stored import ids_of_numbers
from samestory.archive.story_labels import story_at
from samestory.archive.story_stats import load_stats
from samestory.archive.times import moment
from samestory.database import Database, Session
from samestory.errors import InputError, ParameterError
from samestory.model import CLOSEST_FIRST, Kind, Overlap, Relation, shown

#: Pairs looked up per statement.
PAIRS_PER_QUERY = 400

#: The most articles on a page of members.
MAX_PAGE_SIZE = 1000

_CLOSENESS = {str(kind): place for place, kind in enumerate(CLOSEST_FIRST)}
_TIME = "coalesce(a.at, a.arrived)"
_MEMBER = (
    f"a.number, {_TIME}, a.id, t.title, a.source, a.lang, t.published, t.url,"
    " a.words, a.likeness, a.derived, a.revision, a.depends"
)
_RELATION = "left_number, right_number, kind, forward, backward, detector, score"


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
    derived: bool
    """Whether one of its relations shows that its text derives from an earlier one of the story."""
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
    """The longest article; of several, the one with the first id."""

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
        return len({m.likeness for m in self.members} - {m.likeness for m in self.members if m.derived})

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


@dataclass(frozen=True, slots=True)
class NearestStory:
    """Another story, and the relation to it."""

    number: int
    article: str
    """The id of its article in the relation."""
    relation: Relation


def story(database: Database, number: int, prefer: Sequence[str] = ()) -> Story:
    """Return a story; raise an InputError if no story has this number.

    The representative is from the first source of `prefer` that has an article in it; case and accents do not matter.
    """
    with database.read() as session:
        found = _members(session, f"a.story = ? ORDER BY {_TIME}, a.number", (number,))
        if not found:
            raise _missing(session, number)
        members = _with_dependencies(session, found)
    preferences = Preferences(prefer)
    best = min(members, key=lambda member: (preferences.place(member.source), -member.words, member.id))
    return Story(number, members, best)


def _missing(session: Session, number: int) -> InputError:
    now = merged_into(session, number)
    return InputError(f"story {number}: no such story", hint=f"it was merged into story {now}" if now else "")


def summary(database: Database, number: int) -> StorySummary:
    """Return the summary of a story; raise an InputError if no story has this number."""
    with database.read() as session:

        def ends(order: str) -> list[Row]:
            # chosen without their texts, which are wide
            chosen = f"(SELECT a.number FROM articles a WHERE a.story = ? ORDER BY {order} LIMIT 1)"
            return _members(session, f"a.number = {chosen}", (number,))

        chosen = [
            *ends(LONGEST_FIRST),
            *ends(f"{_TIME}, a.number"),
            *ends(f"{_TIME} DESC, a.number DESC"),
        ]
        if not chosen:
            raise _missing(session, number)
        best, first, last = _with_dependencies(session, chosen)
        stats = load_stats(session, [number])[number]
        sources = session.rows(
            "SELECT source FROM (SELECT source, row_number() OVER (ORDER BY coalesce(at, arrived), number) AS place"
            " FROM articles WHERE story = ? AND source IS NOT NULL) s GROUP BY source ORDER BY min(place)",
            (number,),
        )
        titled = best.title if best.title and best.title.strip() else _first_title(session, number)
    return StorySummary(
        title=titled or best.id,
        representative=best,
        first=first,
        last=last,
        articles=stats.articles,
        texts=stats.texts,
        sources=tuple(source for (source,) in sources),
        kinds=stats.dependencies,
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
        page = _with_dependencies(session, found[:limit])
    end = encode_cursor(number, bound, found[limit - 1][1], found[limit - 1][0]) if len(found) > limit else None
    return MemberPage(page, total[0] if total else 0, end)


def newest_members(database: Database, number: int, limit: int) -> tuple[Member, ...]:
    """Return the newest articles of a story, the newest first."""
    with database.read() as session:
        rows = _members(session, f"a.story = ? ORDER BY {_TIME} DESC, a.number DESC LIMIT ?", (number, limit))
        return _with_dependencies(session, rows)


def relations(database: Database, id: str, limit: int | None = None) -> list[Relation]:
    """Return the relations of an article, closest first; the contained article and the newer version are left.

    With `limit`, only so many: thousands of articles may repeat one.
    """
    with database.read() as session:
        found = session.one("SELECT number FROM articles WHERE id = ?", (id,))
        if found is None:
            raise InputError(f"article {shown(id)}: no such article")
        columns = f"SELECT {_RELATION} FROM relations WHERE"
        rows = [row for side in ("left", "right") for row in session.rows(f"{columns} {side}_number = ?", found)]
        rows.sort(key=lambda row: (_CLOSENESS[row[2]], -max(row[3:5]), -sum(row[3:5]), row[0], row[1]))
        names = ids_of_numbers(session, {number for row in rows[:limit] for number in row[:2]})
    return [_relation(row, names) for row in rows[:limit]]


def relation_between(database: Database, left: str, right: str) -> Relation | None:
    """Return the stored relation of two articles, as it is stored; None if there is none."""
    with database.read() as session:
        numbers: dict[str, int] = dict(
            session.rows_among("SELECT id, number FROM articles WHERE id IN ({})", [left, right])
        )
        if len(numbers) < 2:
            return None
        pair = (numbers[left], numbers[right])
        names = {number: id for id, number in numbers.items()}
        return next((_relation(row, names) for row in _load_relations(session, [pair, pair[::-1]])), None)


def weaker_relations(database: Database, id: str) -> int:
    """Return how many relations of an article were found but not stored, since others are stronger."""
    with database.read() as session:
        found = session.one("SELECT weaker_relations FROM articles WHERE id = ?", (id,))
    return int(found[0]) if found else 0


def nearest_stories(database: Database, number: int, limit: int) -> list[NearestStory]:
    """Return the relations of the highest score to articles of other stories: at most `limit`, one for each story."""
    with database.read() as session:
        # the strongest relations of a story are among those of the articles with the strongest ones
        sides = (("left", "right"), ("right", "left"))
        nearest = " UNION ALL ".join(
            f"SELECT a.number, r.score FROM articles a JOIN relations r ON r.{near}_number = a.number"
            f" AND r.{far}_number = a.nearest WHERE a.story = ? AND a.nearest IS NOT NULL"
            for near, far in sides
        )
        chosen = session.rows(f"{nearest} ORDER BY 2 DESC, 1 LIMIT ?", (number, number, limit))
        rows: list[Row] = []
        for near, far in sides:
            rows += session.rows_among(
                f"SELECT {_RELATION}, b.number, b.story FROM relations r JOIN articles b ON b.number = r.{far}_number"
                f" WHERE r.{near}_number IN ({{}}) AND b.story <> ?",
                [each for each, _ in chosen],
                (number,),
            )
        rows.sort(key=lambda row: (-row[6], row[:2]))
        names = ids_of_numbers(session, {end for row in rows[:limit] for end in row[:2]})
    found: dict[int, NearestStory] = {}
    for *row, other, other_story in rows[:limit]:
        found.setdefault(other_story, NearestStory(other_story, names[other], _relation(tuple(row), names)))
    return list(found.values())


def timeline(database: Database, number: int) -> list[StoryDay]:
    """Return the growth of a story day by day; days without an article are omitted."""
    days: dict[date, list[tuple[int, str | None]]] = defaultdict(list)
    with database.read() as session:
        sql = f"SELECT {_TIME}, a.likeness, a.source FROM articles a WHERE a.story = ? ORDER BY {_TIME}, a.number"
        for time, *article in session.each(sql, (number,)):
            days[moment(time).date()].append((article[0], article[1]))
        if not days:
            raise _missing(session, number)
    out, texts, sources = [], set[int](), set[str]()
    for day, found in days.items():
        new_texts = {likeness for likeness, _ in found} - texts
        new_sources = dict.fromkeys(source for _, source in found if source is not None and source not in sources)
        out.append(StoryDay(day, len(found), len(new_texts), tuple(new_sources)))
        texts |= new_texts
        sources |= set(new_sources)
    return out


Row = tuple[Any, ...]


def _members(session: Session, where: str, args: Sequence[Any]) -> list[Row]:
    return session.rows(f"SELECT {_MEMBER} FROM articles a JOIN texts t ON t.number = a.number WHERE {where}", args)


def _with_dependencies(session: Session, rows: Sequence[Row]) -> tuple[Member, ...]:
    """Return articles, each with the relation that it depends on most."""
    pairs = [(row[0], row[-1]) for row in rows if row[-1] is not None]
    found = {row[:2]: row for row in _load_relations(session, [*pairs, *(pair[::-1] for pair in pairs)])}
    names = ids_of_numbers(session, {number for pair in pairs for number in pair})

    def depends(own: int, other: int | None) -> Relation | None:
        if (own, other) in found:
            return _relation(found[own, other], names)
        return _relation(found[other, own], names).flipped() if (other, own) in found else None

    return tuple(_member(row, depends(row[0], row[-1])) for row in rows)


def _load_relations(session: Session, pairs: Sequence[tuple[int, int]]) -> Iterable[Row]:
    """Load the relations of these pairs."""
    for start in range(0, len(pairs), PAIRS_PER_QUERY):
        chunk = pairs[start : start + PAIRS_PER_QUERY]
        marks = ", ".join(["(?, ?)"] * len(chunk))
        # joined to the pairs: "(left, right) IN …" makes SQLite scan every relation
        yield from session.rows(
            f"WITH wanted (one, other) AS (VALUES {marks}) SELECT {_RELATION}"
            " FROM wanted JOIN relations ON left_number = one AND right_number = other",
            [number for pair in chunk for number in pair],
        )


def _relation(row: Row, names: Mapping[int, str]) -> Relation:
    left, right, kind, forward, backward, detector, score = row
    return Relation(names[left], names[right], Kind(kind), Overlap(forward, backward), detector, score)


def _member(row: Row, depends: Relation | None) -> Member:
    number, time, id, title, source, language, published, url, words, likeness, derived, revision, _ = row
    fields = (id, title, source, language, published, url)
    return Member(number, *fields, moment(time), words, likeness, bool(derived), revision, depends)


def merged_into(session: Session, number: int) -> int | None:
    """Return the story that has the articles of a vanished one; None if they are gone."""
    is_stored, story = story_at(session, number)
    if is_stored:
        return story
    # merged by an older samestory, which kept no addresses. Read all merges at once: a chain may be long, and every
    # query scans the whole log
    into: dict[int, int] = dict(session.rows("SELECT other, story FROM changes WHERE what = 'merged' ORDER BY seq"))
    while (following := into.pop(number, None)) is not None:
        if session.one("SELECT 1 FROM articles WHERE story = ? LIMIT 1", (following,)):
            return following
        number = following
    return None
