"""Values round-trip in both databases; values that one of them cannot store are refused by both."""

from __future__ import annotations

import math
from enum import StrEnum
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from samestory.database import Database, connect, storable
from samestory.errors import InputError, SamestoryError
from tests.server import Server

TEXTS = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]))
ROWS = st.lists(
    st.tuples(
        st.none() | st.integers(-(2**63), 2**63 - 1),
        st.none() | st.floats(allow_nan=False),
        st.none() | TEXTS,
        st.none() | st.binary(),
    ),
    max_size=20,
)
COLUMNS = ["number", "share", "word", "data"]


@pytest.fixture
def table(database: Database) -> Database:
    """A database with a table of every kind of value."""
    kind = {"sqlite": "BLOB", "postgres": "BYTEA"}[database.kind]
    with database.write() as session:
        session.run(f"ALTER TABLE trial ADD COLUMN data {kind}")
        session.run("ALTER TABLE trial ADD COLUMN place BIGINT")
    return database


def same(left: Any, right: Any) -> bool:
    return type(left) is type(right) and left == right


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(ROWS)
def test_values_round_trip(table: Database, rows: list[tuple[Any, ...]]) -> None:
    numbered = [(*row, place) for place, row in enumerate(rows)]
    columns = [*COLUMNS, "place"]
    for way in ("insert", "many", "run"):
        with table.write() as session:
            if way == "insert":
                assert session.insert("trial", columns, iter(numbered)) == len(rows)
            sql = f"INSERT INTO trial ({', '.join(columns)}) VALUES (?, ?, ?, ?, ?)"
            if way == "many":
                assert session.many(sql, numbered) == len(rows)
            if way == "run":
                assert all(session.run(sql, row) == 1 for row in numbered)
        with table.read() as session:
            found = session.rows(f"SELECT {', '.join(COLUMNS)} FROM trial ORDER BY place")
        assert len(found) == len(rows)
        assert all(
            same(a, b) for left, right in zip(found, rows, strict=True) for a, b in zip(left, right, strict=True)
        )
        with table.write() as session:
            session.run("DELETE FROM trial")


@pytest.mark.parametrize(
    "value",
    ["a\0b", 2**63, -(2**63) - 1, math.nan, "\ud800", {"a": 1}, ["a"], np.uint64(2**64 - 1)],
    ids=repr,
)
def test_unstorable_values_are_refused_by_both(table: Database, value: object) -> None:
    for way in ("insert", "many", "run", "rows"):
        with pytest.raises(InputError), table.write() as session:
            if way == "insert":
                session.insert("trial", ["word"], [(value,)])
            elif way == "many":
                session.many("INSERT INTO trial (word) VALUES (?)", [(value,)])
            elif way == "run":
                session.run("INSERT INTO trial (word) VALUES (?)", (value,))
            else:
                session.rows("SELECT number FROM trial WHERE word = ?", (value,))
    with table.read() as session:
        assert session.one("SELECT count(*) FROM trial") == (0,)


def test_a_text_can_be_made_storable() -> None:
    assert storable("a\0\0b") == "a\ufffd\ufffdb"
    assert storable("çağ") == "çağ"


def test_values_of_other_libraries_are_converted(table: Database) -> None:
    class Word(StrEnum):
        SAME = "same"

    row = (np.int64(-5), np.float32(0.5), Word.SAME, memoryview(b"\0\xff"))
    with table.write() as session:
        session.insert("trial", COLUMNS, [row])
        session.run("INSERT INTO trial (number, share, word, data) VALUES (?, ?, ?, ?)", row)
        session.insert("trial", COLUMNS, [(True, 3.0, "", bytearray())])
    with table.read() as session:
        assert (
            session.rows(f"SELECT {', '.join(COLUMNS)} FROM trial WHERE word = ?", (Word.SAME,))
            == [(-5, 0.5, "same", b"\0\xff")] * 2
        )
        assert session.one("SELECT number, share, word, data FROM trial WHERE number = 1") == (1, 3.0, "", b"")


