"""Processes that write until they are killed, and report each step on their standard output, a JSON line each.

The processes are forked from a server that has imported samestory and does nothing else: threads of the test that
starts them do no harm, and a start takes milliseconds.
"""

from __future__ import annotations

import json
import multiprocessing
import os
import select
import signal
import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime
from itertools import count, cycle
from pathlib import Path
from random import Random
from typing import Any

from samestory import Decisions
from samestory.archive import Archive
from samestory.archive import archive as archive_module
from samestory.archive.check import check
from samestory.archive.decision_plan import Decision
from samestory.database import connect, postgres_backup
from samestory.errors import DecisionError
from samestory.lab.collection import AssessorSession, Collection
from samestory.lab.collection.copies import backup, restore_collection
from samestory.lab.collection.label_tasks import import_tasks
from tests.archive import writer
from tests.conftest import PATIENCE

CONTEXT = multiprocessing.get_context("forkserver")
CONTEXT.set_forkserver_preload([__name__, "samestory.database.postgres"])


#: Decisions that move articles out of their stories.
MOVES = ("move", "split")


def report(**step: Any) -> None:
    """Print a step."""
    print(json.dumps(step), flush=True)


class WorkerError(AssertionError):
    """A worker ended by itself, printed a traceback, or hangs."""


class Worker:
    """A process at work; what it prints is kept, line by line."""

    def __init__(self, work: Callable[..., None], *args: object) -> None:
        reading, writing = CONTEXT.Pipe(duplex=False)
        self._process = CONTEXT.Process(target=_begin, args=(writing, work, args), daemon=True)
        self._process.start()
        writing.close()
        self._reading, self._rest, self._ended = reading, b"", False
        self.steps: list[dict[str, Any]] = []
        self._errors: list[str] = []

    def wait(self, steps: int) -> None:
        """Wait until the process has printed so many steps."""
        until = time.monotonic() + PATIENCE
        while len(self.steps) < steps and not self._ended:
            if time.monotonic() > until:
                self._process.kill()
                raise WorkerError(f"a writer hangs after {self.steps[-1:]}")
            self._read(0.1)

    def pause(self, seconds: float) -> None:
        """Read for so many seconds, so that the process is not held up by a full pipe."""
        until = time.monotonic() + seconds
        while (left := until - time.monotonic()) > 0 and not self._ended:
            self._read(left)

    def kill(self) -> list[dict[str, Any]]:
        """Kill the process with SIGKILL; return all steps. Raises a WorkerError if it had ended or failed before."""
        self._process.kill()
        self._process.join()
        while not self._ended:
            self._read(PATIENCE)
        self._reading.close()
        if self._process.exitcode != -signal.SIGKILL or self._errors:
            raise WorkerError(f"a writer failed: {' '.join(self._errors)[-500:]}")
        return self.steps

    def _read(self, seconds: float) -> None:
        handle = self._reading.fileno()
        if not select.select([handle], [], [], seconds)[0]:
            return
        part = os.read(handle, 1 << 16)
        self._ended = not part
        *lines, self._rest = (self._rest + part).split(b"\n")  # an unfinished line does not count
        for line in lines:
            if line.startswith(b"{"):
                self.steps.append(json.loads(line))
            else:
                self._errors.append(line.decode(errors="replace"))


def _begin(writing: Any, work: Callable[..., None], args: tuple[Any, ...]) -> None:
    for stream in (1, 2):
        os.dup2(writing.fileno(), stream)
    sys.stdout, sys.stderr = (open(stream, "w", encoding="utf-8", closefd=False) for stream in (1, 2))  # noqa: SIM115
    work(*args)


def add(place: str, seed: int) -> None:
    """Add, revise and remove articles."""
    writer.main(place, seed)


def expire(place: str, before: float) -> None:
    """Expire the articles before a time and bring them back, in small transactions."""
    archive_module.BATCH_SIZE = 7
    limit = datetime.fromtimestamp(before, UTC)
    with Archive.open(place) as archive:
        while True:
            report(doing="expire")
            archive.expire(limit, force=True)
            report(done="expire")
            report(doing="unexpire")
            archive.restore_expired()
            report(done="unexpire")


def rebuild(place: str, settings: list[list[str]]) -> None:
    """Rebuild an archive with one setting after the other."""
    with Archive.open(place) as archive:
        for number in cycle(range(len(settings))):
            report(doing=number)
            archive.rebuild(settings[number])
            report(done=number)


