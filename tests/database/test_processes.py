"""Concurrent and killed processes on one database."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import psycopg
import pytest

from samestory.database import Database, connect
from samestory.database.migrate import migrations
from samestory.errors import StoreError
from tests.conftest import PATIENCE, ROOT
from tests.server import Server


def work(*words: object) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "tests.database.work", *map(str, words)],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


def output_of(process: subprocess.Popen[str]) -> str:
    out, _ = process.communicate(timeout=2 * PATIENCE)
    assert process.returncode == 0
    return out.strip()


def test_two_concurrent_processes_lose_no_update(database: Database) -> None:
    with database.write() as session:
        session.insert("trial", ["number"], [(0,)])
    for process in [work("increase", database.place, 200) for _ in range(2)]:
        output_of(process)
    with database.read() as session:
        assert session.one("SELECT number FROM trial") == (400,)


def test_a_killed_writer_leaves_no_partial_write_and_no_lock(database: Database) -> None:
    process = work("write_and_wait", database.place)
    assert process.stdout is not None
    assert process.stdout.readline() == "written\n"
    with database.read() as session:
        assert session.one("SELECT count(*) FROM trial") == (0,)
    process.kill()
    process.communicate()
    began = time.monotonic()
    with database.write() as session:
        assert session.one("SELECT count(*) FROM trial") == (0,)
        session.insert("trial", ["word"], [("after",)])
    assert time.monotonic() - began < 10
    with connect(database.place, create=False) as again, again.read() as session:
        assert session.rows("SELECT word FROM trial") == [("after",)]


@pytest.mark.parametrize("after", [1, 7, 40])
def test_acknowledged_writes_survive_a_killed_writer(database: Database, after: int) -> None:
    process = work("write_pairs", database.place)
    assert process.stdout is not None
    safe = [process.stdout.readline() for _ in range(after)]
    process.kill()
    safe += process.stdout.read().split()
    process.communicate()
    last = int(safe[-1])
    with database.read() as session:
        left = session.rows("SELECT number FROM trial WHERE word = 'left' ORDER BY number")
        right = session.rows("SELECT number FROM trial WHERE word = 'right' ORDER BY number")
    assert left == right
    assert left in ([(n,) for n in range(last + 1)], [(n,) for n in range(last + 2)])


def test_many_processes_can_create_one_database_at_once(places: Callable[[], str]) -> None:
    place = places()
    processes = [work("create", place) for _ in range(5)]
    assert {output_of(process) for process in processes} == {f"[('{migrations().newest}',)]"}


def test_a_database_opened_before_a_fork_is_refused_after_it(place: str) -> None:
    assert output_of(work("fork", place)) == "7"


def test_a_full_disk_is_an_error_and_keeps_earlier_data(tmp_path: Path) -> None:
    place = str(tmp_path / "small.db")
    with connect(place) as database, database.write() as session:
        session.run("CREATE TABLE trial (number BIGINT, word TEXT)")
    kept, error = output_of(work("grow", place, 3_000_000)).split("\t")
    assert int(kept) > 3
    assert error.startswith(place)
    with connect(place) as database, database.read() as session:
        assert session.one("SELECT count(*) FROM trial") == (int(kept),)
        assert session.one("PRAGMA integrity_check") == ("ok",)


def test_a_lost_connection_is_reopened(postgres: Server) -> None:
    place = postgres.fresh()

    def cut() -> None:
        with psycopg.connect(postgres.address("postgres"), autocommit=True) as admin:
            admin.execute(
                "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = %s",
                (psycopg.conninfo.conninfo_to_dict(place)["dbname"],),
            )

    try:
        with connect(place) as database:
            with database.write() as session:
                session.run("INSERT INTO meta (name, value) VALUES ('a', 'b')")
            cut()
            with database.read() as session:
                assert session.one("SELECT value FROM meta WHERE name = 'a'") == ("b",)
            with database.write() as session:
                session.run("UPDATE meta SET value = 'c' WHERE name = 'a'")
            cut()
            database.free()
            # inside a transaction it is an error, and rolled back
            with pytest.raises(StoreError), database.write() as session:
                session.run("UPDATE meta SET value = 'd' WHERE name = 'a'")
                cut()
            with pytest.raises(StoreError), database.read() as session:
                cut()
                session.rows("SELECT 1")
            with database.write() as session:
                assert session.one("SELECT value FROM meta WHERE name = 'a'") == ("c",)
    finally:
        postgres.drop(place)


def test_archives_in_two_schemas_do_not_wait_for_each_other(postgres: Server) -> None:
    place = postgres.fresh()
    try:
        with psycopg.connect(place, autocommit=True) as admin:
            admin.execute("CREATE SCHEMA news")
        inside = f"{place}?options=-csearch_path%3Dnews"
        with connect(place) as one, connect(inside) as other, one.write() as left, other.write() as right:
            left.run("INSERT INTO meta (name, value) VALUES ('a', 'public')")
            right.run("INSERT INTO meta (name, value) VALUES ('a', 'news')")
        with connect(inside, create=False) as other, other.read() as session:
            assert session.one("SELECT value FROM meta WHERE name = 'a'") == ("news",)
    finally:
        postgres.drop(place)
