"""Places of databases: which are valid, and the errors for those that are not."""

from __future__ import annotations

import shutil
import sqlite3
import subprocess
import sys
import tempfile
from importlib.resources import files
from pathlib import Path

import psycopg
import pytest

from samestory.archive import checksums
from samestory.database import Database, connect
from samestory.database.migrate import Migrations, migrate, migrations
from samestory.database.postgres import shown_address
from samestory.errors import InputError, SamestoryError, StoreError
from tests.database.older import TO_VERSION_5
from tests.server import PASSWORD, Server


def test_a_missing_archive_is_not_created_without_create(place: str) -> None:
    for _ in range(2):
        with pytest.raises(InputError, match="hint"):
            connect(place, create=False)
    connect(place).close()
    connect(place, create=False).close()


def test_an_empty_file_is_not_an_archive_and_may_become_one(tmp_path: Path) -> None:
    path = tmp_path / "empty.db"
    path.touch()
    with pytest.raises(InputError, match="no archive"):
        connect(path, create=False)
    connect(path).close()
    connect(path, create=False).close()


@pytest.mark.parametrize("place", ["", ":memory:", "mysql://localhost/news", "http://example.org/news.db"])
def test_an_invalid_place_is_refused(place: str) -> None:
    with pytest.raises(InputError):
        connect(place)


def test_a_folder_and_a_missing_folder_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="folder"):
        connect(tmp_path)
    with pytest.raises(InputError, match="mkdir"):
        connect(tmp_path / "nowhere" / "news.db")
    with pytest.raises(InputError):
        connect(tmp_path / "a file" / "news.db", create=(tmp_path / "a file").write_bytes(b"x") > 0)


def test_a_file_that_is_not_a_database_is_refused_and_unchanged(tmp_path: Path) -> None:
    path = tmp_path / "news.txt"
    path.write_text("Not a database, and longer than the first bytes of one.")
    with pytest.raises(InputError, match="not a database"):
        connect(path)
    path.write_bytes(b"SQLite format 3\0" + b"rubbish" * 1000)
    before = path.read_bytes()
    with pytest.raises(SamestoryError):
        connect(path)
    assert path.read_bytes() == before


@pytest.mark.parametrize("table", ["bookmarks (id INTEGER)", "articles (id INTEGER)", "meta (name, value)", "meta (x)"])
def test_the_database_of_another_program_is_refused_and_unchanged(tmp_path: Path, table: str) -> None:
    path = tmp_path / "other.db"
    other = sqlite3.connect(path)
    other.execute(f"CREATE TABLE {table}")
    other.commit()
    other.close()
    before = path.read_bytes()
    for create in (True, False):
        with pytest.raises(InputError, match="another program"):
            connect(path, create=create)
    assert path.read_bytes() == before
    assert [entry.name for entry in tmp_path.iterdir()] == ["other.db"]


@pytest.mark.parametrize("table", ["articles (id int)", "meta (name text, value text)", "meta (x int)"])
def test_tables_of_another_program_on_the_server_are_unchanged(postgres: Server, table: str) -> None:
    place = postgres.fresh()
    try:
        with psycopg.connect(place) as other:
            other.execute(f"CREATE TABLE {table}".encode())
        with pytest.raises(InputError, match="another program"):
            connect(place)
    finally:
        postgres.drop(place)


def test_a_database_of_a_newer_version_is_refused(place: str) -> None:
    with connect(place) as database, database.write() as session:
        session.run("UPDATE meta SET value = ? WHERE name = 'version'", (str(migrations().newest + 1),))
    with pytest.raises(InputError, match=r"newer samestory[^\0]*--upgrade"):
        connect(place)


@pytest.fixture
def later(tmp_path: Path) -> Path:
    """The migrations of a later samestory."""
    folder = tmp_path / "migrations"
    shutil.copytree(str(files("samestory.database").joinpath("migrations")), folder)
    (folder / f"{migrations().newest + 1:04}.sql").write_text(
        "CREATE TABLE later (\n  number NUMBER,\n  word TEXT\n);\n"
    )
    return folder


def version(database: Database) -> tuple[str, bool]:
    with database.read() as session:
        return (
            session.rows("SELECT value FROM meta WHERE name = 'version'")[0][0],
            "later" in database.names(session),
        )


def test_an_older_database_is_upgraded(place: str, later: Path) -> None:
    with connect(place) as database:
        assert version(database) == (str(migrations().newest), False)
        for _ in range(2):
            migrate(database, create=False, known=Migrations(later))
            assert version(database) == (str(migrations().newest + 1), True)


def test_articles_of_the_first_version_keep_their_arrival_order(place: str) -> None:
    with connect(place) as database, database.write() as session:
        for index in ("articles_story", "articles_likeness"):
            session.run(f"DROP INDEX {index}")
            session.run(f"CREATE INDEX {index} ON articles ({index.removeprefix('articles_')})")
        for column in ("came", "weaker_relations", "depends", "earlier_kinds", "derived", "nearest"):
            session.run(f"ALTER TABLE articles DROP COLUMN {column}")
        for table in checksums.TABLES.keys() - {"expired", "feed_articles", "sessions"}:
            session.run(f"ALTER TABLE {table} DROP COLUMN checksum")
        for statement in TO_VERSION_5:
            session.run(statement)
        session.run("DROP TABLE expired")
        session.run("DROP TABLE sessions")
        session.run("DROP TABLE feed_articles")
        session.run("UPDATE meta SET value = '1' WHERE name = 'version'")
        row = {"number": 7, "id": "a", "day": 1, "arrived": 1, "words": 1, "likeness": 1, "revision": 2}
        session.insert("articles", tuple(row), [tuple(row.values())])
    with connect(place) as database, database.read() as session:
        assert session.rows("SELECT number, came FROM articles") == [(7, 7)]


