"""Kills every command that writes, at random moments: nothing acknowledged is lost, and `index check` finds no damage.

A command runs over and over in a process of its own, which prints each step; SIGKILL ends it a few steps and a random
part of a step later. The next process works on what the killed one left.
"""

from __future__ import annotations

import json
import time
from abc import ABC, abstractmethod
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from typing import Any

from samestory import Decisions
from samestory.archive import Archive
from samestory.archive.check import check
from samestory.database import connect, verify
from samestory.database import restore as restore_database
from samestory.errors import InputError
from samestory.lab.collection import Collection, assign, hire
from samestory.lab.collection.copies import restore_collection, verify_collection
from tests.archive.news import item, news, story
from tests.archive.test_kill import Ledger, consistent
from tests.hostile import workers
from tests.hostile.campaign.places import Places, files, postgres, wait_for_others
from tests.hostile.campaign.trial import Budget, Case, Trial
from tests.hostile.workers import Worker
from tests.lab.collection.work import made

KILLS = 100
BUDGET = Budget(seconds=900, memory_mb=1000)
#: At most this much of the time of a step passes between a step and the kill.
MAX_STEPS_UNTIL_KILL = 1.3

Step = dict[str, Any]


class Target(ABC):
    """A command that writes, what it works on, and what must be true after it was killed."""

    name: str
    only_files = False
    """Whether the command works on files alone, and not on PostgreSQL."""

    def __init__(self, places: Places, folder: Path) -> None:
        self.places, self.folder, self.runs = places, folder, 0
        self.prepare()

    @abstractmethod
    def prepare(self) -> None:
        """Make what the command works on."""

    @abstractmethod
    def start(self) -> Worker:
        """Start the command."""

    @abstractmethod
    def verify(self, steps: Sequence[Step]) -> None:
        """Check what a killed process has left, given the steps that it printed; raises an AssertionError."""


def sound(place: str) -> None:
    """Check that an archive has no damage, and the stories that follow from its relations."""
    damages = check(place).damages
    assert not damages, f"damage: {'; '.join(map(str, damages))}"
    with Archive.open(place, create=False) as archive:
        consistent(archive)


def texts(place: str) -> dict[str, str]:
    """Return the texts of an archive by article."""
    with connect(place, create=False) as database, database.read() as session:
        return dict(session.rows("SELECT a.id, t.text FROM articles a JOIN texts t ON t.number = a.number"))


def stories(place: str) -> dict[str, int]:
    """Return the number of the story of each article."""
    with connect(place, create=False) as database, database.read() as session:
        return dict(session.rows("SELECT id, story FROM articles"))


def done(steps: Sequence[Step]) -> list[Any]:
    """Return what was acknowledged."""
    return [step["done"] for step in steps if "done" in step]


class ArchiveTarget(Target):
    """A command on an archive of forty articles with decisions, which it must not lose."""

    def prepare(self) -> None:
        self.place = self.places.fresh()
        with Archive.open(self.place) as archive:
            archive.add(news(5, 40))
            archive.decide("s5-1", "s5-2", "apart")
        self.texts = texts(self.place)

    def verify(self, steps: Sequence[Step]) -> None:
        assert texts(self.place) == self.texts, "articles are lost or have another text"
        with connect(self.place) as database, database.read() as session:
            decided = set(session.rows("SELECT left_id, right_id, decision FROM decisions"))
        assert ("s5-1", "s5-2", "apart") in decided, "a decision is lost"
        sound(self.place)


class Add(Target):
    """`index add`, with revisions and removals."""

    name = "index add"

    def prepare(self) -> None:
        self.place, self.ledger = self.places.fresh(), Ledger()

    def start(self) -> Worker:
        self.runs += 1
        return Worker(workers.add, self.place, self.runs % 3)

    def verify(self, steps: Sequence[Step]) -> None:
        self.ledger.read(steps)
        with Archive.open(self.place) as archive:
            self.ledger.check(archive)
        sound(self.place)