def test_computed_numbers_equal_those_of_python(table: Database) -> None:
    with table.write() as session:
        session.insert("trial", ["number"], [(2**40,), (2**41,), (1,)])
    with table.read() as session:
        total, least, count = session.one("SELECT sum(number), min(number), count(*) FROM trial") or ()
        assert (total, least, count) == (2**40 + 2**41 + 1, 1, 3)
        assert all(type(value) is int for value in (total, least, count))
        (mean,) = session.one("SELECT avg(number) FROM trial WHERE number > ?", (1,)) or ()
        assert mean == 3 * 2**39
        # small values do not limit the sum to a small type
        assert session.one("SELECT max(number) FROM trial WHERE number < ? + ?", (32767, 2**42)) == (2**41,)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=15)
@given(st.sets(st.integers(0, 3000)), st.integers(0, 3000), st.integers(0, 3000), st.sampled_from([0, 499, 500, 1001]))
def test_rows_among_covers_all_values(table: Database, wanted: set[int], least: int, most: int, more: int) -> None:
    wanted |= set(range(10_000, 10_000 + more))
    with table.write() as session:
        if session.one("SELECT 1 FROM trial LIMIT 1") is None:
            session.insert("trial", ["number"], [(number,) for number in range(3000)])
    sql = "SELECT number FROM trial WHERE number >= ? AND number IN ({}) AND number <= ?"
    with table.read() as session:
        found = session.rows_among(sql, iter(wanted), (least, most))
    assert sorted(number for (number,) in found) == [n for n in sorted(wanted) if least <= n <= most and n < 3000]


def test_run_among_counts_all_affected_rows(table: Database) -> None:
    with table.write() as session:
        session.insert("trial", ["number"], [(number,) for number in range(3000)])
        assert session.run_among("DELETE FROM trial WHERE number IN ({})", range(500, 5000)) == 2500
        assert session.run_among("DELETE FROM trial WHERE number IN ({})", []) == 0
        assert session.one("SELECT count(*) FROM trial") == (500,)


def test_placeholders_and_percent_signs_in_values_are_kept(table: Database) -> None:
    with table.write() as session:
        session.insert("trial", ["word"], [("100% ? \\N \\. \t\n\r",)])
    with table.read() as session:
        assert session.rows("SELECT word FROM trial WHERE word LIKE ?", ("100%",)) == [("100% ? \\N \\. \t\n\r",)]
        assert session.rows("SELECT 7 % 4") == [(3,)]


@given(st.lists(TEXTS, max_size=30, unique=True))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_ids_are_sorted_by_code_points(database: Database, ids: list[str]) -> None:
    check_order(database, ids)


def check_order(database: Database, ids: list[str]) -> None:
    with database.write() as session:
        session.run("DELETE FROM decisions")
        session.insert("decisions", ["left_id", "right_id", "decision", "decided"], [(i, "", "same", 0) for i in ids])
    with database.read() as session:
        assert [i for (i,) in session.rows("SELECT left_id FROM decisions ORDER BY left_id")] == sorted(ids)


def test_a_server_that_sorts_in_turkish_sorts_ids_like_all_others(postgres: Server) -> None:
    place = postgres.fresh("TEMPLATE template0 LOCALE_PROVIDER icu ICU_LOCALE 'tr-TR'")
    try:
        with connect(place) as database:
            check_order(database, ["ı", "I", "i", "İ", "a", "B", "b", "A", "ç", "c", "C", "Ç", "-a", "_", "a b", "ab"])
    finally:
        postgres.drop(place)


def test_a_server_without_unicode_is_refused(postgres: Server) -> None:
    place = postgres.fresh("TEMPLATE template0 ENCODING LATIN1 LOCALE 'C'")
    try:
        with pytest.raises(SamestoryError, match="LATIN1"):
            connect(place)
    finally:
        postgres.drop(place)