def decide(place: str, ids: list[str], seed: int) -> None:
    """Decide about pairs of articles, and withdraw decisions."""
    random = Random(seed)
    with Archive.open(place) as archive:
        while True:
            left, right = sorted(random.sample(ids, 2))
            decision = random.choice(["same", "apart", None])
            report(doing=[left, right, decision])
            try:
                archive.decide(left, right, decision)
            except DecisionError:
                report(refused=[left, right])
            else:
                report(done=[left, right, decision])


def move_and_undo(place: str, ids: list[str], seed: int) -> None:
    """Move articles out of their stories, split stories, and undo such decisions in any order."""
    random = Random(seed)
    with Archive.open(place) as archive:
        while True:
            made = moves_in_force(archive)
            if made and random.random() < 0.5:
                number = random.choice(made)
                report(doing=["undo", number])
                archive.undo(number)
                report(done=["undo", number])
                continue
            decision = Decision(random.choice(MOVES), tuple(random.sample(ids, random.randrange(1, 3))))
            report(doing=["decide", None])
            try:
                applied = archive.apply(decision)
            except DecisionError:
                report(refused=decision.articles)
            else:
                report(done=["decide", applied.number])


def moves_in_force(archive: Archive) -> list[int]:
    """Return the numbers of the decisions in force that move articles."""
    return [each.number for each in archive.decisions() if each.what in MOVES and each.undone_by is None]


def repair(place: str) -> None:
    """Damage what follows from the texts, and repair it, over and over."""
    for number in count(1):
        with connect(place, create=False) as database, database.write() as session:
            session.run("UPDATE articles SET words = words + 1, depends = NULL, earlier_kinds = 1")
        report(doing=number)
        check(place, repair=True)
        report(done=number)


def back_up(place: str, folder: str, seed: int) -> None:
    """Make one backup after the other."""
    with Archive.open(place) as archive:
        for number in count(1):
            path = str(Path(folder, f"{seed}-{number}.backup"))
            report(doing=path)
            archive.backup(path)
            report(done=path)


def restore(path: str, places: list[str]) -> None:
    """Restore a backup to one place after the other; then wait."""
    for place in places:
        report(doing=place)
        Archive.restore(path, place)
        report(done=place)
    while True:
        signal.pause()


def restore_with(program: str, path: str, place: str) -> None:
    """Restore a backup by another program in place of pg_restore; then wait."""
    postgres_backup._program = lambda _: program
    restore(path, [place])


def query(place: str, texts: list[str]) -> None:
    """Query an archive and read its statistics."""
    with Archive.open(place) as archive:
        for text in cycle(texts):
            report(doing="query")
            archive.query(text)
            archive.stats()
            report(done="query")


def decide_in_file(path: str, name: str) -> None:
    """Append decisions to a file."""
    for number in count(1):
        report(doing=f"{name} {number}")
        Decisions.append(path, f"{name} {number}", "ş" * 500, "apart")
        report(done=f"{name} {number}")


def answer(path: str, token: str, name: str) -> None:
    """Answer the tasks of an assessor over and over."""
    with Collection.open(path) as collection:
        assessor = AssessorSession.from_token(collection, token)
        assert assessor is not None
        numbers = count(1)
        while True:
            unanswered = assessor.next()
            for task in [unanswered] if unanswered else assessor.answered(100):
                key = f"{name}-{next(numbers)}"
                report(doing=f"{assessor.assessor.number} {key}")
                assessor.answer(task.place, "yes", key=key)
                report(done=f"{assessor.assessor.number} {key}")


def import_files(path: str, files: list[str]) -> None:
    """Import tasks from one file after the other; then wait."""
    with Collection.open(path) as collection:
        for file in files:
            report(doing=file)
            import_tasks(collection, file)
            report(done=file)
    while True:
        signal.pause()


def copy_collection(path: str, folder: str, seed: int) -> None:
    """Back a collection up and restore the backup, over and over."""
    with Collection.open(path) as collection:
        for number in count(1):
            for step in ("backup", "restored"):
                target = str(Path(folder, f"{seed}-{number}.{step}"))
                report(doing=target)
                if step == "backup":
                    backup(collection, target)
                else:
                    restore_collection(Path(folder, f"{seed}-{number}.backup"), target)
                report(done=target)