class Expire(Target):
    """`index expire` and `index unexpire`, in turn."""

    name = "index expire, unexpire"

    def prepare(self) -> None:
        self.place = self.places.fresh()
        with Archive.open(self.place) as archive:
            archive.add([item(f"a{number}", story(number), 1 + number % 20) for number in range(30)])
        self.texts = texts(self.place)

    def start(self) -> Worker:
        return Worker(workers.expire, self.place, datetime(2026, 3, 15, tzinfo=UTC).timestamp())

    def verify(self, steps: Sequence[Step]) -> None:
        with connect(self.place) as database, database.read() as session:
            waiting = {id: json.loads(record)["text"] for id, record in session.rows("SELECT id, record FROM expired")}
        stored = texts(self.place)
        assert not stored.keys() & waiting.keys(), "articles are stored and expired"
        assert stored | waiting == self.texts, "articles are neither stored nor expired"
        sound(self.place)


class Rebuild(ArchiveTarget):
    """`index rebuild`, with other detectors each time."""

    name = "index rebuild"
    SETTINGS = (["reuse"], ["reuse", "event"], ["minhash"])

    def start(self) -> Worker:
        return Worker(workers.rebuild, self.place, list(self.SETTINGS))

    def verify(self, steps: Sequence[Step]) -> None:
        super().verify(steps)
        with Archive.open(self.place) as archive:
            found = [each.name for each in archive.detectors]
        assert found in self.SETTINGS, f"detectors {found}"


class Backup(ArchiveTarget):
    """`index backup`."""

    name = "index backup"

    def start(self) -> Worker:
        self.runs += 1
        return Worker(workers.back_up, self.place, str(self.folder), self.runs)

    def verify(self, steps: Sequence[Step]) -> None:
        whole = [Path(path) for path in done(steps)]
        for path in whole:
            assert path.exists(), "an acknowledged backup is lost"
            if self.places.kind == "sqlite":
                assert verify(path)["articles"] == len(self.texts), "an acknowledged backup is incomplete"
        last = [Path(step["doing"]) for step in steps if "doing" in step][-1:]
        # a backup that was not acknowledged is whole, or is not there
        for path in {*whole[-1:], *last}:
            if path.exists():
                again = self.places.fresh()
                restore_database(path, again)
                assert texts(again) == self.texts, "a backup is incomplete"
                self.places.drop(again)
        for path in self.folder.glob("*.backup*"):
            path.unlink()
        super().verify(steps)


class Restore(ArchiveTarget):
    """`index restore`."""

    name = "index restore"
    #: Places for a process to restore to.
    PLACES = 3

    def prepare(self) -> None:
        super().prepare()
        self.backup = self.folder / "sunday.backup"
        with Archive.open(self.place) as archive:
            archive.backup(self.backup)

    def start(self) -> Worker:
        targets = [self.places.fresh() for _ in range(self.PLACES)]
        return Worker(workers.restore, str(self.backup), targets)

    def verify(self, steps: Sequence[Step]) -> None:
        whole = done(steps)
        for place in [step["doing"] for step in steps if "doing" in step]:
            if self.places.kind == "postgres":
                wait_for_others(place)
            try:
                found = texts(place)
            except InputError:
                assert place not in whole, "an acknowledged archive is lost"
                restore_database(self.backup, place)
                found = texts(place)
            assert found == self.texts, "a restored archive is incomplete"
            assert not check(place).damages, "a restored archive is damaged"
            self.places.drop(place)
        for path in self.folder.glob("fresh *.part*"):
            path.unlink()


class Decide(ArchiveTarget):
    """`index decide`."""

    name = "index decide"

    def prepare(self) -> None:
        super().prepare()
        self.decided: dict[tuple[str, str], str | None] = {}

    def start(self) -> Worker:
        self.runs += 1
        ids = [f"s5-{number}" for number in range(3, 15)]
        return Worker(workers.decide, self.place, ids, self.runs)

    def verify(self, steps: Sequence[Step]) -> None:
        super().verify(steps)
        for left, right, decision in done(steps):
            self.decided[left, right] = decision
        doing = [step["doing"] for step in steps if "doing" in step][-1:]
        with connect(self.place) as database, database.read() as session:
            sql = "SELECT left_id, right_id, decision FROM decisions"
            found = {(left, right): decision for left, right, decision in session.rows(sql)}
        for left, right, decision in doing:
            # the last one may have been stored, although it was not acknowledged
            if found.get((left, right)) == decision:
                self.decided[left, right] = decision
        expected = {pair: decision for pair, decision in self.decided.items() if decision}
        assert found == {("s5-1", "s5-2"): "apart", **expected}, "decisions are lost"


