"""A restore damages no archive: leftovers of others, writers at the target, kills, damaged and foreign backups."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import psycopg
import pytest

from samestory.archive import Archive
from samestory.database import postgres_backup, restore
from samestory.errors import InputError, SamestoryError, StoreError
from tests.archive.news import item, story
from tests.conftest import PATIENCE, ROOT, Runner
from tests.hostile import workers
from tests.hostile.workers import Worker
from tests.server import Server


def archive_of(place: str | Path, *numbers: int) -> None:
    """Make an archive of some stories, an article each."""
    with Archive.open(str(place)) as archive:
        archive.add([item(f"a{number}", story(number)) for number in numbers])


def ids(place: str | Path) -> set[str]:
    """Return the ids of the articles of an archive."""
    with Archive.open(str(place), create=False) as archive, archive.database.read() as session:
        return {id for (id,) in session.rows("SELECT id FROM articles")}


@pytest.fixture
def backup(tmp_path: Path) -> Path:
    """A backup of three articles."""
    archive_of(tmp_path / "source.db", 1, 2, 3)
    with Archive.open(tmp_path / "source.db") as archive:
        archive.backup(tmp_path / "sunday.backup")
    return tmp_path / "sunday.backup"


def leave(folder: Path, ends: tuple[str, ...]) -> dict[str, bytes]:
    """Leave parts of another archive beside the name `news.db`, as a move of the file alone does; return them."""
    other = folder / "other" / "news.db"
    other.parent.mkdir()
    with Archive.open(other) as archive:
        archive.add([item(f"b{number}", story(100 + number)) for number in range(5)])
        # as of a process that is still running: closed, SQLite would remove the log
        left = {end: other.with_name(f"news.db{end}").read_bytes() for end in ends if end != "-journal"}
    if "-journal" in ends:
        left["-journal"] = hot_journal(folder)
    for end, content in left.items():
        (folder / f"news.db{end}").write_bytes(content)
    return left


def hot_journal(folder: Path) -> bytes:
    """Return the journal of a transaction that was killed: SQLite rolls the file beside it back to that state."""
    script = (
        "import sqlite3, os, signal; c = sqlite3.connect('killed.db', isolation_level=None);"
        "c.execute('PRAGMA cache_size = 1'); c.execute('CREATE TABLE t (x)');"
        "c.execute('BEGIN'); c.executemany('INSERT INTO t VALUES (?)', [('x' * 2000,)] * 200);"
        "os.kill(os.getpid(), signal.SIGKILL)"
    )
    done = subprocess.run([sys.executable, "-c", script], cwd=folder, check=False)
    assert done.returncode == -signal.SIGKILL
    journal = (folder / "killed.db-journal").read_bytes()
    for end in ("", "-journal"):
        (folder / f"killed.db{end}").unlink()
    assert len(journal) > 512
    return journal


@pytest.mark.parametrize("ends", [("-wal",), ("-wal", "-shm"), ("-journal",), ("-wal", "-shm", "-journal")])
def test_leftovers_of_another_archive_are_refused_and_kept(backup: Path, tmp_path: Path, ends: tuple[str, ...]) -> None:
    left = leave(tmp_path, ends)
    with pytest.raises(InputError, match="log of another database") as error:
        Archive.restore(backup, tmp_path / "news.db")
    assert "move it to the database that it belongs to" in error.value.hint
    assert not (tmp_path / "news.db").exists()
    # they may hold the last articles of that archive
    assert left == {end: (tmp_path / f"news.db{end}").read_bytes() for end in left}
    for end in left:
        (tmp_path / f"news.db{end}").unlink()
    Archive.restore(backup, tmp_path / "news.db")
    assert ids(tmp_path / "news.db") == {"a1", "a2", "a3"}


@pytest.mark.parametrize("end", ["-wal", "-journal"])
def test_a_backup_with_a_log_beside_it_is_refused(backup: Path, tmp_path: Path, end: str) -> None:
    left = leave(tmp_path, (end,))
    (tmp_path / f"news.db{end}").rename(tmp_path / f"sunday.backup{end}")
    with pytest.raises(InputError, match="not a single file"):
        Archive.restore(backup, tmp_path / "again.db")
    assert (tmp_path / f"sunday.backup{end}").read_bytes() == left[end]
    assert not (tmp_path / "again.db").exists()


def test_an_empty_file_is_not_replaced(backup: Path, tmp_path: Path) -> None:
    # it may be an archive that another process is creating
    (tmp_path / "news.db").touch()
    with pytest.raises(InputError, match="already exists"):
        Archive.restore(backup, tmp_path / "news.db")
    assert (tmp_path / "news.db").stat().st_size == 0


def test_an_archive_that_appears_meanwhile_is_kept(
    backup: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "news.db"
    flush = os.fsync

    def late(handle: int) -> None:
        # the backup is verified and copied by now: the last moment before the file gets its name
        if not target.exists():
            archive_of(target, 7, 8)
        flush(handle)

    monkeypatch.setattr(os, "fsync", late)
    with pytest.raises(InputError, match="already exists"):
        Archive.restore(backup, target)
    assert ids(target) == {"a7", "a8"}
    assert not list(tmp_path.glob("*.part*"))


@contextmanager
def writers(place: str, count: int) -> Iterator[set[str]]:
    """Open and write archives at a place from threads, at least once; yield the ids acknowledged."""
    done, first, acknowledged = threading.Event(), threading.Event(), set[str]()

    def write(who: int) -> None:
        number = 0
        while not done.is_set():
            number += 1
            id = f"w{who}-{number}"
            try:
                with Archive.open(place) as archive:
                    archive.add([item(id, story(1000 * who + number))])
            except SamestoryError:
                continue
            acknowledged.add(id)
            first.set()

    threads = [threading.Thread(target=write, args=(who,)) for who in range(1, count + 1)]
    for thread in threads:
        thread.start()
    try:
        yield acknowledged
        assert first.wait(PATIENCE)
    finally:
        done.set()
        for thread in threads:
            thread.join()


def test_writers_at_the_target_lose_nothing(places: Callable[[], str], tmp_path: Path) -> None:
    source = places()
    archive_of(source, 1, 2, 3)
    with Archive.open(source) as archive:
        archive.backup(tmp_path / "sunday.backup")
    outcomes = set()
    for _ in range(3):
        target = places()
        with writers(target, 2) as acknowledged:
            try:
                Archive.restore(tmp_path / "sunday.backup", target)
                outcomes.add("restored")
            except SamestoryError:
                outcomes.add("refused")
        found = ids(target)
        assert acknowledged <= found
        assert {"a1", "a2", "a3"} <= found or not found & {"a1", "a2", "a3"}
    assert outcomes


def test_a_killed_restore_leaves_no_archive(backup: Path, tmp_path: Path) -> None:
    archive_of(tmp_path / "large.db", *range(300))
    with Archive.open(tmp_path / "large.db") as archive:
        archive.backup(tmp_path / "large.backup")
    script = (
        "import sys; from samestory.database import restore; print('go', flush=True); restore(sys.argv[1], sys.argv[2])"
    )
    killed = 0
    for delay in (0.0, 0.001, 0.003, 0.01, 0.03):
        target = tmp_path / f"killed {delay}.db"
        command = [sys.executable, "-c", script, str(tmp_path / "large.backup"), str(target)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, cwd=ROOT) as running:
            assert running.stdout is not None
            running.stdout.readline()
            threading.Event().wait(delay)
            running.kill()
        if target.exists():
            assert len(ids(target)) == 300
        else:
            killed += 1
            restore(tmp_path / "large.backup", target)
            assert len(ids(target)) == 300
    assert killed


def test_a_killed_restore_does_not_go_on_and_replace_what_is_written_next(postgres: Server, tmp_path: Path) -> None:
    """The check that the target is empty, and the lock on it, end with the process; so must pg_restore."""
    source, target = postgres.fresh(), postgres.fresh()
    archive_of(source, 1, 2, 3)
    with Archive.open(source) as archive:
        archive.backup(tmp_path / "a.backup")
    Archive.open(target).close()
    slow, begun, ended = tmp_path / "slow_restore", tmp_path / "begun", tmp_path / "ended"
    program = postgres_backup._program("pg_restore")
    slow.write_text(
        f'#!/bin/sh\ncase "$*" in *--list*) ;; *) touch "{begun}"; sleep 1 ;; esac\n'
        f'"{program}" "$@"; code=$?; touch "{ended}"; exit $code\n'
    )
    slow.chmod(0o755)
    worker = Worker(workers.restore_with, str(slow), str(tmp_path / "a.backup"), target)
    until = time.monotonic() + PATIENCE
    while not begun.exists():
        assert time.monotonic() < until
        time.sleep(0.01)
    ended.unlink(missing_ok=True)
    worker.kill()
    archive_of(target, 7)
    until = time.monotonic() + 3
    while time.monotonic() < until and not ended.exists():
        time.sleep(0.05)
    assert ids(target) == {"a7"}


def test_every_changed_byte_of_a_backup_is_noticed(backup: Path, tmp_path: Path) -> None:
    whole = backup.read_bytes()
    at = whole.index(story(2)[:30].encode())
    for position in (at, 20, 25, 100, 5000, len(whole) - 1):
        changed = bytearray(whole)
        changed[position] ^= 0x01
        backup.write_bytes(changed)
        with pytest.raises(SamestoryError):
            restore(backup, tmp_path / "again.db")
        assert not (tmp_path / "again.db").exists()
    backup.write_bytes(whole)
    assert restore(backup, tmp_path / "again.db")["articles"] == 3


def test_truncated_backups_are_refused(backup: Path, tmp_path: Path) -> None:
    whole = backup.read_bytes()
    for size in (0, 10, 50, 100, 4096, len(whole) // 2, len(whole) - 1):
        backup.write_bytes(whole[:size])
        with pytest.raises(SamestoryError):
            restore(backup, tmp_path / "again.db")
        assert [path.name for path in tmp_path.iterdir() if path.name.startswith("again")] == []


@pytest.mark.parametrize(
    ("statement", "what"),
    [
        ("CREATE TRIGGER spy AFTER INSERT ON texts BEGIN DELETE FROM decisions; END", "trigger spy"),
        ("CREATE VIEW spies AS SELECT * FROM texts", "view spies"),
        ("DROP TABLE decisions", "no table decisions"),
        ("DROP INDEX articles_likeness", "no index articles_likeness"),
        ("ALTER TABLE texts DROP COLUMN url", "no column url"),
    ],
)
def test_a_backup_with_another_schema_is_refused(backup: Path, tmp_path: Path, statement: str, what: str) -> None:
    with closing(sqlite3.connect(backup)) as connection:
        connection.execute("PRAGMA application_id = 0")  # as an attacker would: without a checksum
        connection.execute(statement)
        connection.commit()
    with pytest.raises(StoreError, match=what):
        restore(backup, tmp_path / "again.db")
    assert not (tmp_path / "again.db").exists()


def test_a_backup_of_something_else_is_refused(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "other.db")) as connection:
        connection.execute("CREATE TABLE books (title TEXT)")
    with pytest.raises(InputError, match="not a backup"):
        restore(tmp_path / "other.db", tmp_path / "again.db")


def test_a_backup_that_is_opened_is_an_archive_and_can_be_backed_up_again(backup: Path, tmp_path: Path) -> None:
    archive_of(backup, 4)
    with Archive.open(backup) as archive:
        archive.backup(tmp_path / "monday.backup")
    assert Archive.restore(tmp_path / "monday.backup", tmp_path / "again.db")["articles"] == 4


def test_a_postgres_backup_with_a_trigger_is_refused(places: Callable[[], str], tmp_path: Path) -> None:
    source = places()
    if not source.startswith("postgres"):
        pytest.skip("for PostgreSQL")
    archive_of(source, 1)
    with psycopg.connect(source) as connection:
        connection.execute("CREATE FUNCTION spy() RETURNS trigger AS 'BEGIN RETURN NEW; END' LANGUAGE plpgsql")
        connection.execute("CREATE TRIGGER spy BEFORE INSERT ON texts FOR EACH ROW EXECUTE FUNCTION spy()")
    with Archive.open(source) as archive:
        archive.backup(tmp_path / "a.backup")
    target = places()
    with pytest.raises(InputError, match="trigger"):
        restore(tmp_path / "a.backup", target)
    with pytest.raises(InputError):
        Archive.open(target, create=False)


def test_the_command_says_what_it_restored(samestory: Runner, backup: Path, tmp_path: Path) -> None:
    done = samestory("index", "restore", backup, tmp_path / "again.db")
    assert (done.code, done.out) == (0, "")
    assert "restored 3 articles, 3 stories, 0 decisions, the newest of 2026-03-02; verified" in done.err
