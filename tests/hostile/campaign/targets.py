"""What the campaign attacks: a command that writes, what it works on, and what must be true of it at any moment."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from samestory.archive import Archive
from samestory.archive.check import check
from samestory.database import connect
from tests.archive.test_kill import consistent
from tests.hostile.campaign.places import Places
from tests.hostile.workers import Worker

Step = dict[str, Any]


class Target(ABC):
    """A command that writes, what it works on, and what must be true after it was killed."""

    name: str

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
