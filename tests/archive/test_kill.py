"""A writer is killed again and again: acknowledged articles are stored, and no write is partial."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from collections.abc import Iterable
from random import Random
from typing import Any

from samestory.archive import Archive
from samestory.archive.state import ArchiveState
from tests.conftest import ROOT

KILLS = 10


def killed(place: str, seed: int, lines: int, after: float) -> list[dict[str, Any]]:
    """Return the output of a writer that is killed after some lines and some seconds."""
    command = [sys.executable, "-m", "tests.archive.writer", place, str(seed)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, cwd=ROOT) as writer:
        assert writer.stdout is not None
        output = [writer.stdout.readline() for _ in range(lines + 1)]
        time.sleep(after)
        writer.send_signal(signal.SIGKILL)
        # an unfinished line does not count
        output += writer.stdout.read().split(b"\n")[:-1]
    assert json.loads(output[0]) == {"open": True}
    return [json.loads(line) for line in output[1:]]


def consistent(archive: Archive) -> None:
    """Check that all tables have the same articles, and that a state built from them has the stored stories."""
    with archive.database.read() as session:

        def column(sql: str) -> list[Any]:
            return [row[0] for row in session.rows(sql)]

        numbers, ids = set(column("SELECT number FROM articles")), set(column("SELECT id FROM articles"))
        assert set(column("SELECT number FROM texts")) == numbers
        for number in range(len(archive.detectors)):
            assert set(column(f"SELECT id FROM entries WHERE detector = '{number}'")) == ids
        assert set(column("SELECT left_number FROM relations UNION SELECT right_number FROM relations")) <= numbers
        if archive.database.kind == "sqlite":
            # the words of every article are indexed, and of no other: verified by an integrity check of the index
            assert column("PRAGMA integrity_check") == ["ok"]
        state = ArchiveState(archive.database, archive.detectors, archive.window)
        state.load(session)
        written = dict(session.rows("SELECT id, story FROM articles"))
        state.groups.load(session, written)
        assert {id: number for number, members in state.groups.groups for id in members} == written
        alive: dict[str, int] = {}
        changes = session.rows("SELECT what, story, articles, other FROM changes ORDER BY seq")
        if any(what == "rebuilt" for what, *_ in changes):
            return  # the log does not begin with the first article
        for what, story, articles, other in changes:
            if story is None:
                continue  # a decision or a repair
            # replaying the log from its beginning results in the same stories
            named = json.loads(articles or "[]")
            if what in ("opened", "joined"):
                alive |= dict.fromkeys(named, story)
            elif what == "merged":
                alive = {id: story if number == other else number for id, number in alive.items()}
            elif what == "split":
                alive |= dict.fromkeys(named, other)
            else:
                for id in named:
                    del alive[id]
        assert alive == written


class Ledger:
    """What a writer has acknowledged, and what it was doing when it was killed."""

    def __init__(self) -> None:
        self.texts: dict[str, str] = {}
        self.batches = 0
        self._uncertain: set[str] = set()

    def read(self, lines: Iterable[dict[str, Any]]) -> None:
        """Note the output of a writer that has been killed."""
        for line in lines:
            if "kept" in line:
                self.texts |= line["kept"]
                self._uncertain -= line["kept"].keys()
                self.batches += 1
            elif "going" in line:
                self._uncertain.add(line["going"])
            elif "gone" in line:
                del self.texts[line["gone"]]
                self._uncertain.discard(line["gone"])

    def check(self, archive: Archive) -> None:
        """Check that every acknowledged article is stored, and none that was removed."""
        found = archive.articles(self.texts)
        # articles about to be removed, or in a batch that was not acknowledged, may or may not be stored
        missing = {id for id in self.texts if id not in found} - self._uncertain
        assert not missing, f"acknowledged articles are lost: {sorted(missing)[:5]}"
        for id in self._uncertain & self.texts.keys() - found.keys():
            del self.texts[id]
        self._uncertain.clear()
        with archive.database.read() as session:
            past = set(session.rows("SELECT id, text FROM revisions"))
        for id, stored in found.items():
            # a batch that was not acknowledged may have stored a newer version
            assert stored.article.text == self.texts[id] or (id, self.texts[id]) in past, f"{id} has another text"
            self.texts[id] = stored.article.text


def test_acknowledged_articles_survive_killed_writers(place: str) -> None:
    random = Random(7)  # the moment of the kill still varies
    ledger = Ledger()
    for kill in range(KILLS):
        ledger.read(killed(place, kill % 3, random.randrange(6), random.uniform(0.0, 0.05)))
        with Archive.open(place) as archive:
            ledger.check(archive)
            consistent(archive)
    assert ledger.batches > KILLS
