"""Kills every command that writes, at random moments: nothing acknowledged is lost, and `index check` finds no damage.

A command runs over and over in a process of its own, which prints each step; SIGKILL ends it a few steps and a random
part of a step later. The next process works on what the killed one left.
"""

from __future__ import annotations

import time
from pathlib import Path
from random import Random

from tests.hostile.campaign.archive_targets import ARCHIVE_TARGETS
from tests.hostile.campaign.file_targets import FILE_TARGETS
from tests.hostile.campaign.places import Places, files, postgres
from tests.hostile.campaign.targets import Target
from tests.hostile.campaign.trial import Budget, Case, Trial

KILLS = 100
BUDGET = Budget(seconds=900, memory_mb=1000)
#: At most this much of the time of a step passes between a step and the kill.
MAX_STEPS_UNTIL_KILL = 1.3


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
    for make in (*ARCHIVE_TARGETS, *FILE_TARGETS):
        kill_target(trial, make, files(folder), folder)
    with postgres() as places:
        for make in ARCHIVE_TARGETS:
            if places is None:
                trial.skip(f"kill -9: {make.name}, postgres", "PostgreSQL is not installed")
            else:
                kill_target(trial, make, places, folder)