class Undo(ArchiveTarget):
    """`index decide` and `index undo` of moves and splits, in turn; undoing all of them restores the stories."""

    name = "index decide, undo"

    def prepare(self) -> None:
        super().prepare()
        self.stories = stories(self.place)

    def start(self) -> Worker:
        self.runs += 1
        return Worker(workers.move_and_undo, self.place, sorted(self.texts), self.runs)

    def verify(self, steps: Sequence[Step]) -> None:
        super().verify(steps)
        acknowledged = {number for what, number in done(steps) if what == "undo"}
        with Archive.open(self.place) as archive:
            in_force = workers.moves_in_force(archive)
            assert acknowledged.isdisjoint(in_force), "an undo is lost"
            decided = {number for what, number in done(steps) if what == "decide" and number is not None}
            assert decided <= {each.number for each in archive.decisions(limit=10**6)}, "a decision is lost"
            for number in in_force:
                archive.undo(number)
        assert stories(self.place) == self.stories, "the stories are not those from before the decisions"


class Repair(ArchiveTarget):
    """`index check --repair`."""

    name = "index check --repair"

    def start(self) -> Worker:
        return Worker(workers.repair, self.place)

    def verify(self, steps: Sequence[Step]) -> None:
        assert check(self.place, repair=True).is_sound, "damage that a repair has left"
        super().verify(steps)


class DecideInFile(Target):
    """`decide`."""

    name = "decide"
    only_files = True

    def prepare(self) -> None:
        self.path, self.acknowledged = self.folder / "decisions.jsonl", set[str]()

    def start(self) -> Worker:
        self.runs += 1
        return Worker(workers.decide_in_file, str(self.path), f"left {self.runs}")

    def verify(self, steps: Sequence[Step]) -> None:
        self.acknowledged |= set(done(steps))
        assert self.acknowledged <= {left for left, _ in Decisions.load(self.path).apart}, "decisions are lost"


class CollectionTarget(Target):
    """A command on a test collection with two assessors."""

    only_files = True

    def prepare(self) -> None:
        self.place = self.folder / "gold.db"
        with made(self.place, [(f"a{n}", f"b{n}") for n in range(15)]) as collection:
            self.token = hire(collection, ["s1", "s2"])["s1"]
            assign(collection, 2, 2, 0.0)

    def rows(self, place: Path, sql: str) -> set[Any]:
        """Return the first column of rows of a collection."""
        with Collection.open(place) as collection, collection.database.read() as session:
            return {row[0] for row in session.rows(sql)}

    def verify(self, steps: Sequence[Step]) -> None:
        faults = verify_collection(self.place)[1]
        assert not faults, f"damage: {'; '.join(faults)}"


class Answer(CollectionTarget):
    """Answers of an assessor, as `judge` stores them."""

    name = "judge: answers"

    def prepare(self) -> None:
        super().prepare()
        self.acknowledged: set[str] = set()

    def start(self) -> Worker:
        self.runs += 1
        return Worker(workers.answer, str(self.place), self.token, f"k{self.runs}")

    def verify(self, steps: Sequence[Step]) -> None:
        super().verify(steps)
        self.acknowledged |= set(done(steps))
        assert self.acknowledged <= self.rows(self.place, "SELECT key FROM judgements"), "answers are lost"


