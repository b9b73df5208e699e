"""Transactions of both databases: writes are atomic, and readers see one snapshot."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

import pytest

from samestory.database import Database, Session, connect
from samestory.errors import StoreError


def put(session: Session, *words: str) -> None:
    session.insert("trial", ["word"], [(word,) for word in words])


def words(session: Session) -> list[str]:
    return [word for (word,) in session.rows("SELECT word FROM trial ORDER BY word")]


def seen(database: Database) -> list[str]:
    with database.read() as session:
        return words(session)


def test_a_write_is_committed_and_a_failed_one_is_not(database: Database) -> None:
    with database.write() as session:
        put(session, "kept")
    with pytest.raises(ZeroDivisionError), database.write() as session:
        put(session, "undone")
        raise ZeroDivisionError
    assert seen(database) == ["kept"]
    with connect(database.place, create=False) as again:
        assert seen(again) == ["kept"]


def test_an_exception_that_is_not_an_error_rolls_back_too(database: Database) -> None:
    with pytest.raises(KeyboardInterrupt), database.write() as session:
        put(session, "undone")
        raise KeyboardInterrupt
    assert seen(database) == []


def test_a_nested_write_is_committed_with_the_outer_one_or_not_at_all(database: Database) -> None:
    with database.write() as outer:
        put(outer, "a")
        with database.write() as inner:
            put(inner, "b")
        with database.read() as session:
            assert words(session) == ["a", "b"], "the writer's own view"
    assert seen(database) == ["a", "b"]
    with pytest.raises(ZeroDivisionError), database.write() as outer:
        with database.write() as inner:
            put(inner, "c")
        raise ZeroDivisionError
    assert seen(database) == ["a", "b"]


def test_a_failed_nested_write_is_rolled_back_and_the_outer_one_continues(database: Database) -> None:
    with database.write() as outer:
        put(outer, "a")
        with pytest.raises(ZeroDivisionError), database.write() as inner:
            put(inner, "b")
            with database.write() as innermost:
                put(innermost, "c")
            raise ZeroDivisionError
        with pytest.raises(StoreError), database.write() as inner:
            put(inner, "d")
            inner.run("INSERT INTO nowhere VALUES (1)")
        put(outer, "e")
    assert seen(database) == ["a", "e"]


def test_a_failed_statement_ends_the_transaction_even_if_its_error_is_caught(database: Database) -> None:
    """PostgreSQL would accept the COMMIT of such a transaction without an error, and roll it back."""
    with pytest.raises(StoreError, match="earlier statement"), database.write() as session:
        put(session, "lost")
        with pytest.raises(StoreError):
            session.run("INSERT INTO nowhere VALUES (1)")
    with pytest.raises(StoreError, match="earlier statement"), database.write() as session:
        with pytest.raises(StoreError):
            session.run("INSERT INTO nowhere VALUES (1)")
        put(session, "lost")
    assert seen(database) == []


def test_an_error_while_rows_are_inserted_leaves_nothing(database: Database) -> None:
    def broken() -> object:
        yield ("a",)
        raise ZeroDivisionError

    for way in ("insert", "many"):
        with pytest.raises(ZeroDivisionError), database.write() as session:
            if way == "insert":
                session.insert("trial", ["word"], broken())
            else:
                session.many("INSERT INTO trial (word) VALUES (?)", broken())
        with database.write() as session:
            put(session, way)
    assert seen(database) == ["insert", "many"]


def test_a_reader_sees_one_snapshot_whatever_is_written_meanwhile(database: Database) -> None:
    with database.write() as session:
        put(session, "old")
    with ThreadPoolExecutor(1) as pool, database.read() as reader:
        # no statement yet: the snapshot is that of the beginning
        pool.submit(write_one, database, "new").result()
        assert words(reader) == ["old"]
        pool.submit(write_one, database, "newer").result()
        assert words(reader) == ["old"]
        with database.read() as inner:
            assert words(inner) == ["old"], "a read inside a read is the same moment"
        write_one(database, "mine")
        assert words(reader) == ["old"], "also what its own thread writes"
    assert seen(database) == ["mine", "new", "newer", "old"]


def write_one(database: Database, word: str) -> None:
    with database.write() as session:
        put(session, word)


def test_a_reader_does_not_see_a_partial_write(database: Database) -> None:
    """A writer moves one unit to and fro between two rows: readers in threads always see the same sum."""
    with database.write() as session:
        session.insert("trial", ["word", "number"], [("a", 50), ("b", 50)])
    done = threading.Event()
    sums: list[tuple[int, int]] = []

    def watch() -> None:
        while not done.is_set():
            with database.read() as session:
                first = session.rows("SELECT number FROM trial WHERE word = 'a'")[0][0]
                second = session.rows("SELECT number FROM trial WHERE word = 'b'")[0][0]
            sums.append((first, second))

    threads = [threading.Thread(target=watch) for _ in range(3)]
    for thread in threads:
        thread.start()
    for turn in range(60):
        step = 1 if turn % 4 else -3
        with database.write() as session:
            session.run("UPDATE trial SET number = number - ? WHERE word = 'a'", (step,))
            session.run("UPDATE trial SET number = number + ? WHERE word = 'b'", (step,))
    done.set()
    for thread in threads:
        thread.join()
    assert {first + second for first, second in sums} == {100}
    assert len(set(sums)) > 1


def test_threads_write_in_sequence_and_lose_nothing(database: Database) -> None:
    with database.write() as session:
        session.insert("trial", ["word", "number"], [("n", 0)])

    def increase(_: int) -> None:
        with database.write() as session:
            (number,) = session.one("SELECT number FROM trial") or (0,)
            session.run("UPDATE trial SET number = ?", (number + 1,))

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(increase, range(160)))
    with database.read() as session:
        assert session.one("SELECT number FROM trial") == (160,)


def test_a_reader_cannot_write(database: Database) -> None:
    with pytest.raises(StoreError), database.read() as session:
        session.run("INSERT INTO trial (word) VALUES ('a')")
    assert seen(database) == []


def test_a_transaction_that_is_over_cannot_be_used(database: Database) -> None:
    with database.write() as session:
        put(session, "a")
    with pytest.raises(StoreError, match="over"):
        put(session, "b")
    with database.read() as session:
        pass
    with pytest.raises(StoreError, match="over"):
        words(session)


def test_a_large_query_is_fetched_in_parts_and_may_be_abandoned(database: Database) -> None:
    with database.write() as session:
        session.insert("trial", ["number"], ((number,) for number in range(2500)))
    sql = "SELECT number FROM trial WHERE number >= ? ORDER BY number"
    with database.read() as session:
        assert [n for (n,) in session.each(sql, (7,), at_once=100)] == list(range(7, 2500))
        left = session.each(sql, (0,), at_once=10)
        assert next(left) == (0,)
        again = session.each(sql, (0,), at_once=10)
        assert [next(again), next(left), next(again)] == [(0,), (1,), (1,)]
    with database.write() as session:
        del left, again
        assert session.run("DELETE FROM trial") == 2500
    with database.read() as session:
        assert list(session.each(sql, (0,))) == []


def test_a_closed_database_raises_an_error(database: Database) -> None:
    with pytest.raises(StoreError, match=r"during a write\(\)"), database.write():
        database.close()
    with database.read() as session:
        database.close()
        assert words(session) == [], "a reader finishes what it began"
    for begin in (database.read, database.write):
        with pytest.raises(StoreError, match="closed"), begin():
            pass
    database.close()


def test_readers_reuse_idle_connections(database: Database) -> None:
    for _ in range(20):
        assert seen(database) == []
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda _: seen(database), range(40)))
    assert 1 <= len(database._idle) <= 5


def test_a_joined_write_is_part_of_the_transaction_that_it_is_in(database: Database) -> None:
    with database.joined_write() as session:
        session.insert("trial", ["number"], [(1,)])
    with database.write() as outer, database.joined_write() as session:
        assert session is outer
    with pytest.raises(StoreError, match="an earlier statement of this transaction failed"), database.write() as outer:
        outer.insert("trial", ["number"], [(2,)])
        with suppress(StoreError), database.joined_write() as session:
            session.run("SELECT nothing FROM nowhere")
    with database.read() as session:
        assert session.rows("SELECT number FROM trial") == [(1,)]
