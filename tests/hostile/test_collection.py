"""No answer of a collection is lost: copies of the file alone, backups and restores while people judge, damage."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from samestory.errors import InputError, SamestoryError
from samestory.lab.collection import AssessorSession, Collection, assign, hire
from samestory.lab.collection.copies import backup, restore_collection, verify_collection
from tests.conftest import PATIENCE, Runner
from tests.lab.collection.work import made


def answers(path: Path) -> set[str]:
    """Return the keys of the answers in a collection."""
    with Collection.open(path) as collection, collection.database.read() as session:
        return {key for (key,) in session.rows("SELECT key FROM judgements")}


@pytest.fixture
def work(tmp_path: Path) -> tuple[Path, str]:
    """A collection with work for two assessors, and the token of one."""
    with made(tmp_path / "gold.db", [(f"a{n}", f"b{n}") for n in range(15)]) as collection:
        tokens = hire(collection, ["s1", "s2"])
        assign(collection, 2, 2, 0.0)
    return tmp_path / "gold.db", tokens["s1"]


@pytest.fixture
def place(work: tuple[Path, str]) -> Path:
    """The collection."""
    return work[0]


@pytest.fixture
def token(work: tuple[Path, str]) -> str:
    """The token of an assessor."""
    return work[1]


@contextmanager
def judging(place: Path, token: str) -> Iterator[list[str]]:
    """Answer task after task, over and over, until the end of the block; yield the keys of acknowledged answers."""
    done, first, acknowledged = threading.Event(), threading.Event(), list[str]()

    def judge() -> None:
        number = 0
        with Collection.open(place) as collection:
            assessor = AssessorSession.from_token(collection, token)
            assert assessor is not None
            while not done.is_set():
                number += 1
                for task in assessor.answered(100) or [assessor.next()]:
                    assert task is not None
                    assessor.answer(task.place, "yes", key=f"k{number}-{task.place}")
                    acknowledged.append(f"{assessor.assessor.number} k{number}-{task.place}")
                    first.set()

    thread = threading.Thread(target=judge)
    thread.start()
    try:
        assert first.wait(PATIENCE)
        yield acknowledged
    finally:
        done.set()
        thread.join()


def test_a_copy_of_the_file_alone_has_every_acknowledged_answer(place: Path, token: str, tmp_path: Path) -> None:
    with Collection.open(place) as collection, Collection.open(place) as other:
        assessor = AssessorSession.from_token(collection, token)
        assert assessor is not None
        for number in range(12):
            task = assessor.next() or assessor.answered(1)[0]
            if number % 3 == 0:
                # a page that is being read prevents the checkpoint, and makes it when it ends
                with other.database.read() as session:
                    session.rows("SELECT count(*) FROM judgements")
                    assessor.answer(task.place, "yes", key=f"k{number}")
            else:
                assessor.answer(task.place, "yes", key=f"k{number}")
            copy = tmp_path / f"copy {number}.db"
            shutil.copy(place, copy)
            assert len(answers(copy)) == number + 1
            assert verify_collection(copy)[1] == []


def test_backups_while_people_judge_lack_nothing(place: Path, token: str, tmp_path: Path) -> None:
    with judging(place, token) as acknowledged, Collection.open(place) as collection:
        for number in range(5):
            before = set(acknowledged)
            contents = backup(collection, tmp_path / f"{number}.backup")
            restored = restore_collection(tmp_path / f"{number}.backup", tmp_path / f"again {number}.db")
            assert restored == contents
            assert before <= answers(tmp_path / f"again {number}.db")
    assert set(acknowledged) <= answers(place)
    assert verify_collection(place)[1] == []


def test_verifying_changes_nothing(place: Path, tmp_path: Path) -> None:
    with Collection.open(place) as collection:
        backup(collection, tmp_path / "a.backup")
    for path in (place, tmp_path / "a.backup"):
        before = path.read_bytes()
        assert verify_collection(path)[1] == []
        assert path.read_bytes() == before
    assert not list(tmp_path.glob("a.backup-*"))


def test_damaged_and_foreign_backups_are_refused(place: Path, tmp_path: Path) -> None:
    path = tmp_path / "a.backup"
    with Collection.open(place) as collection:
        backup(collection, path)
    whole = path.read_bytes()
    for changed in (whole[:-1], whole[:5000], whole[:3000] + bytes([whole[3000] ^ 1]) + whole[3001:]):
        path.write_bytes(changed)
        with pytest.raises(SamestoryError):
            restore_collection(path, tmp_path / "again.db")
        with pytest.raises(SamestoryError):
            verify_collection(path)
    assert not (tmp_path / "again.db").exists()
    path.write_bytes(whole)
    (tmp_path / "again.db-wal").write_bytes(b"the log of another collection")
    with pytest.raises(InputError, match="log of another database"):
        restore_collection(path, tmp_path / "again.db")
    with pytest.raises(InputError, match="already exists"):
        restore_collection(path, place)


@pytest.mark.parametrize(
    ("statement", "what"),
    [
        ("DELETE FROM items WHERE number = 1", "tasks of items that do not exist"),
        ("DELETE FROM articles WHERE number = 1", "lacks its article"),
        ("DELETE FROM judgements", "tasks of judgements that do not exist"),
        ("UPDATE judgements SET answer = 'perhaps'", "the answer number 1 is damaged"),
        ("UPDATE items SET articles = '{'", "damaged"),
        ("UPDATE tasks SET judgement = NULL WHERE state = 'done'", "without an answer"),
        ("CREATE TRIGGER spy AFTER INSERT ON judgements BEGIN DELETE FROM judgements; END", "trigger spy"),
    ],
)
def test_damage_is_named(place: Path, token: str, statement: str, what: str) -> None:
    with Collection.open(place) as collection:
        assessor = AssessorSession.from_token(collection, token)
        assert assessor is not None
        task = assessor.next()
        assert task is not None
        assessor.answer(task.place, "yes")
        with collection.database.write() as session:
            session.run(statement)
    try:
        faults = verify_collection(place)[1]
    except SamestoryError as error:
        faults = [str(error)]
    assert what in "; ".join(faults)


def test_the_commands(samestory: Runner, place: Path, tmp_path: Path) -> None:
    done = samestory("collection", "backup", place, tmp_path / "a.backup")
    assert (done.code, "2 assessors, 0 answers in" in done.err, "verified" in done.err) == (0, True, True), done.err
    done = samestory("collection", "restore", tmp_path / "a.backup", tmp_path / "again.db")
    assert (done.code, "2 assessors, 0 answers restored to" in done.err) == (0, True), done.err
    assert samestory("collection", "restore", tmp_path / "a.backup", place).code == 1
    done = samestory("collection", "verify", tmp_path / "again.db")
    assert (done.code, done.out, "no damage" in done.err) == (0, "", True)
    with Collection.open(tmp_path / "again.db") as collection, collection.database.write() as session:
        session.run("DELETE FROM assessors WHERE number = 1")
    done = samestory("collection", "verify", tmp_path / "again.db")
    assert (done.code, "tasks of assessors that do not exist" in done.out) == (1, True)
    assert samestory("index", "restore", tmp_path / "a.backup", tmp_path / "news.db").code == 1
