"""An archive that cannot be written can be queried and backed up: on a read-only mount, or without permission."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from samestory.archive import Archive
from samestory.errors import InputError, SamestoryError
from tests.archive.news import item, story
from tests.conftest import Runner, Writer
from tests.hostile.disks import CannotMountError, mounted


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    """A folder that `seal` makes read-only: a file system in memory if this is root, who may write everywhere."""
    place = tmp_path / "mount"
    place.mkdir()
    if os.getuid():
        yield place
        place.chmod(0o700)
        return
    try:
        with mounted(place, "64m"):
            yield place
    except CannotMountError as error:
        pytest.skip(f"no file system can be mounted here: {error}")


def seal(folder: Path) -> None:
    """Make a folder read-only."""
    if os.getuid():
        for file in folder.iterdir():
            file.chmod(0o400)
        folder.chmod(0o500)
    else:
        subprocess.run(["mount", "-o", "remount,ro", folder], check=True)


@pytest.fixture
def place(folder: Path) -> Path:
    """An archive that cannot be written."""
    place = folder / "news.db"
    with Archive.open(place) as archive:
        archive.add([item("a", story(1)), item("b", f"{story(1)} More."), item("c", story(2))])
    seal(folder)
    return place


def test_a_read_only_archive_is_queried_and_backed_up(place: Path, tmp_path: Path) -> None:
    with Archive.open(place) as archive:
        assert {relation.right for relation in archive.query(story(1))} == {"a", "b"}
        assert archive.stats()["articles"] == 3
        assert archive.explain("a", "b").relation is not None
        archive.backup(tmp_path / "sunday.backup")
        for write in (lambda: archive.add([item("d", story(4))]), lambda: archive.remove(["a"])):
            with pytest.raises(InputError, match="read-only"):
                write()
        assert archive.stats()["articles"] == 3
    assert [each.name for each in place.parent.iterdir()] == ["news.db"]
    Archive.restore(tmp_path / "sunday.backup", tmp_path / "again.db")
    with Archive.open(tmp_path / "again.db") as archive:
        assert archive.stats()["articles"] == 3
        assert archive.add([item("d", story(4))]).new == ["d"]


def test_the_commands_work_on_a_read_only_archive(
    samestory: Runner, place: Path, tmp_path: Path, write: Writer
) -> None:
    draft = write("draft.jsonl", [item("draft", story(1))])
    done = samestory("index", "query", place, draft)
    assert (done.code, {row["right"] for row in done.rows}) == (0, {"a", "b"}), done.err
    assert samestory("index", "stats", place).code == 0
    assert samestory("index", "check", place).code == 0
    assert samestory("index", "backup", place, tmp_path / "copy").code == 0
    for words in (
        ["add", place, draft],
        ["expire", place, "--older-than", "1d", "--force"],
        ["check", place, "--repair"],
    ):
        done = samestory("index", *words)
        assert (done.code, "read-only" in done.err, "Traceback" in done.err) == (1, True, False), done.err
    assert samestory("index", "restore", tmp_path / "copy", place.parent / "again.db").code == 1


def test_a_backup_on_a_read_only_mount_is_restored(folder: Path, tmp_path: Path) -> None:
    with Archive.open(tmp_path / "news.db") as archive:
        archive.add([item("a", story(1))])
        archive.backup(folder / "sunday.backup")
    seal(folder)
    assert Archive.restore(folder / "sunday.backup", tmp_path / "again.db")["articles"] == 1


def test_a_log_that_cannot_be_read_is_no_silent_loss(folder: Path) -> None:
    # copied while a process had it open: the last articles are in the log
    with Archive.open(folder / "live.db") as archive:
        archive.add([item("a", story(1))])
        archive.add([item("b", story(2))])
        copies = {end: (folder / f"live.db{end}").read_bytes() for end in ("", "-wal")}
    for end, content in copies.items():
        (folder / f"news.db{end}").write_bytes(content)
    seal(folder)
    try:
        with Archive.open(folder / "news.db") as archive:
            assert archive.stats()["articles"] == 2
    except SamestoryError as error:
        assert "with a log beside it" in str(error) and "copy it and news.db-wal" in str(error)


def test_an_archive_that_another_process_writes_is_read_anew(tmp_path: Path) -> None:
    """Without permission to write, a reader still sees what others with permission have written."""
    if not os.getuid():
        pytest.skip("root may write everywhere")
    place = tmp_path / "shared" / "news.db"
    place.parent.mkdir()
    with Archive.open(place) as archive:
        archive.add([item("a", story(1))])
    seal(place.parent)
    with Archive.open(place) as reader:
        assert reader.stats()["articles"] == 1
        place.parent.chmod(0o700)
        place.chmod(0o600)
        with Archive.open(place) as archive:
            archive.add([item("b", story(2))])
        seal(place.parent)
        assert reader.stats()["articles"] == 2
        place.parent.chmod(0o700)
