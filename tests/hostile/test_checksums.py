"""Every row of an archive has a checksum: changes that nothing else contradicts are found too."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from samestory.archive import Archive, Decision, checksums, subscriptions
from samestory.archive.check import check
from samestory.database import connect
from samestory.feeds import FeedState
from tests.archive.news import item, news, story
from tests.conftest import Runner
from tests.hostile.test_damage import run

#: Articles of two stories.
IDS = ("s3-7", "s3-8", "s3-10", "s3-11")


@pytest.fixture
def filled(place: str) -> str:
    """An archive with rows in every table."""
    with Archive.open(place) as archive:
        given = [{**each, "url": f"https://x.example/{each['id']}", "section": "Sports"} for each in news(3, 40)]
        archive.add([*given, item("old", story(88), day=1), item("bad", " ")], origin="news.jsonl")
        archive.add([item("s3-5", story(77), title="A title")])  # a revision
        archive.decide("s3-1", "s3-2", "apart")
        archive.apply(Decision("join", stories=tuple(sorted({each.story for each in archive.articles(IDS).values()}))))
        archive.expire(datetime(2026, 3, 2, tzinfo=UTC), force=True)
        subscriptions.save(archive, FeedState("https://x.example/feed", "A feed"))
        with archive.database.write() as session:
            checksums.insert(session, "feed_articles", ("id", "feed"), [("s3-7", "https://x.example/feed")])
            checksums.insert(session, "answers", ("key", "at", "status", "body"), [("key", 5, 200, "{}")])
            checksums.insert(session, "sessions", ("id", "until"), [("session", 5)])
    return place


def test_an_archive_in_which_much_has_happened_has_no_damage(filled: str) -> None:
    with connect(filled) as database, database.read() as session:
        for table in checksums.TABLES:
            assert session.one(f"SELECT count(*) FROM {table}") != (0,), table
    report = check(filled)
    assert (report.damages, report.unchecked) == ([], 0)
    with Archive.open(filled) as archive:
        assert archive.restore_expired().new
        archive.remove(["s3-9"])
        archive.decide("s3-1", "s3-2", None)
        archive.rebuild()
        # a clock in the future expires them: the grace period begins when it has gone back
        archive.expire(datetime(2026, 3, 2, tzinfo=UTC), force=True)
        with archive.database.write() as session:
            session.run("UPDATE expired SET expired_at = ?", (2**60,))
            checksums.renew(session, "expired", "expired_at", [2**60])
        archive.expire(datetime(2026, 3, 2, tzinfo=UTC), force=True)
    report = check(filled)
    assert (report.damages, report.unchecked) == ([], 0)


@pytest.mark.parametrize(
    ("statement", "what"),
    [
        ("UPDATE texts SET text = upper(text) WHERE number = 7", "text, title, date or URL"),
        ("UPDATE texts SET text = text || '!' WHERE number = 7", "text, title, date or URL"),
        ("UPDATE texts SET title = title || '!' WHERE number = 7", "text, title, date or URL"),
        ("UPDATE texts SET url = 'https://y.example/' WHERE number = 7", "text, title, date or URL"),
        ("UPDATE texts SET published = '2026-03-09' WHERE number = 7", "text, title, date or URL"),
        ("UPDATE articles SET source = 'Other' WHERE number = 7", "source, language or time of arrival"),
        ("UPDATE articles SET lang = 'de' WHERE number = 7", "source, language or time of arrival"),
        ("UPDATE articles SET arrived = arrived + 1 WHERE number = 7", "source, language or time of arrival"),
        ("UPDATE articles SET revision = 9 WHERE number = 7", "source, language or time of arrival"),
        ("UPDATE metadata SET fields = '{\"section\":\"News\"}' WHERE id = 's3-7'", "table metadata"),
        ("UPDATE relations SET score = score - 0.001", "table relations"),
        ("UPDATE relations SET detector = 'minhash()'", "table relations"),
        ("UPDATE revisions SET text = upper(text)", "table revisions"),
        ("UPDATE revisions SET replaced = replaced + 1", "table revisions"),
        ("UPDATE decisions SET decision = 'same'", "table decisions"),
        ("UPDATE decisions SET decided = 1", "table decisions"),
        ("UPDATE expired SET record = replace(record, '.', '!') WHERE id = 'old'", "table expired"),
        ("UPDATE expired SET expired_at = 1 WHERE id = 'old'", "table expired"),
        ("UPDATE changes SET articles = '[]' WHERE seq = 3", "table changes"),
        ("UPDATE feeds SET etag = 'x'", "table feeds"),
        ("UPDATE feed_articles SET feed = 'https://y.example/feed'", "table feed_articles"),
    ],
)
def test_a_changed_value_is_named_and_not_repaired(filled: str, statement: str, what: str) -> None:
    run(filled, statement)
    for repair in (False, True):
        report = check(filled, repair)
        assert what in " ".join(each.what for each in report.damages)
        assert not report.is_sound
    # nothing that follows from the true value was replaced by what follows from the changed one
    assert all(not each.repaired for each in report.damages)


@pytest.mark.parametrize("table", ["answers", "sessions", "rejects"])
def test_a_changed_row_that_is_not_needed_is_deleted(filled: str, table: str) -> None:
    column = {"answers": "status", "sessions": "until", "rejects": "at"}[table]
    run(filled, f"UPDATE {table} SET {column} = 1")
    assert [each.what for each in check(filled).damages] == [
        f"row of the table {table} that has changed since it was stored"
    ]
    assert check(filled, repair=True).is_sound
    assert check(filled).damages == []


@pytest.mark.parametrize("table", sorted(checksums.TABLES))
def test_a_flipped_bit_in_a_checksum_is_repaired(filled: str, table: str) -> None:
    run(filled, f"UPDATE {table} SET checksum = (checksum | 64) - (checksum & 64)")
    report = check(filled)
    assert {each.what for each in report.damages} == {f"damaged checksum in the table {table}"}
    assert check(filled, repair=True).is_sound
    assert check(filled).damages == []


def test_rows_of_an_older_samestory_get_checksums_by_repair(samestory: Runner, filled: str) -> None:
    for table in checksums.TABLES:
        run(filled, f"UPDATE {table} SET checksum = NULL")
    done = samestory("index", "check", filled)
    assert done.code == 0 and "of an older samestory without a checksum; samestory index check --repair" in done.err
    assert samestory("index", "check", filled, "--repair").code == 0
    assert "without a checksum" not in samestory("index", "check", filled).err
    run(filled, "UPDATE texts SET url = 'https://y.example/' WHERE number = 7")
    assert samestory("index", "check", filled).code == 1


_VALUES = st.one_of(st.none(), st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"])))


@given(st.lists(st.tuples(_VALUES, st.integers(-(2**63), 2**63 - 1), st.floats(allow_nan=False)), max_size=8))
def test_a_checksum_is_the_same_for_what_the_database_returns(
    tmp_path_factory: pytest.TempPathFactory, drawn: list[tuple[str | None, int, float]]
) -> None:
    place = str(tmp_path_factory.mktemp("values") / "news.db")
    columns, relation = checksums.TABLES["changes"].columns, checksums.TABLES["relations"].columns
    with connect(place) as database:
        with database.write() as session:
            checksums.insert(session, "changes", columns, [(n, t or "", n, t, None) for t, n, _ in drawn])
            checksums.insert(
                session,
                "relations",
                relation,
                [(at, n, t or "", score, 1, "", -score) for at, (t, n, score) in enumerate(drawn)],
            )
        with database.read() as session:
            for table in ("changes", "relations"):
                assert list(checksums.changed(session, database.kind, table)) == []


def test_checksums_of_equal_values_are_equal_in_all_databases(filled: str, tmp_path: Path) -> None:
    """A score of 1 is stored as 1.0, and a text as bytes is the same text."""
    assert checksums.checksum(["é", 1, 0.5, None]) == checksums.checksum(["é".encode(), 1.0, 0.5, None])
    assert checksums.checksum(["a", "b"]) != checksums.checksum(["ab", ""])
    assert checksums.checksum([None, "a"]) != checksums.checksum(["a", None])