class Import(CollectionTarget):
    """`collection import`."""

    name = "collection import"
    #: Files for a process to import, and tasks in each.
    FILES, TASKS = 10, 20

    def prepare(self) -> None:
        super().prepare()
        self.items = len(self.rows(self.place, "SELECT number FROM items"))

    def start(self) -> Worker:
        self.runs += 1
        paths = []
        for number in range(self.FILES):
            path = self.folder / f"{self.runs}-{number}.json"
            names = [f"{path.stem}-{task}" for task in range(self.TASKS)]
            data = [
                {
                    "data": {"a": name, "text_a": f"Left {name}.", "b": f"{name}'", "text_b": f"Right {name}."},
                    "annotations": [
                        {"completed_by": "s9", "result": [{"type": "choices", "value": {"choices": ["yes"]}}]}
                    ],
                }
                for name in names
            ]
            path.write_text(json.dumps(data))
            paths.append(str(path))
        return Worker(workers.import_files, str(self.place), paths)

    def verify(self, steps: Sequence[Step]) -> None:
        super().verify(steps)
        items = [json.loads(ids)[0] for ids in self.rows(self.place, "SELECT articles FROM items")]
        for path in [step["doing"] for step in steps if "doing" in step]:
            imported = sum(id.startswith(f"{Path(path).stem}-") for id in items)
            expected = {self.TASKS} if path in done(steps) else {0, self.TASKS}
            assert imported in expected, f"{imported} of {self.TASKS} tasks of a file"
        answers = self.rows(self.place, "SELECT number FROM judgements WHERE answer IS NOT NULL")
        assert len(answers) == len(items) - self.items, "answers are lost"


class CollectionCopies(CollectionTarget):
    """`collection backup` and `collection restore`, in turn."""

    name = "collection backup, restore"

    def start(self) -> Worker:
        self.runs += 1
        return Worker(workers.copy_collection, str(self.place), str(self.folder), self.runs)

    def verify(self, steps: Sequence[Step]) -> None:
        super().verify(steps)
        items = self.rows(self.place, "SELECT articles FROM items")
        for path in [Path(step["doing"]) for step in steps if "doing" in step]:
            if not path.exists():
                assert str(path) not in done(steps), "an acknowledged copy is lost"
                continue
            copy = path
            if path.suffix == ".backup":
                copy = path.with_suffix(".again")
                restore_collection(path, copy)
            assert self.rows(copy, "SELECT articles FROM items") == items, "a copy is incomplete"
        for path in self.folder.glob(f"{self.runs}-*"):
            path.unlink()


TARGETS: tuple[type[Target], ...] = (
    Add,
    Expire,
    Rebuild,
    Backup,
    Restore,
    Decide,
    Undo,
    Repair,
    DecideInFile,
    Answer,
    Import,
    CollectionCopies,
)


def kill_often(target: Target, kills: int, case: Case, seed: int = 1) -> None:
    """Start and kill a command again and again."""
    random, seconds = Random(seed), 0.05
    for _ in range(kills):
        with case.attempt():
            worker = target.start()
            worker.wait(1)
            start = time.monotonic()
            steps = random.randrange(4)
            worker.wait(1 + steps)
            if steps:
                seconds = (time.monotonic() - start) / steps
            worker.pause(random.uniform(0, min(1.0, MAX_STEPS_UNTIL_KILL * seconds)))
            printed = worker.kill()
            case.count("steps", sum("done" in step or "kept" in step for step in printed))
            target.verify(printed)


def kill_target(trial: Trial, make: type[Target], places: Places, folder: Path) -> None:
    """Try one command on one kind of database."""
    folder = folder / f"{make.__name__} {places.kind}"
    folder.mkdir()
    with trial.case(f"kill -9: {make.name}, {places.kind}") as case:
        # two commands in turn share a process
        kill_often(make(places, folder), trial.times(KILLS * (1 + make.name.count(", "))), case)


def run(trial: Trial, folder: Path) -> None:
    """Kill each command."""
    for make in TARGETS:
        kill_target(trial, make, files(folder), folder)
    with postgres() as places:
        for make in TARGETS:
            if make.only_files:
                continue
            if places is None:
                trial.skip(f"kill -9: {make.name}, postgres", "PostgreSQL is not installed")
            else:
                kill_target(trial, make, places, folder)
