"""Damage in the database is found and named, never a panic or a traceback; what follows from the texts is repaired."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

import pytest

from samestory.archive import Archive
from samestory.archive.check import check
from samestory.archive.state import ArchiveState
from samestory.database import Database, connect
from samestory.errors import SamestoryError, StoreError
from tests.archive.news import item, news, story
from tests.conftest import Runner


def content(database: Database) -> dict[str, list[Any]]:
    """Return the rows that follow from the texts."""
    with database.read() as session:
        return {
            "articles": session.rows("SELECT id, at, day, words, likeness, story FROM articles ORDER BY id"),
            "entries": session.rows("SELECT detector, id, published, source, signature FROM entries ORDER BY 1, 2"),
            "relations": session.rows(
                "SELECT left_number, right_number, kind, forward, score FROM relations ORDER BY 1, 2"
            ),
        }


@pytest.fixture
def filled(place: str) -> str:
    """An archive of forty articles, without damage."""
    with Archive.open(place) as archive:
        archive.add([each if at % 7 else {**each, "published": None} for at, each in enumerate(news(3, 40))])
        archive.decide("s3-1", "s3-2", "apart")
    return place


def consistent(archive: Archive) -> bool:
    """Whether a state that is built from the tables has the stored stories."""
    with archive.database.read() as session:
        state = ArchiveState(archive.database, archive.detectors, archive.window)
        state.load(session)
        written = dict(session.rows("SELECT id, story FROM articles"))
        state.groups.load(session, written)
    return {id: number for number, members in state.groups.groups for id in members} == written


def run(place: str, *statements: str) -> None:
    """Run statements in a database."""
    with connect(place) as database, database.write() as session:
        for statement in statements:
            session.run(statement)


def of_one(kind: str, text: str) -> str:
    """Return an SQL value of bytes."""
    return f"'\\x{text}'" if kind == "postgres" else f"X'{text}'"


def test_a_sound_archive_has_no_damage(filled: str) -> None:
    for repair in (False, True):
        report = check(filled, repair)
        assert (report.damages, report.articles, report.is_sound) == ([], 40, True)
    with Archive.open(filled) as archive:
        archive.add([{**item("s3-1", story(77)), "source": "Post"}])  # a revision
        archive.remove(["s3-4"])
        archive.rebuild(["minhash", "event"])
    assert check(filled).damages == []


def test_an_archive_with_calibrated_detectors_and_one_as_it_is_have_no_damage(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("samestory.archive.calibration.CALIBRATION_MINIMUM", 20)
    with Archive.open(tmp_path / "a.db") as archive:
        for at in range(0, 60, 10):
            archive.add(news(4, 60)[at : at + 10])
        assert any(each.is_calibrated for each in archive.detectors)
    assert check(str(tmp_path / "a.db")).damages == []
    with Archive.open(tmp_path / "b.db", as_is=True) as archive:
        archive.add([item("a", "Caf\u00c3\u00a9 &amp; bar: " + story(1)), item("b", story(1))])
    assert check(str(tmp_path / "b.db")).damages == []


@pytest.mark.parametrize("signature", ["", "00", "ffffffff", "0100000001", "ffffff7f00000000ffffffff", "ff" * 400])
@pytest.mark.parametrize("detector", ["0", "1"])
def test_a_damaged_signature_is_named_and_signed_again(place: str, signature: str, detector: str) -> None:
    with Archive.open(place) as archive:
        archive.add(news(3, 12))
        before, kind = content(archive.database), archive.database.kind
    run(
        place,
        f"UPDATE entries SET signature = {of_one(kind, signature)} WHERE detector = '{detector}' AND id = 's3-5'",
    )
    with Archive.open(place) as archive:
        try:
            archive.add([item("new", story(50))])
            archive.remove(["new"])
        except StoreError as error:
            assert "'s3-5'" in error.detail and "check --repair" in error.hint and error.place == archive.database.name
        else:
            # zeros are the signature of an article without words; only its text contradicts it
            assert signature == ""
    report = check(place)
    assert [(each.count, each.examples, each.repaired) for each in report.damages] == [(1, ("s3-5",), False)]
    assert "damaged signature of" in str(report.damages[0])
    assert check(place, repair=True).is_sound
    assert check(place).damages == []
    with Archive.open(place) as archive:
        assert content(archive.database) == before
        archive.add([item("newer", story(51))])


def test_flipped_bits_in_signatures_never_panic_and_are_all_repaired(filled: str) -> None:
    random = Random(8)
    with connect(filled) as database:
        before = content(database)
        for _ in range(25):
            with database.write() as session:
                rows = session.rows("SELECT number, signature FROM entries ORDER BY number")
                number, signature = random.choice(rows)
                changed = bytearray(signature)
                changed[random.randrange(len(changed))] ^= 1 << random.randrange(8)
                session.run("UPDATE entries SET signature = ? WHERE number = ?", (bytes(changed), number))
            with Archive.open(filled) as archive:
                try:
                    archive.query([item("q", story(3001)), item("r", before["articles"][0][0] * 20)])
                except StoreError as error:
                    assert "is damaged" in error.detail
    report = check(filled, repair=True)
    assert report.damages and report.is_sound
    with connect(filled) as database:
        assert content(database) == before


def test_a_long_running_process_reads_repaired_articles_again(filled: str) -> None:
    with Archive.open(filled) as archive:
        assert archive.query(story(3001)) is not None
        run(filled, "DELETE FROM entries WHERE id = 's3-5'")
        assert check(filled, repair=True).is_sound
        text = archive.articles(["s3-5"])["s3-5"].article.text
        assert "s3-5" in {relation.right for relation in archive.query(text)}
        assert consistent(archive)


@pytest.mark.parametrize(
    ("statement", "what"),
    [
        ("UPDATE articles SET at = 9000000000000000000 WHERE id = 's3-5'", "damaged date"),
        ("UPDATE articles SET at = NULL, day = 3 WHERE id = 's3-5'", "damaged date"),
        ("UPDATE articles SET arrived = 9000000000000000000 WHERE id = 's3-5'", "damaged time of arrival"),
        ("UPDATE articles SET likeness = 5 WHERE id = 's3-5'", "damaged count or hash of the words"),
        ("UPDATE entries SET published = 1 WHERE id = 's3-5'", "damaged signature"),
        ("DELETE FROM entries WHERE id = 's3-5' AND detector = '1'", "damaged signature"),
        ("UPDATE entries SET id = 'gone' WHERE id = 's3-5' AND detector = '0'", "signature without an article"),
        (
            "INSERT INTO relations (left_number, right_number, kind, forward, backward, detector, score)"
            " VALUES (1, 5000, 'NEAR', 1, 1, 'reuse()', 1)",
            "relation of an article that does not exist",
        ),
        ("UPDATE meta SET value = '3' WHERE name = 'next number'", "count of the archive"),
        ("DELETE FROM meta WHERE name = 'last story'", "count of the archive"),
    ],
)
def test_what_follows_from_the_texts_is_repaired(filled: str, statement: str, what: str) -> None:
    with connect(filled) as database:
        before = content(database)
    run(filled, statement)
    report = check(filled)
    assert what in " ".join(each.what for each in report.damages)
    assert not report.is_sound
    assert check(filled, repair=True).is_sound
    assert check(filled).damages == []
    with connect(filled) as database:
        after = content(database)
        assert after["articles"] == before["articles"] or "arrival" in what
        assert after["entries"] == before["entries"] and after["relations"] == before["relations"]
    with Archive.open(filled) as archive:
        archive.add([item("new", story(60))])
        archive.stats()
        assert consistent(archive)


@pytest.mark.parametrize(
    ("statement", "what"),
    [
        ("DELETE FROM texts WHERE number = (SELECT number FROM articles WHERE id = 's3-5')", "without its text"),
        ("UPDATE texts SET text = 'other words' WHERE number = 6", "text has changed"),
        ("UPDATE articles SET story = NULL WHERE id = 's3-5'", "without a story"),
        ("UPDATE relations SET kind = 'ALIKE'", "impossible kind"),
        ("UPDATE decisions SET decision = 'perhaps'", "decision that is none"),
    ],
)
def test_what_is_lost_is_named(filled: str, statement: str, what: str) -> None:
    run(filled, statement)
    for repair in (False, True):
        report = check(filled, repair)
        assert what in " ".join(each.what for each in report.damages)
        assert not report.is_sound


#: Damage that only SQLite stores: any value in any column.
ANY_VALUES = [
    "UPDATE articles SET at = 'soon' WHERE id = 's3-5'",
    "UPDATE articles SET arrived = 'soon' WHERE id = 's3-5'",
    "UPDATE articles SET day = x'00', likeness = 1.5 WHERE id = 's3-5'",
    "UPDATE articles SET story = 'one' WHERE id = 's3-5'",
    "UPDATE articles SET at = 9000000000000000000",
    "UPDATE texts SET text = CAST(x'41ff42' AS TEXT) WHERE number = 6",
    "UPDATE articles SET id = CAST(x'ff' AS TEXT) WHERE id = 's3-5'",
    "UPDATE entries SET signature = 'text' WHERE id = 's3-5'",
    "UPDATE entries SET source = 'text' WHERE id = 's3-5'",
    "UPDATE entries SET published = 1e300 WHERE id = 's3-5'",
    "UPDATE relations SET score = 'high'",
    "UPDATE relations SET left_number = 777 WHERE left_number = (SELECT min(left_number) FROM relations)",
    "UPDATE changes SET articles = '{'",
    "UPDATE meta SET value = '{' WHERE name = 'detectors'",
    "UPDATE meta SET value = '[\"nonsense()\"]' WHERE name = 'detectors'",
    "UPDATE meta SET value = 'x' WHERE name = 'window'",
    "UPDATE meta SET value = 'x' WHERE name = 'next number'",
    "UPDATE meta SET value = 'x' WHERE name = 'last story'",
    "DELETE FROM meta WHERE name LIKE 'fingerprint%'",
    "UPDATE feeds SET due = 'x'",
]


@pytest.mark.parametrize("statement", ANY_VALUES)
def test_no_value_in_any_column_is_a_traceback(
    samestory: Runner, tmp_path: Path, statement: str, write: Callable[..., Path]
) -> None:
    place = tmp_path / "news.db"
    with Archive.open(place) as archive:
        archive.add(news(3, 40))
        archive.remove(["s3-9"])
    with closing(sqlite3.connect(place)) as connection:
        connection.execute(statement)
        connection.commit()
    draft = write("draft.jsonl", [item("draft", story(3001))])
    for words in (
        ["stats", place],
        ["check", place],
        ["query", place, draft],
        ["check", place, "--repair"],
        ["add", place, draft],
        ["stats", place],
    ):
        done = samestory("index", *words)
        assert done.code in (0, 1), (words, done.err)
        assert "Traceback" not in done.err and "panicked" not in done.err, (words, done.err)


def test_a_damaged_page_of_the_file_is_named(tmp_path: Path, samestory: Runner) -> None:
    place = tmp_path / "news.db"
    with Archive.open(place) as archive:
        archive.add(news(3, 200))
    whole = place.read_bytes()
    random = Random(5)
    for _ in range(12):
        changed = bytearray(whole)
        at = random.randrange(1, len(whole) // 4096) * 4096
        changed[at : at + 8] = random.randbytes(8)
        place.write_bytes(changed)
        done = samestory("index", "check", place)
        assert done.code == 1, done.err
        assert "Traceback" not in done.err
        assert "damaged" in done.out + done.err or "malformed" in done.out + done.err, (done.out, done.err)
        place.write_bytes(whole)
    assert samestory("index", "check", place).code == 0


def test_foreign_triggers_are_named(filled: str, samestory: Runner) -> None:
    if filled.startswith("postgres"):
        run(
            filled,
            "CREATE FUNCTION spy() RETURNS trigger AS 'BEGIN RETURN NEW; END' LANGUAGE plpgsql",
            "CREATE TRIGGER spy BEFORE INSERT ON texts FOR EACH ROW EXECUTE FUNCTION spy()",
        )
    else:
        run(filled, "CREATE TRIGGER spy AFTER INSERT ON texts BEGIN DELETE FROM decisions; END")
    done = samestory("index", "check", filled)
    assert (done.code, "trigger spy" in done.out) == (1, True)


@pytest.mark.parametrize("read_only", [False, True])
def test_a_search_index_with_other_words_than_the_texts_is_named_and_made_again(filled: str, read_only: bool) -> None:
    is_file = not filled.startswith("postgres")
    if is_file:
        # the article keeps its place in the index, and has two words more
        run(
            filled,
            "CREATE TEMP TABLE kept AS SELECT sz FROM words_docsize WHERE id = 7",
            "INSERT INTO words (rowid, title, text) VALUES (7, 'fire', 'historic')",
            "INSERT OR REPLACE INTO words_docsize (id, sz) SELECT 7, sz FROM kept",
        )
    else:
        run(filled, "UPDATE texts SET found = CAST('fire:1' AS tsvector) WHERE number = 7")
    if is_file and read_only:
        Path(filled).chmod(0o400)
    (damage,) = check(filled).damages
    assert "search index" in damage.what and not damage.repaired
    if is_file:
        Path(filled).chmod(0o600)
    assert check(filled, repair=True).is_sound
    assert check(filled).damages == []
    with Archive.open(filled) as archive:
        archive.remove(["s3-6"])
    assert check(filled).damages == []


def test_a_flipped_bit_in_the_words_of_the_search_index_is_named_and_repaired(tmp_path: Path) -> None:
    place, random = tmp_path / "news.db", Random(6)
    with Archive.open(place) as archive:
        archive.add(news(3, 40))
    whole = place.read_bytes()
    with closing(sqlite3.connect(place)) as connection:
        (block,) = connection.execute("SELECT block FROM words_data ORDER BY length(block) DESC LIMIT 1").fetchone()
    start = whole.index(block[:80])
    named = 0
    for _ in range(20):
        changed = bytearray(whole)
        changed[start + random.randrange(80)] ^= 1 << random.randrange(8)
        place.write_bytes(changed)
        report = check(str(place))
        named += bool(report.damages)
        assert all("search index" in each.what or "fault" in each.what for each in report.damages)
        if all(each.repair for each in report.damages):
            assert check(str(place), repair=True).is_sound
            assert check(str(place)).damages == []
    assert named >= 17


def test_the_command_prints_what_it_found_and_repairs_it(filled: str, samestory: Runner) -> None:
    done = samestory("index", "check", filled)
    assert (done.code, done.out) == (0, "")
    assert "40 articles" in done.err and "no damage" in done.err
    run(filled, "DELETE FROM entries WHERE id = 's3-5' AND detector = '0'")
    done = samestory("index", "check", filled)
    assert done.code == 1
    assert done.out == "1 × damaged signature of reuse: s3-5 (can be repaired: signed again)\n"
    done = samestory("index", "check", "--repair", filled)
    assert (done.code, "repaired: signed again" in done.out, "all damage repaired" in done.err) == (0, True, True)
    with pytest.raises(SamestoryError):
        check(f"{filled}-nowhere")
