"""Commands that write to an archive."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from samestory.archive import Archive
from samestory.archive.check import check
from samestory.database import connect, verify
from samestory.database import restore as restore_database
from samestory.errors import InputError
from tests.archive.news import item, news, story
from tests.archive.test_kill import Ledger
from tests.hostile import workers
from tests.hostile.campaign.places import wait_for_others
from tests.hostile.campaign.targets import Step, Target, done, sound, stories, texts
from tests.hostile.workers import Worker


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


ARCHIVE_TARGETS: tuple[type[Target], ...] = (Add, Expire, Rebuild, Backup, Restore, Decide, Undo, Repair)
