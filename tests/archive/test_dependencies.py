"""Dependencies stay those of the relations while articles of a few texts and times arrive, move and leave."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import pytest

from samestory.archive import Archive
from samestory.archive.dependencies import DependencyUpdate
from samestory.archive.stories import members
from samestory.database import Session, connect
from samestory.model import CLOSEST_FIRST
from tests.archive.dependency_oracle import Expected, stored_columns
from tests.archive.model import Item, put, relate
from tests.archive.news import item, story

#: Few, so that articles often have one in common.
TEXTS, TIMES, STORIES = 4, 5, 3
SHARES = (0.5, 1.0)


class Writer:
    """Writes random articles and relations by plain SQL, as the archive does."""

    def __init__(self, session: Session, seed: int) -> None:
        self.session, self.random = session, Random(seed)
        self.next = 1

    def numbers(self) -> list[int]:
        return [number for (number,) in self.session.rows("SELECT number FROM articles ORDER BY number")]

    def some(self) -> list[int]:
        every = self.numbers()
        return self.random.sample(every, min(len(every), self.random.randrange(1, 4)))

    def arrive(self, update: DependencyUpdate) -> None:
        choice = self.random.randrange
        new = [
            Item(number, f"text {choice(TEXTS)}", at=choice(TIMES), story=1 + choice(STORIES))
            for number in range(self.next, self.next + choice(1, 4))
        ]
        self.next += len(new)
        columns = ("number", "came", "id", "at", "day", "arrived", "words", "likeness", "story", "revision")
        rows = [(i.number, i.number, i.id, i.at, 0, 0, 2, i.likeness, i.story, 1) for i in new]
        self.session.insert("articles", columns, rows)
        for each in new:
            self.relate(each.number)
        update.enter([each.number for each in new])

    def relate(self, number: int) -> None:
        earlier = [each for each in self.numbers() if each < number]
        columns = ("left_number", "right_number", "kind", "forward", "backward", "detector", "score")
        rows = []
        for other in self.random.sample(earlier, min(len(earlier), self.random.randrange(5))):
            pair = self.random.sample([number, other], 2)
            kind = str(self.random.choice(CLOSEST_FIRST))
            shares = [self.random.choice(SHARES) for _ in range(3)]
            rows.append((*pair, kind, *shares[:2], "minhash", shares[2]))
        self.session.insert("relations", columns, rows)

    def merge(self, update: DependencyUpdate) -> None:
        into, other = self.random.sample(range(1, 1 + STORIES), 2)
        update.enter([each for (each,) in self.session.rows("SELECT number FROM articles WHERE story = ?", (other,))])
        self.session.run("UPDATE articles SET story = ? WHERE story = ?", (into, other))

    def move(self, update: DependencyUpdate) -> None:
        moved = self.some()
        update.leave(moved)
        update.enter(moved)
        self.set(moved, "story", 1 + self.random.randrange(STORIES))

    def change_time(self, update: DependencyUpdate) -> None:
        changed = self.some()
        update.leave(changed)
        update.enter(changed)
        self.set(changed, "at", self.random.randrange(TIMES))

    def set(self, numbers: Sequence[int], column: str, value: int) -> None:
        self.session.run_among(f"UPDATE articles SET {column} = ? WHERE number IN ({{}})", numbers, (value,))

    def delete(self, update: DependencyUpdate) -> None:
        gone = self.some()
        update.leave(gone)
        for table, column in (("relations", "left_number"), ("relations", "right_number"), ("articles", "number")):
            self.session.run_among(f"DELETE FROM {table} WHERE {column} IN ({{}})", gone)


@pytest.mark.parametrize("seed", range(12))
def test_dependencies_stay_those_of_the_relations(place: str, seed: int) -> None:
    with connect(place) as database, database.write() as session:
        writer = Writer(session, seed)
        changes = [writer.arrive] * 5 + [writer.merge, writer.move, writer.change_time, writer.delete]
        for _ in range(25):
            update = DependencyUpdate(session)
            for change in writer.random.sample(changes, writer.random.choice([1, 1, 1, 2])):
                change(update)
            update.finish()
            assert stored_columns(session) == Expected(session).columns


def test_a_removed_first_copy_reverses_what_derives_from_what(place: str) -> None:
    """Of two copies the first is older than another text, the second, which is related to that text, is younger."""
    items = [Item(1, "fire", at=1), Item(2, "fire", at=3), Item(3, "fire today", at=2)]
    with connect(place) as database:
        put(database, items)
        relate(database, [(2, 1, "IDENTICAL", 1.0, 1.0), (2, 3, "PART_OF", 1.0, 0.5)])
        with database.write() as session:
            assert {number: each.derived for number, each in stored_columns(session).items()} == {1: 0, 2: 0, 3: 1}
            update = DependencyUpdate(session)
            update.leave([1])
            session.run("DELETE FROM relations WHERE right_number = 1")
            session.run("DELETE FROM articles WHERE number = 1")
            update.finish()
            assert {number: each.derived for number, each in stored_columns(session).items()} == {2: 1, 3: 0}


def test_a_later_text_does_not_confirm_that_a_text_is_derived(place: str) -> None:
    """A copy of an old text depends most on a text of the time between; only the oldest one makes it derived."""
    items = [Item(1, "smoke", at=0), Item(2, "fire", at=1), Item(3, "fire today", at=3), Item(4, "fire", at=4)]
    with connect(place) as database:
        put(database, items)
        relate(database, [(4, 3, "NEAR", 1.0, 1.0), (4, 1, "NEAR", 0.5, 0.5)])
        with database.write() as session:
            assert stored_columns(session)[4] == (3, 2, 1, None)
            update = DependencyUpdate(session)
            update.leave([1])
            session.run("DELETE FROM relations WHERE right_number = 1")
            session.run("DELETE FROM articles WHERE number = 1")
            update.finish()
            assert stored_columns(session)[4] == (3, 2, 0, None)


def test_a_copy_that_inherits_relations_depends_on_what_they_relate_it_to(place: str) -> None:
    """Of copies that arrive in the order 2, 3 and are from the times 3, 2, the first one has the relations."""
    text = story(1, 12)
    with Archive.open(place) as archive:
        for id, hour, more in (("one", 1, ""), ("two", 3, " More."), ("three", 2, " More.")):
            archive.add([{**item(id, text + more), "published": f"2026-03-02T0{hour}:00:00Z", "source": id}])
        archive.remove(["two"])
        with archive.database.read() as session:
            expected = Expected(session)
            assert stored_columns(session) == expected.columns
        first, last = members(archive.database, archive.articles(["one"])["one"].story).articles
    assert (first.id, last.id) == ("one", "three")
    assert last.depends and last.depends.right == "one"