def test_a_migration_that_fails_leaves_the_old_version(place: str, later: Path) -> None:
    (later / f"{migrations().newest + 2:04}.sql").write_text(
        "CREATE TABLE latest (number NUMBER);\nINSERT INTO nowhere VALUES (1);\n"
    )
    with connect(place) as database:
        with pytest.raises(StoreError):
            migrate(database, create=False, known=Migrations(later))
        assert version(database) == (str(migrations().newest), False)
    connect(place).close()


def test_both_databases_have_the_same_tables_and_columns(tmp_path: Path, postgres: Server) -> None:
    place = postgres.fresh()
    try:
        found = []
        for each in (str(tmp_path / "a.db"), place):
            with connect(each) as database, database.read() as session:
                assert set(migrations().tables) <= database.names(session)
                found.append({table: database.columns(session, table) for table in migrations().tables})
        assert found[1]["texts"] - found[0]["texts"] == {"found"}
        assert {**found[1], "texts": found[0]["texts"]} == found[0]
    finally:
        postgres.drop(place)


def test_numbers_are_never_reused(place: str) -> None:
    """A state that catches up by the log would otherwise miss lines written after the newest one was deleted."""
    with connect(place) as database:
        seen = []
        for _ in range(3):
            with database.write() as session:
                session.insert("changes", ["at", "what"], [(0, "opened"), (0, "opened")])
                seen += [n for (n,) in session.rows("SELECT seq FROM changes ORDER BY seq")]
                session.run("DELETE FROM changes")
        assert len(set(seen)) == 6
        assert seen == sorted(seen)


def test_article_ids_are_unique(place: str) -> None:
    columns = ["number", "id", "day", "arrived", "words", "likeness", "revision"]
    with connect(place) as database:
        with database.write() as session:
            session.insert("articles", columns, [(1, "a", 0, 0, 0, 0, 1)])
        with pytest.raises(StoreError), database.write() as session:
            session.insert("articles", columns, [(2, "a", 0, 0, 0, 0, 1)])


def test_words_are_found_in_the_full_text_of_sqlite(tmp_path: Path) -> None:
    with connect(tmp_path / "a.db") as database, database.write() as session:
        session.insert("words", ["rowid", "title", "text"], [(7, "başlık", "çay içti"), (8, "", "cay")])
        assert session.rows("SELECT rowid FROM words WHERE words MATCH ?", ("çay",)) == [(7,)]


def test_a_password_is_never_shown(postgres: Server) -> None:
    place = postgres.fresh()
    try:
        with connect(place) as database:
            assert database.place == place
            assert PASSWORD not in repr(database)
            assert "***" in repr(database)
            with pytest.raises(StoreError) as caught, database.write() as session:
                session.run("INSERT INTO nowhere VALUES (1)")
            assert PASSWORD not in str(caught.value)
    finally:
        postgres.drop(place)
    for wrong in (place, postgres.address("postgres").replace("a%20secret", "another")):
        with pytest.raises(InputError) as failed:
            connect(wrong)
        assert "secret" not in str(failed.value)
    assert shown_address("postgresql://a:b%40c@h:1/d") == "postgresql://a:***@h:1/d"
    assert shown_address("postgresql:///d?user=a&password=b") == "postgresql:///d?user=a&password=***"
    assert shown_address("postgresql://[::1") == "postgresql://…"


def test_a_missing_server_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="refused"):
        connect("postgresql://news@127.0.0.1:1/news")
    with pytest.raises(InputError):
        connect("postgresql://news@127.0.0.1:port/news?nonsense=1")


def test_without_psycopg_the_error_names_the_extra() -> None:
    program = (
        "import sys; sys.modules['psycopg'] = None\n"
        "from samestory.database import connect\n"
        "try: connect('postgresql://localhost/news')\n"
        "except Exception as error: print(error)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert "pip install 'samestory[postgres]'" in done.stdout


#: Root may do anything, so the process switches to a user without rights once everything is imported.
AS_OTHER_USER = """
import os, sys
from samestory.database import connect
from samestory.database.migrate import migrations
from samestory.errors import InputError
migrations()
if os.getuid() == 0:
    os.setgroups([])
    os.setegid(65534)
    os.seteuid(65534)
try:
    connect(sys.argv[1])
except InputError as error:
    print(error)
"""


def test_missing_permissions_are_reported() -> None:
    def error_of(path: Path) -> str:
        words = [sys.executable, "-c", AS_OTHER_USER, str(path)]
        return subprocess.run(words, capture_output=True, text=True, check=True).stdout

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "news.db"
        connect(path).close()
        Path(folder).chmod(0o555)
        assert "cannot be opened for writing" in error_of(path.with_name("new.db"))
        path.chmod(0o444)
        assert "cannot be opened for writing" in error_of(path)
        path.chmod(0o000)
        assert "ermission" in error_of(path)
        Path(folder).chmod(0o755)
