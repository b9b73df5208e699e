"""One story: its first article, the dependencies between its articles, and its growth."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest

from samestory import Article, find
from samestory.archive import Archive
from samestory.archive.search import search
from samestory.archive.stories import Member, members, merged_into, relations, story, summary, timeline
from samestory.database import Database, connect
from samestory.errors import InputError, ParameterError
from samestory.model import Kind
from tests.archive.model import DAY, Item, merge, put, relate

NOON = DAY * 20_000 + DAY // 2

#: A wire's story, a reprint of it, a longer one that holds it, an update of that, another report, and a stranger.
ITEMS = [
    Item(1, "fire in the mill", "Fire", "Wire", "en", NOON, 1),
    Item(2, "fire in the mill", "Fire!", "Post", "en", NOON + 1, 1),
    Item(3, "there was a fire in the mill of Oldmere today", None, "Coast", "en", NOON + 2, 1),
    Item(4, "there was a fire in the mill of Oldmere", None, "Coast", "en", NOON + DAY, 1),
    Item(5, "mill burns", None, None, None, NOON + DAY + 1, 1),
    Item(6, "fire", None, "Wire", "en", NOON, 2),
]
RELATIONS = [
    (2, 1, "IDENTICAL", 1.0, 1.0),
    (1, 3, "PART_OF", 1.0, 0.4),
    (2, 3, "PART_OF", 1.0, 0.4),
    (4, 3, "UPDATE", 1.0, 0.9),
    (1, 4, "PART_OF", 1.0, 0.5),
    (5, 1, "SAME_EVENT", 0.6, 0.6),
    (4, 5, "SAME_EVENT", 0.7, 0.7),
    (6, 1, "PART_OF", 1.0, 0.2),
]


@pytest.fixture
def archive(place: str) -> Iterator[Database]:
    with connect(place) as database:
        # they arrive in another order than that of publication
        put(database, reversed(ITEMS))
        relate(database, RELATIONS)
        yield database


def dependency(member: Member) -> tuple[str, Kind | None, str | None]:
    return member.id, member.kind, member.depends.right if member.depends else None


def test_every_article_depends_on_an_earlier_one(archive: Database) -> None:
    found = story(archive, 1)
    assert list(map(dependency, found.members)) == [
        ("a1", None, None),
        ("a2", Kind.IDENTICAL, "a1"),
        ("a3", Kind.HAS_PART, "a1"),
        ("a4", Kind.UPDATE, "a3"),
        ("a5", Kind.SAME_EVENT, "a4"),
    ]
    held = found.members[2].depends
    assert held and (held.left, held.overlap.forward, held.overlap.backward) == ("a3", 0.4, 1.0)


def test_first_article_and_statistics_of_a_story(archive: Database) -> None:
    found = story(archive, 1)
    assert (found.first.id, found.last.id, found.representative.id) == ("a1", "a5", "a3")
    assert found.sources == ("Wire", "Post", "Coast")
    assert found.texts == 2
    assert found.kinds == {Kind.IDENTICAL: 1, Kind.UPDATE: 1, Kind.HAS_PART: 1, Kind.SAME_EVENT: 1}
    assert story(archive, 1, prefer=["None", "Post", "Wire"]).representative.id == "a2"
    assert story(archive, 1, prefer=["none", "póst", "WIRE"]).representative.id == "a2"
    assert story(archive, 2).members[0].depends is None


def test_member_pages_exclude_later_arrivals(archive: Database) -> None:
    whole = story(archive, 1).members
    seen: list[Member] = []
    cursor, arrived = None, 7
    while True:
        some = members(archive, 1, cursor, limit=2)
        assert some.total == 5
        seen += some.articles
        cursor = some.cursor
        if cursor is None:
            break
        put(archive, [Item(arrived, "later", at=NOON + 3, story=1)])
        arrived += 1
    assert tuple(seen) == whole
    assert members(archive, 1).total == 7
    assert members(archive, 99).articles == ()


def test_relations_keep_their_stored_direction(archive: Database) -> None:
    """The contained article is left of its container, the newer version left of the older: UPDATE has a direction."""
    found = [(r.left, r.kind, r.right) for r in relations(archive, "a3")]
    assert found == [("a4", Kind.UPDATE, "a3"), ("a1", Kind.PART_OF, "a3"), ("a2", Kind.PART_OF, "a3")]
    assert [(r.left, r.right) for r in relations(archive, "a1")] == [
        ("a2", "a1"),
        ("a1", "a4"),
        ("a1", "a3"),
        ("a6", "a1"),
        ("a5", "a1"),
    ]
    with pytest.raises(InputError, match="unknown"):
        relations(archive, "unknown")


def test_a_timeline_counts_new_texts_and_sources(archive: Database) -> None:
    put(archive, [Item(7, "fire in the mill", None, "Late", "en", NOON + 3 * DAY, 1)])
    days = [(day.day, day.articles, day.texts, day.sources) for day in timeline(archive, 1)]
    assert days == [
        (date(2024, 10, 4), 3, 2, ("Wire", "Post", "Coast")),
        (date(2024, 10, 5), 2, 2, ()),
        (date(2024, 10, 7), 1, 0, ("Late",)),
    ]


def test_a_merged_story_is_reported_with_its_successor(archive: Database) -> None:
    merge(archive, 1, 2)
    with pytest.raises(InputError, match="story 2: no such story") as wrong:
        story(archive, 2)
    assert "story 1" in wrong.value.hint
    with pytest.raises(InputError):
        story(archive, 99)
    cursor = members(archive, 1, limit=1).cursor
    assert cursor
    with pytest.raises(InputError, match="cursor"):
        members(archive, 2, cursor)
    with pytest.raises(ParameterError, match="limit"):
        members(archive, 1, limit=0)


def test_merges_are_followed_through_a_chain(archive: Database) -> None:
    put(archive, [Item(7, "a storm", at=NOON, story=7), Item(8, "a flood", at=NOON, story=8)])
    merge(archive, 7, 8)
    merge(archive, 1, 7)
    with archive.read() as session:
        assert [merged_into(session, number) for number in (7, 8, 99)] == [1, 1, None]
    merge(archive, 8, 1)  # a cycle: the story that still exists is the end of it
    with archive.read() as session:
        assert [merged_into(session, number) for number in (1, 7)] == [8, 8]


#: Articles of one length and of several; ids are not in the order of arrival or publication.
EQUAL = [
    Article(id, text, source=source, published=published)
    for id, text, source, published in (
        ("m", "A fire broke out in the old mill of Oldmere on Monday.", "Wire", "2026-03-02"),
        ("c", "A fire broke out in the old mill of Oldmere on Monday.", "Post", "2026-03-03"),
        ("x", "A fire broke out in the old mill of Oldmere on Monday!", "Coast", "2026-03-01"),
        ("b", "A fire broke out in the old mill of Oldmere on Monday", "Coast", "2026-03-03"),
        ("a", "A fire broke out in the old mill of Oldmere on", "Post", "2026-03-01"),
    )
]


@pytest.mark.parametrize("prefer", [(), ("Post",), ("coast", "Wire"), ("None",)])
@pytest.mark.parametrize("which", ["longest", "earliest", "latest"])
def test_find_and_an_archive_name_the_same_representative(tmp_path: Path, which: str, prefer: tuple[str, ...]) -> None:
    (group,) = find(EQUAL, representative=which, prefer=prefer)  # type: ignore[arg-type]
    with Archive.open(tmp_path / "news.db", ["reuse"]) as archive:
        archive.add(EQUAL)
        (hit,) = search(archive.database, representative=which, prefer=prefer).stories  # type: ignore[arg-type]
        assert (len(group.members), hit.articles) == (5, 5)
        assert hit.representative.id == group.representative
        if which == "longest":
            assert story(archive.database, hit.number, prefer).representative.id == group.representative
        if which == "longest" and not prefer:
            assert summary(archive.database, hit.number).representative.id == group.representative == "b"
