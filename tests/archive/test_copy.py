"""Copies of archives: the same rows, stories and search in the other kind of database, complete or not there."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from samestory import InputError, StoreError
from samestory.archive import Archive
from samestory.archive.copy import copy
from samestory.archive.search import search
from samestory.archive.stored import load
from samestory.database import connect
from samestory.database.migrate import migrations
from tests.archive.news import item, news, story
from tests.conftest import Runner
from tests.server import Server


@pytest.fixture
def postgres_place(postgres: Server) -> Iterator[str]:
    place = postgres.fresh()
    yield place
    postgres.drop(place)


def filled(place: str) -> str:
    """An archive with stories, decisions, revisions, expired articles and rejects."""
    with Archive.open(place, window=timedelta(days=5)) as archive:
        archive.add([{**each, "section": each["source"]} for each in news(3, 60)])
        archive.add([item("s3-1", "A new version. " + story(77), 6)])
        archive.add([item("far", "Tausend Worte. " + story(78), title="Größe"), {"id": "bad"}])
        archive.decide("s3-2", "s3-3", "apart")
        archive.expire(datetime(2026, 3, 3, tzinfo=UTC), force=True)
    return place


def tables(place: str) -> dict[str, Any]:
    """The rows of all tables but those of the search index and of the place."""
    out: dict[str, Any] = {}
    with connect(place, create=False) as database, database.read() as session:
        for table in migrations().tables:
            columns = sorted(database.columns(session, table) - {"found"})
            out[table] = sorted(map(repr, session.rows(f"SELECT {', '.join(columns)} FROM {table}")))
    return out


def found(place: str) -> Any:
    with Archive.open(place, create=False) as archive:
        page = search(archive.database, "storm OR city OR council OR number", sort="relevance")
        return [(hit.number, hit.matching, hit.representative.id) for hit in page.stories], page.total_articles


def add_more(place: str) -> Any:
    """Articles added to a copy: their numbers and stories continue those of the archive."""
    with Archive.open(place, create=False) as archive:
        added = archive.add([item("more", story(78)), item("other", story(990))])
        with archive.database.read() as session:
            numbers = {id: (each.number, each.story) for id, each in load(session, ["more", "other"]).items()}
        return [(r.left, r.right, r.kind) for r in added.relations], numbers


def test_a_copy_has_every_row_in_both_directions(tmp_path: Path, postgres_place: str) -> None:
    first, last = filled(str(tmp_path / "first.db")), str(tmp_path / "last.db")
    steps: list[tuple[int, int]] = []
    rows = copy(first, postgres_place, lambda done, total: steps.append((done, total)))
    assert rows["articles"] > 20 and rows["decisions"] == 1 and rows["revisions"] == 1 and rows["expired"] > 0
    assert steps[-1][0] == sum(rows.values()) and [done for done, _ in steps] == sorted(done for done, _ in steps)
    copy(postgres_place, last)
    assert tables(first) == tables(postgres_place) == tables(last)
    assert found(first) == found(postgres_place) == found(last) != ([], 0)
    assert add_more(first) == add_more(postgres_place) == add_more(last)


def test_sign_ins_are_not_copied(tmp_path: Path) -> None:
    place = filled(str(tmp_path / "a.db"))
    with connect(place) as database, database.write() as session:
        session.insert("sessions", ("id", "until"), [("secret", 2**60)])
    copy(place, str(tmp_path / "b.db"))
    assert tables(str(tmp_path / "b.db"))["sessions"] == []


def test_a_copy_damages_no_archive(places: Callable[[], str], tmp_path: Path) -> None:
    source, target = filled(str(tmp_path / "a.db")), filled(places())
    before = tables(target)
    with pytest.raises(InputError, match=r"already (exists|has data)"):
        copy(source, target)
    assert tables(target) == before
    with pytest.raises(InputError, match="already exists"):
        copy(source, source)


def test_a_log_beside_the_target_is_refused(tmp_path: Path) -> None:
    source = filled(str(tmp_path / "a.db"))
    (tmp_path / "b.db-wal").write_bytes(b"of another database")
    with pytest.raises(InputError, match=r"b\.db-wal"):
        copy(source, str(tmp_path / "b.db"))
    assert not (tmp_path / "b.db").exists()


def test_a_changed_row_is_named_and_nothing_is_left(tmp_path: Path) -> None:
    source = filled(str(tmp_path / "a.db"))
    with connect(source) as database, database.write() as session:
        session.run("UPDATE texts SET text = 'changed' WHERE number = (SELECT max(number) FROM texts)")
    with pytest.raises(StoreError, match=r"texts.*checksum"):
        copy(source, str(tmp_path / "b.db"))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.db"]


@pytest.mark.parametrize("after", [0.0, 0.15, 0.3])
def test_a_killed_copy_leaves_no_archive(tmp_path: Path, postgres_place: str, after: float) -> None:
    source = filled(str(tmp_path / "a.db"))
    for target in (str(tmp_path / "b.db"), postgres_place):
        program = f"""
import sys, time
from samestory.archive.copy import copy
def done(number, total):
    print("begun", flush=True)
    time.sleep(0.05)
copy({source!r}, {target!r}, done)
"""
        process = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE)
        assert process.stdout is not None and process.stdout.readline() == b"begun\n"
        time.sleep(after)
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
        process.stdout.close()
        assert not (tmp_path / "b.db").exists()
        # the place is as usable as before
        assert copy(source, target)["articles"] > 20
        if target != postgres_place:
            Path(target).unlink()


def test_the_command_says_what_it_copied(samestory: Runner, tmp_path: Path) -> None:
    source, target = filled(str(tmp_path / "a.db")), tmp_path / "b.db"
    done = samestory("index", "copy", source, target)
    assert done.code == 0 and "1 decision; verified: " in done.err
    again = samestory("index", "copy", source, target)
    assert again.code == 1 and "already exists" in again.err
    assert samestory("index", "copy", tmp_path / "none.db", tmp_path / "c.db").code != 0
