"""Backups are consistent whatever is written meanwhile; the space of deleted rows is freed."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

import psycopg
import pytest

from samestory.database import Database, connect, restore
from samestory.errors import InputError, SamestoryError, StoreError
from tests.server import Server

COLUMNS = ["id", "revision", "text", "replaced"]


def fill(database: Database, first: int, many: int) -> None:
    """Write pairs of rows, each pair in one transaction."""
    with database.write() as session:
        rows = [
            (f"{number}", revision, "text " * 50, 0) for number in range(first, first + many) for revision in (1, 2)
        ]
        session.insert("revisions", COLUMNS, rows)


def pairs(database: Database) -> tuple[int, int]:
    """Return the number of first and second rows."""
    with database.read() as session:
        first, second = (session.rows("SELECT count(*) FROM revisions WHERE revision = ?", (n,))[0][0] for n in (1, 2))
    return first, second


def test_a_backup_during_writes_is_consistent(places: Callable[[], str], tmp_path: Path) -> None:
    copies = []
    with connect(places()) as database:
        fill(database, 0, 3000)
        done = threading.Event()

        def write() -> None:
            number = 3000
            while not done.is_set():
                fill(database, number, 1)
                number += 1

        writer = threading.Thread(target=write)
        writer.start()
        try:
            for number in range(3):
                database.backup(tmp_path / f"{number}.backup")
        finally:
            done.set()
            writer.join()
        now = pairs(database)
    for number in range(3):
        place = places()
        restore(tmp_path / f"{number}.backup", place)
        with connect(place, create=False) as copy:
            copies.append(pairs(copy))
            fill(copy, 1_000_000, 1)
            with copy.write() as session:
                session.insert("changes", ["at", "what"], [(0, "opened")])
    assert all(first == second >= 3000 for first, second in copies)
    assert [*copies, now] == sorted([*copies, now])
    assert not list(tmp_path.glob("*.part*"))


def test_a_backup_never_overwrites_a_file(database: Database, tmp_path: Path) -> None:
    path = tmp_path / "kept.backup"
    path.write_text("mine")
    with pytest.raises(InputError, match="already"):
        database.backup(path)
    assert path.read_text() == "mine"
    with pytest.raises(InputError, match="folder"):
        database.backup(tmp_path / "nowhere" / "a.backup")


def test_nothing_is_restored_over_an_archive_with_data(places: Callable[[], str], tmp_path: Path) -> None:
    path = tmp_path / "a.backup"
    full = places()
    with connect(full) as database:
        fill(database, 0, 5)
        database.backup(path)
        fill(database, 5, 5)
        with pytest.raises(InputError, match="already"):
            restore(path, full)
        assert pairs(database) == (10, 10)
    with pytest.raises(InputError, match="already"):
        restore(path, full)


def test_a_file_that_is_not_a_backup_is_refused_and_leaves_nothing(place: str, tmp_path: Path) -> None:
    path = tmp_path / "news.txt"
    path.write_text("no backup")
    for wrong in (path, tmp_path / "not there", tmp_path):
        with pytest.raises(InputError):
            restore(wrong, place)
    with pytest.raises(InputError):
        connect(place, create=False)


def test_a_truncated_backup_is_refused_and_leaves_nothing(places: Callable[[], str], tmp_path: Path) -> None:
    path = tmp_path / "a.backup"
    with connect(places()) as database:
        fill(database, 0, 2000)
        database.backup(path)
    data = path.read_bytes()
    (tmp_path / "cut.backup").write_bytes(data[: len(data) * 2 // 3])
    place = places()
    with pytest.raises(SamestoryError):
        restore(tmp_path / "cut.backup", place)
    with pytest.raises(InputError):
        connect(place, create=False)


def test_a_backup_is_not_restored_to_the_other_backend(postgres: Server, tmp_path: Path) -> None:
    place = postgres.fresh()
    try:
        for number, each in enumerate((tmp_path / "a.db", place)):
            with connect(each) as database:
                database.backup(tmp_path / f"{number}.backup")
        with pytest.raises(InputError, match="SQLite"):
            restore(tmp_path / "0.backup", place)
        with pytest.raises(InputError, match="PostgreSQL"):
            restore(tmp_path / "1.backup", tmp_path / "new.db")
    finally:
        postgres.drop(place)


def test_a_backup_of_a_schema_is_restored_to_that_schema_only(postgres: Server, tmp_path: Path) -> None:
    from_place, to_place = postgres.fresh(), postgres.fresh()
    try:
        for each in (from_place, to_place):
            with psycopg.connect(each) as admin:
                admin.execute('CREATE SCHEMA "my news"')
        options = "?options=-csearch_path%3D%22my%5C%20news%22"
        with connect(from_place + options) as database:
            fill(database, 0, 5)
            database.backup(tmp_path / "a.backup")
        with pytest.raises(InputError, match="my news"):
            restore(tmp_path / "a.backup", to_place)
        connect(to_place + options).close()
        restore(tmp_path / "a.backup", to_place + options)
        with connect(to_place + options, create=False) as copy:
            assert pairs(copy) == (5, 5)
        with pytest.raises(InputError):
            connect(to_place, create=False)
    finally:
        postgres.drop(from_place)
        postgres.drop(to_place)


def test_free_shrinks_the_database(database: Database) -> None:
    small = database.size()
    fill(database, 0, 20_000)
    large = database.size()
    assert large > small + 20_000 * 2 * 250
    with database.write() as session:
        session.run("DELETE FROM revisions")
    database.free()
    # PostgreSQL keeps the pages of indexes for later rows
    assert database.size() < small + (large - small) / 5
    fill(database, 0, 10)
    assert pairs(database) == (10, 10)


def test_the_sqlite_file_shrinks_even_during_a_read(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    with connect(path) as database:
        fill(database, 0, 20_000)
        database.free()
        full = path.stat().st_size
        with database.write() as session:
            session.run("DELETE FROM revisions")
        with database.read() as session:
            database.free()  # the reader blocks the truncation of the WAL until the next call
            assert session.one("SELECT count(*) FROM revisions") == (0,)
        database.free()
        assert path.stat().st_size < full / 10
        assert database.size() == path.stat().st_size


def test_free_is_refused_inside_a_transaction(database: Database) -> None:
    with pytest.raises(StoreError), database.write():
        database.free()
