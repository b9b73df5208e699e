"""A writer is killed again and again, whatever it does: what it said is kept, and nothing is half done."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from random import Random
from typing import Any

from samestory.archive import Archive
from samestory.archive.mind import Mind
from tests.conftest import ROOT

KILLS = 10


def killed(place: str, seed: int, lines: int, after: float) -> list[dict[str, Any]]:
    """What a writer said until it was killed: so many lines, and what came in so many seconds more."""
    words = [sys.executable, "-m", "tests.archive.writer", place, str(seed)]
    with subprocess.Popen(words, stdout=subprocess.PIPE, cwd=ROOT) as writer:
        assert writer.stdout is not None
        said = [writer.stdout.readline() for _ in range(lines + 1)]
        time.sleep(after)
        writer.send_signal(signal.SIGKILL)
        # a line that was not finished was not said
        said += writer.stdout.read().split(b"\n")[:-1]
    assert json.loads(said[0]) == {"open": True}
    return [json.loads(line) for line in said[1:]]


def consistent(archive: Archive) -> None:
    """Every table speaks of the same articles, and the mind that is made from them has the stories that are written."""
    with archive.database.read() as session:

        def column(sql: str) -> list[Any]:
            return [row[0] for row in session.rows(sql)]

        numbers, ids = set(column("SELECT number FROM articles")), set(column("SELECT id FROM articles"))
        assert set(column("SELECT number FROM texts")) == numbers
        for number in range(len(archive.detectors)):
            assert set(column(f"SELECT id FROM entries WHERE detector = '{number}'")) == ids
        assert set(column("SELECT left_number FROM relations UNION SELECT right_number FROM relations")) <= numbers
        if archive.database.kind == "sqlite":
            # the words of every article are filed, and of no other: an integrity check of the index says so
            assert column("PRAGMA integrity_check") == ["ok"]
        mind = Mind(archive.database, archive.detectors, archive.window)
        mind.load(session)
        written = dict(session.rows("SELECT id, story FROM articles"))
        assert {id: number for number, members in mind.groups.groups() for id in members} == written
        alive: dict[str, int] = {}
        for what, story, articles, other in session.rows(
            "SELECT what, story, articles, other FROM changes ORDER BY seq"
        ):
            # replaying the log from its beginning leads to the same stories
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


def test_what_was_acknowledged_is_kept_however_often_the_writer_is_killed(place: str) -> None:
    random = Random(7)  # when they are killed differs all the same
    texts: dict[str, str] = {}
    batches = 0
    for kill in range(KILLS):
        doubtful: set[str] = set()
        for line in killed(place, kill % 3, random.randrange(6), random.uniform(0.0, 0.05)):
            if "kept" in line:
                texts |= line["kept"]
                doubtful -= line["kept"].keys()
                batches += 1
            elif "going" in line:
                doubtful.add(line["going"])
            elif "gone" in line:
                del texts[line["gone"]]
                doubtful.discard(line["gone"])
        with Archive.open(place) as archive:
            found = archive.articles(texts)
            # whoever was about to go, or came in the batch that was not acknowledged, may be here or not
            missing = {id for id in texts if id not in found} - doubtful
            assert not missing
            for id in doubtful & texts.keys() - found.keys():
                del texts[id]
            with archive.database.read() as session:
                past = set(session.rows("SELECT id, text FROM revisions"))
            for id, stored in found.items():
                assert stored.article.text == texts[id] or (id, texts[id]) in past
                texts[id] = stored.article.text
            consistent(archive)
    assert batches > KILLS
