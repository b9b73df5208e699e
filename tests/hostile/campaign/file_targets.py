"""Commands that write to files: decisions, and test collections."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from samestory import Decisions
from samestory.lab.collection import Collection, assign, hire
from samestory.lab.collection.copies import restore_collection, verify_collection
from tests.hostile import workers
from tests.hostile.campaign.targets import Step, Target, done
from tests.hostile.workers import Worker
from tests.lab.collection.work import made


class DecideInFile(Target):
    """`decide`."""

    name = "decide"

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


FILE_TARGETS: tuple[type[Target], ...] = (DecideInFile, Answer, Import, CollectionCopies)
