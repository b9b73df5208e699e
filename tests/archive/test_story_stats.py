"""Stored dependencies and story statistics equal those computed from all relations, whatever changed in between."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from random import Random
from typing import Any

import pytest

from samestory.archive import Archive, checksums
from samestory.archive.check import check
from samestory.archive.dependencies import DependencyColumns, are_stored
from samestory.archive.search import search
from samestory.archive.stories import nearest_stories, relations, story, summary, timeline
from samestory.database import connect
from samestory.errors import DecisionError
from samestory.model import Kind
from tests.archive.dependency_oracle import Expected, stored_columns
from tests.archive.news import news
from tests.database.older import TO_VERSION_5

#: Before some of the articles arrive, and after all of them.
EXPIRIES = datetime(2026, 3, 3, tzinfo=UTC), datetime(2100, 1, 1, tzinfo=UTC)


def assert_consistent(archive: Archive) -> Expected:
    """Compare the columns, and what search shows, with what the relations say."""
    with archive.database.read() as session:
        expected = Expected(session)
        assert stored_columns(session) == expected.columns
        shown = search(archive.database, limit=1000).stories
    assert {each.number: each.texts for each in shown} == expected.texts()
    assert {each.number: each.kinds for each in shown} == expected.kinds()
    return expected


def undated(random: Random, given: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return articles of which some have no date, a copy of another one, or the date of another one."""
    out = [{**each, "published": None} if random.random() < 0.2 else each for each in given]
    for at in random.sample(range(len(out)), len(out) // 4):
        out[at] = {**out[at], "text": random.choice(out)["text"]}
    return out


class Changes:
    """Random changes to an archive."""

    def __init__(self, archive: Archive, seed: int) -> None:
        self.archive, self.random = archive, Random(seed)
        self.waiting = undated(self.random, news(seed, 90))
        self.there: dict[str, dict[str, Any]] = {}

    def add(self) -> None:
        batch = [self.waiting.pop() for _ in range(min(len(self.waiting), self.random.choice([1, 4, 12])))]
        self.archive.add(batch)
        self.there |= {each["id"]: each for each in batch}

    def revise(self) -> None:
        chosen = self.random.sample(sorted(self.there), min(3, len(self.there)))
        texts = [f"{self.there[id]['text']} New version {self.random.random()}." for id in chosen]
        if self.there:
            texts[-1] = self.random.choice(list(self.there.values()))["text"]
        revised = {id: {**self.there[id], "text": text} for id, text in zip(chosen, texts, strict=True)}
        self.archive.add(list(revised.values()))
        self.there |= revised

    def remove(self) -> None:
        gone = self.random.sample(sorted(self.there), min(len(self.there), self.random.choice([1, 5])))
        self.archive.remove(gone)
        self.there = {id: each for id, each in self.there.items() if id not in gone}

    def decide(self) -> None:
        if len(self.there) > 1:
            pair = self.random.sample(sorted(self.there), 2)
            if self.random.random() < 0.5:  # two articles of one story
                with self.archive.database.read() as session:
                    rows = session.rows("SELECT left_number, right_number FROM relations ORDER BY 1, 2")
                    sql = "SELECT id FROM articles WHERE number IN (?, ?)"
                    pair = [id for (id,) in session.rows(sql, self.random.choice(rows))] if rows else pair
            with suppress(DecisionError):  # it contradicts another one
                self.archive.decide(*pair, self.random.choice(["same", "apart", None]))

    def expire(self) -> None:
        before = self.random.choice(EXPIRIES)
        self.archive.expire(before, force=True)
        if before == EXPIRIES[1] or self.random.random() < 0.5:
            assert_consistent(self.archive)
            self.archive.restore_expired()
        with self.archive.database.read() as session:
            stored = {id for (id,) in session.rows("SELECT id FROM articles")}
        self.there = {id: each for id, each in self.there.items() if id in stored}

    def rebuild(self) -> None:
        self.archive.rebuild()


@pytest.mark.parametrize("seed", [1, 2, 4, 6])
def test_stored_dependencies_are_those_of_the_relations(place: str, seed: int) -> None:
    with Archive.open(place) as archive, Archive.open(place) as reader:
        changes = Changes(archive, seed)
        ways: list[tuple[Callable[[], None], int]] = [
            (changes.add, 8),
            (changes.revise, 3),
            (changes.remove, 2),
            (changes.decide, 6),
            (changes.expire, 2),
            (changes.rebuild, 1),
        ]
        kinds = Counter[Kind]()
        has_nearest = False
        for _ in range(30):
            (way,) = changes.random.choices([way for way, _ in ways], [weight for _, weight in ways])
            way()
            expected = assert_consistent(archive)
            kinds += sum(expected.dependencies().values(), Counter[Kind]())
            has_nearest |= any(each.nearest for each in expected.columns.values())
        assert_consistent(reader)
        assert has_nearest and {Kind.IDENTICAL, Kind.NEAR, Kind.PART_OF, Kind.HAS_PART} <= set(kinds)
    assert check(place).damages == []


@pytest.mark.parametrize("seed", [2, 5])
def test_the_summary_of_a_story_is_that_of_its_articles(place: str, seed: int) -> None:
    random = Random(seed)
    given = [dict(each, published=random.choice([None, "2026-03-01", "2026-03-02"])) for each in news(seed, 60)]
    with Archive.open(place) as archive:
        archive.add(given)
        archive.add([dict(given[0], title=" "), dict(given[1], source=None)])
        with archive.database.read() as session:
            numbers = [number for (number,) in session.rows("SELECT DISTINCT story FROM articles")]
            expected = Expected(session)
        assert len(numbers) > 5
        for number in numbers:
            whole, found = story(archive.database, number), summary(archive.database, number)
            assert (found.representative, found.first, found.last) == (whole.representative, whole.first, whole.last)
            assert (found.articles, found.texts, found.sources) == (len(whole.members), whole.texts, whole.sources)
            assert found.texts == expected.texts()[number]
            assert found.kinds == whole.kinds == expected.dependencies()[number]
            titled = [m.title for m in (whole.representative, *whole.members) if m.title and m.title.strip()]
            assert found.title == (titled[0] if titled else whole.representative.id)
            numbered = {m.number: m.depends for m in whole.members}
            for member in whole.members:
                depends = expected.columns[member.number].depends
                ids = {m.number: m.id for m in whole.members}
                relation = numbered[member.number]
                assert (relation.right if relation else None) == (ids[depends] if depends else None)
                assert relation is None or relation.left == member.id
            assert sum(day.articles for day in timeline(archive.database, number)) == len(whole.members)


@pytest.mark.parametrize("limit", [1, 3, 50])
def test_the_nearest_stories_are_those_of_the_strongest_relations(place: str, limit: int) -> None:
    with Archive.open(place) as archive:
        archive.add(news(3, 90))
        database = archive.database
        with database.read() as session:
            story_of = dict(session.rows("SELECT id, story FROM articles"))
        several = 0
        for number in set(story_of.values()):
            outside = {
                (relation.left, relation.right): relation
                for id, own in story_of.items()
                if own == number
                for relation in relations(database, id)
                if story_of[relation.left] != story_of[relation.right]
            }
            strongest = sorted((relation.score for relation in outside.values()), reverse=True)
            found = nearest_stories(database, number, limit)
            several += len(found) > 1
            assert len(found) == len({each.number for each in found}) <= limit
            assert bool(found) == bool(outside)
            for each in found:
                assert outside[each.relation.left, each.relation.right] == each.relation
                assert each.article in (each.relation.left, each.relation.right)
                assert story_of[each.article] == each.number != number
                assert each.relation.score >= strongest[:limit][-1]
            if found:
                assert found[0].relation.score == strongest[0]
        assert several or limit == 1


def test_damaged_dependencies_are_named_and_computed_again(place: str) -> None:
    with Archive.open(place) as archive:
        archive.add(news(3, 40))
    for column, value in (("depends", 1), ("earlier_kinds", 64), ("derived", 1), ("nearest", 2)):
        with connect(place) as database, database.write() as session:
            before = stored_columns(session)
            session.run(f"UPDATE articles SET {column} = ? WHERE id = 's3-5'", (value,))
            assert stored_columns(session) != before
        (damage,) = check(place).damages
        assert "dependencies" in damage.what and damage.examples == ("s3-5",)
        assert check(place, repair=True).is_sound
        with connect(place) as database, database.read() as session:
            assert stored_columns(session) == before
        assert check(place).damages == []


#: Makes a database one of schema version 3.
TO_VERSION_3 = (
    "DROP INDEX articles_story",
    "DROP INDEX articles_likeness",
    *(f"ALTER TABLE articles DROP COLUMN {column}" for column in DependencyColumns._fields),
    *(f"ALTER TABLE {table} DROP COLUMN checksum" for table in checksums.TABLES),
    *TO_VERSION_5,
    "CREATE INDEX articles_story ON articles (story)",
    "CREATE INDEX articles_likeness ON articles (likeness)",
    "UPDATE meta SET value = '3' WHERE name = 'version'",
    "DELETE FROM meta WHERE name = 'dependencies'",
)


@pytest.mark.parametrize("way", ["open", "check"])
def test_an_archive_of_an_older_version_gets_its_dependencies(place: str, way: str) -> None:
    with Archive.open(place) as archive:
        archive.add(news(3, 40))
    with connect(place) as database, database.write() as session:
        before = stored_columns(session)
        for statement in TO_VERSION_3:
            session.run(statement)
    if way == "check":
        assert check(place, repair=True).damages == []
    with Archive.open(place, create=False) as archive, archive.database.read() as session:
        assert are_stored(session) and stored_columns(session) == before


def test_restored_articles_without_a_date_keep_their_order(place: str) -> None:
    """They are added again in the order of their ids, and get their times of arrival afterwards."""
    (first,) = news(3, 1)
    with Archive.open(place) as archive:
        for id, more in (("b", ""), ("a", " More.")):
            archive.add([{**first, "id": id, "published": None, "text": first["text"] + more}])
        assert_consistent(archive)
        before = summary(archive.database, archive.articles(["a"])["a"].story)
        archive.expire(EXPIRIES[1], force=True)
        archive.restore_expired()
        assert_consistent(archive)
        after = summary(archive.database, archive.articles(["a"])["a"].story)
    assert before.first.id == after.first.id == "b"
    assert after.last.depends and (after.last.id, after.last.depends.right) == ("a", "b")
