"""Processes that write to one archive at the same time, all killed at the end: nothing acknowledged is lost."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

from samestory import Decisions
from samestory.archive import Archive
from samestory.database import connect
from samestory.database import restore as restore_database
from tests.archive.news import item, story
from tests.archive.test_kill import Ledger
from tests.hostile import workers
from tests.hostile.campaign.places import Places, files, postgres
from tests.hostile.campaign.targets import done, sound, texts
from tests.hostile.campaign.trial import Budget, Case, Trial
from tests.hostile.workers import Worker

BUDGET = Budget(seconds=240, memory_mb=1000)
#: Rounds, each with new processes on the same archive, and how long each lasts.
ROUNDS, SECONDS = 8, 6.0
#: Processes that add articles; others decide, expire, back up and query.
ADDING = 3
#: Processes that append to one file of decisions.
DECIDING = 8

#: The articles of the process that expires are older than this; those that others add are not.
OLD = datetime(2026, 2, 1, tzinfo=UTC)


def write_together(places: Places, rounds: int, folder: Path, case: Case, seconds: float = SECONDS) -> None:
    """Let processes write to one archive in rounds, and check it after each."""
    place, ledgers = places.fresh(), [Ledger() for _ in range(ADDING)]
    old = {f"old {number}": {**item("", story(number)), "published": "2026-01-05"} for number in range(30)}
    pairs = [f"d{number}" for number in range(12)]
    with Archive.open(place) as archive:
        archive.add([{**each, "id": id} for id, each in old.items()])
        archive.add([item(id, story(500 + number)) for number, id in enumerate(pairs)])
    decided: dict[tuple[str, str], str | None] = {}
    for round in range(rounds):
        with case.attempt():
            adding = [Worker(workers.add, place, seed) for seed in range(ADDING)]
            deciding = Worker(workers.decide, place, pairs, round)
            copying = Worker(workers.back_up, place, str(folder), round)
            others = [
                Worker(workers.expire, place, OLD.timestamp()),
                Worker(workers.query, place, [each["text"] for each in old.values()]),
            ]
            everything = [*adding, deciding, copying, *others]
            for worker in everything:
                worker.wait(1)
            for worker in everything:
                worker.pause(seconds / len(everything))
            # all at once, as if the machine had stopped
            steps = [worker.kill() for worker in everything]
            case.count("steps", sum("done" in step or "kept" in step for each in steps for step in each))
            for ledger, printed in zip(ledgers, steps, strict=False):
                ledger.read(printed)
            with Archive.open(place) as archive:
                for ledger in ledgers:
                    ledger.check(archive)
            check_old(place, set(old))
            for step in steps[ADDING]:
                if "done" in step:
                    left, right, decision = step["done"]
                    decided[left, right] = decision
            check_decisions(place, decided, steps[ADDING][-1].get("doing"))
            for path in done(steps[ADDING + 1])[-1:]:
                restore_database(path, again := places.fresh())
                sound(again)
                assert set(old) <= stored_or_expired(again), "a backup lacks articles"
                places.drop(again)
            for each in folder.glob("*.backup*"):
                each.unlink()
            sound(place)


def stored_or_expired(place: str) -> set[str]:
    """Return the ids of the stored articles, and of those in their grace period."""
    with connect(place) as database, database.read() as session:
        return {id for (id,) in session.rows("SELECT id FROM articles UNION SELECT id FROM expired")}


def check_old(place: str, ids: set[str]) -> None:
    """Check that articles which expire and return are stored or expired, and not both."""
    with connect(place) as database, database.read() as session:
        waiting = {id for (id,) in session.rows("SELECT id FROM expired")}
    stored = set(texts(place))
    assert ids <= stored | waiting, "articles are neither stored nor expired"
    assert not stored & waiting, "articles are stored and expired"


def check_decisions(place: str, decided: dict[tuple[str, str], str | None], doing: list[str] | None) -> None:
    """Check that the decisions are those that were acknowledged; the last one may have been stored before the kill."""
    with connect(place) as database, database.read() as session:
        sql = "SELECT left_id, right_id, decision FROM decisions"
        found = {(left, right): decision for left, right, decision in session.rows(sql)}
    if doing and found.get((doing[0], doing[1])) == doing[2]:
        decided[doing[0], doing[1]] = doing[2]
    assert found == {pair: decision for pair, decision in decided.items() if decision}, "decisions are lost"


def decide_together(rounds: int, folder: Path, case: Case, seconds: float = SECONDS / 3) -> None:
    """Let processes append decisions to one file, and kill them all."""
    path, acknowledged = folder / "decisions.jsonl", set[str]()
    for round in range(rounds):
        with case.attempt():
            deciding = [Worker(workers.decide_in_file, str(path), f"{round}-{n}") for n in range(DECIDING)]
            for worker in deciding:
                worker.wait(1)
            for worker in deciding:
                worker.pause(seconds / DECIDING)
            for worker in deciding:
                acknowledged |= set(done(worker.kill()))
            assert acknowledged <= {left for left, _ in Decisions.load(path).apart}, "decisions are lost"
            assert all(json.loads(line) for line in path.read_text().splitlines())
    case.measures["decisions"] = len(acknowledged)


def run(trial: Trial, folder: Path) -> None:
    """Write in parallel to archives of both kinds, and to a file of decisions."""
    with trial.case("parallel writers: archive, sqlite") as case:
        write_together(files(folder), trial.times(ROUNDS), folder, case)
    with postgres() as places:
        if places is None:
            trial.skip("parallel writers: archive, postgres", "PostgreSQL is not installed")
        else:
            with trial.case("parallel writers: archive, postgres") as case:
                write_together(places, trial.times(ROUNDS), folder, case)
    with trial.case("parallel writers: decisions file") as case:
        decide_together(trial.times(ROUNDS), folder, case)
