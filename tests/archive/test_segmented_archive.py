"""An archive whose index is in segments on disk has the relations and stories of one with its index in memory."""

from __future__ import annotations

import os
import random
import shutil
import signal
import subprocess
import sys
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from samestory import Kind
from samestory.archive import Archive, segmented_index
from samestory.archive.check import check
from samestory.archive.copy import copy
from samestory.index import segments
from tests.archive.news import item, news, story
from tests.archive.test_archive import relations
from tests.archive.test_live_groups import partition, without_numbers, write
from tests.conftest import ROOT

Places = Callable[[], str]


@pytest.fixture
def tiny(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[[int], None]:
    """Sets the number of articles of which a segment is written; three segments are merged."""
    monkeypatch.setattr(segments, "SEGMENTS_PER_LEVEL", 3)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))

    def set_least(least: int) -> None:
        monkeypatch.setattr(segments, "MIN_ARTICLES", least)
        monkeypatch.setattr(segmented_index, "MIN_ARTICLES", least)

    return set_least


def rows(archive: Archive) -> list[tuple[Any, ...]]:
    with archive.database.read() as session:
        return session.rows("SELECT detector, articles, first, last FROM segments ORDER BY detector, first")


def names(archive: Archive) -> set[str]:
    with archive.database.read() as session:
        return {name for (name,) in session.rows("SELECT name FROM segments")}


def files(archive: Archive) -> list[Path]:
    return sorted(segments.folder_of(archive.database).glob("*.segment"))


def answers(archive: Archive) -> set[tuple[str, str]]:
    """The relations of some texts that share text with stored ones: events depend on the calibration."""
    texts = [*map(story, range(1000, 1004)), *(news(start, 6)[0]["text"] for start in range(0, 60, 6))]
    found = [(text, relation) for text in texts for relation in archive.query(text)]
    return {(text[:20], relation.right) for text, relation in found if relation.kind is not Kind.SAME_EVENT}


@pytest.mark.parametrize("seed", range(2))
def test_relations_and_stories_are_those_of_an_index_in_memory(
    places: Places, tiny: Callable[[int], None], seed: int
) -> None:
    """One archive has its index in memory, one writes segments, one is opened anew for each write."""
    third = places()
    with Archive.open(places()) as memory, Archive.open(places()) as disk:
        Archive.open(third).close()
        generators = [random.Random(seed) for _ in range(3)]
        for step in range(20):
            tiny(10**9)
            wanted = without_numbers(write(memory, generators[0], step))
            tiny(5)
            assert without_numbers(write(disk, generators[1], step)) == wanted
            with Archive.open(third) as opened:
                assert without_numbers(write(opened, generators[2], step)) == wanted
                assert partition(memory) == partition(disk) == partition(opened)
                assert relations(memory) == relations(disk) == relations(opened)
                assert answers(memory) == answers(disk) == answers(opened)
        assert rows(disk) and not rows(memory)
        assert max(articles for _, articles, *_ in rows(disk)) >= 15  # some were merged
    assert check(third).is_sound


def filled(place: str, count: int = 60) -> None:
    with Archive.open(place) as archive:
        for start in range(0, count, 6):
            archive.add(news(start, 6))


def test_missing_and_damaged_segments_are_written_again(place: str, tiny: Callable[[int], None]) -> None:
    tiny(5)
    filled(place)
    with Archive.open(place) as archive:
        wanted = answers(archive)
        used = [path for path in files(archive) if path.stem in names(archive)]
        first, second = used[0], used[-1]
        first.unlink()
        whole = second.read_bytes()
        second.write_bytes(whole[:-100])
    with Archive.open(place) as archive, warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        assert answers(archive) == wanted
        assert [str(second) in str(warning.message) for warning in caught] == [True]
        assert first.exists() and second.exists() and second.stat().st_size == len(whole)
        assert Path(f"{second}.damaged").exists()


def test_damage_that_a_search_comes_upon_is_set_aside(place: str, tiny: Callable[[int], None]) -> None:
    tiny(5)
    filled(place)
    texts = [each["text"] for start in range(0, 60, 6) for each in news(start, 6)]
    with Archive.open(place) as archive:
        wanted = [{relation.right for relation in archive.query(text)} for text in texts]
    for at in (0.3, 0.5, 0.7, 0.9):
        with Archive.open(place) as archive, warnings.catch_warnings():
            warnings.simplefilter("ignore")
            archive.query("Attach the segments.")
            for path in (path for path in files(archive) if path.stem in names(archive)):
                content = bytearray(path.read_bytes())
                content[int(at * len(content))] ^= 64
                path.write_bytes(content)
            assert [{relation.right for relation in archive.query(text)} for text in texts] == wanted
            archive.add([item("new", texts[0], 3)])
            archive.remove(["new"])
        with Archive.open(place) as archive:
            assert [{relation.right for relation in archive.query(text)} for text in texts] == wanted


def test_a_restored_archive_uses_no_segment_of_a_later_state(tmp_path: Path, tiny: Callable[[int], None]) -> None:
    """A segment that was written again lacks the articles removed by then, which a backup still has.

    An archive that was restored beside it found nothing related to them, and the check reported no damage.
    """
    tiny(5)
    place, backup = str(tmp_path / "news.db"), tmp_path / "sunday.backup"
    filled(place)
    with Archive.open(place) as archive:
        archive.backup(backup)
        wanted = answers(archive)
        used = [path for path in files(archive) if path.stem in names(archive)]
        archive.remove([each["id"] for each in news(0, 3)])
    for path in used:
        path.unlink()
    with Archive.open(place) as archive:
        assert answers(archive) != wanted  # they are written again
    for path in list(tmp_path.glob("news.db*")):
        if path.is_file():
            path.unlink()
    Archive.restore(backup, place)
    found = check(place)
    assert not found.is_sound and "damaged segment" in str(found.damages[0])
    with Archive.open(place) as archive, warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        assert answers(archive) == wanted
        assert caught and all("another state of the archive" in str(warning.message) for warning in caught)
    assert check(place).is_sound


def test_a_check_names_damaged_segments_and_repairs_them(place: str, tiny: Callable[[int], None]) -> None:
    tiny(5)
    filled(place)
    with Archive.open(place) as archive:
        wanted = answers(archive)
        damaged = next(path for path in files(archive) if path.stem in names(archive))
    damaged.write_bytes(damaged.read_bytes()[:-1])
    found = check(place)
    assert not found.is_sound and [str(damaged) in str(damage) for damage in found.damages] == [True]
    assert check(place, repair=True).is_sound and check(place).is_sound and not damaged.exists()
    with Archive.open(place) as archive:
        assert answers(archive) == wanted and damaged.exists()


def test_without_a_folder_the_index_is_in_memory(place: str, tiny: Callable[[int], None]) -> None:
    tiny(5)
    filled(place)
    with Archive.open(place) as archive:
        wanted, folder = answers(archive), segments.folder_of(archive.database)
    shutil.rmtree(folder)
    folder.write_text("a file in the place of the folder")
    with Archive.open(place) as archive:
        assert answers(archive) == wanted
        archive.add(news(900, 20))
        wanted = answers(archive)
    folder.unlink()
    with Archive.open(place) as archive:
        assert answers(archive) == wanted and files(archive)


def test_a_copy_of_an_archive_makes_segments_of_its_own(
    places: Places, tmp_path: Path, tiny: Callable[[int], None]
) -> None:
    tiny(5)
    source, target = places(), str(tmp_path / "copy.db")
    filled(source)
    copy(source, target)
    with Archive.open(source) as one, Archive.open(target) as other:
        assert answers(one) == answers(other) and not rows(other)
        assert without_numbers(one.add(news(901, 20)).changes) == without_numbers(other.add(news(901, 20)).changes)
        assert rows(other) and partition(one) == partition(other)


def test_a_rebuild_and_a_calibration_write_new_segments(place: str, tiny: Callable[[int], None]) -> None:
    tiny(5)
    filled(place)
    with Archive.open(place) as archive:
        wanted, before = answers(archive), rows(archive)
        archive.rebuild()
        assert answers(archive) == wanted and rows(archive) != before
        with archive.database.write() as session:
            archive._calibrate(session, archive.detectors)
        assert rows(archive) == []
        archive.add(news(902, 20))
        assert rows(archive) and answers(archive) >= wanted


def test_the_first_segments_are_written_in_parts(
    place: str, tiny: Callable[[int], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    """All articles of an archive were loaded into memory after each calibration, to be written to one segment."""
    tiny(10**9)
    filled(place)
    with Archive.open(place) as archive:
        wanted = answers(archive)
        assert not rows(archive)
    monkeypatch.setattr(segments, "SEGMENTS_PER_LEVEL", 100)
    monkeypatch.setattr(segments, "ENTRIES_PER_FIRST_SEGMENT", 25)
    with Archive.open(place) as archive:
        assert answers(archive) == wanted and not rows(archive)  # a query writes none
    with Archive.open(place) as archive:
        archive.add([item("last", "A sentence that no other article has, about a lighthouse and its keeper.")])
        assert [(detector, articles) for detector, articles, *_ in rows(archive)] == [
            (detector, 25) for detector in "01" for _ in range(2)
        ]
        assert answers(archive) == wanted
    with Archive.open(place) as archive:
        assert answers(archive) == wanted
        archive.decide("s0-1", "s0-2", "apart")
        archive.remove(["s0-3", "s24-1"])
        wanted = answers(archive)
    with Archive.open(place) as archive:
        assert answers(archive) == wanted
    assert check(place).is_sound


def test_segments_of_removed_articles_vanish(place: str, tiny: Callable[[int], None]) -> None:
    """Their ids were kept for ever, and read whenever the archive was opened."""
    tiny(5)
    filled(place)
    with Archive.open(place) as archive:
        archive.remove([f"s{start}-{number}" for start in range(0, 30, 6) for number in range(6)])
        archive.add(news(904, 12))
        with archive.database.read() as session:
            assert session.one("SELECT count(*) FROM removed_entries") == (0,)
        articles = sum(articles for detector, articles, *_ in rows(archive) if detector == "0")
        assert articles <= archive.stats()["articles"] == 60 - 30 + 12
        for each in (each for start in range(30, 60, 6) for each in news(start, 6)):
            assert each["id"] in {end for r in archive.query(each["text"]) for end in (r.left, r.right)}
        archive.remove([id for (id,) in _ids(archive)])
        archive.add(news(905, 12))
        assert sum(articles for detector, articles, *_ in rows(archive) if detector == "0") <= 12
    with Archive.open(place) as archive:
        assert archive.query(news(905, 12)[0]["text"]) and not archive.query(news(30, 6)[0]["text"])


def _ids(archive: Archive) -> list[tuple[str]]:
    with archive.database.read() as session:
        return session.rows("SELECT id FROM articles")


def test_segments_of_old_files_are_deleted(
    place: str, tiny: Callable[[int], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    tiny(5)
    filled(place)
    with Archive.open(place) as archive:
        assert len(files(archive)) > len(rows(archive))  # merged ones: another process may read them
        monkeypatch.setattr(segments, "ORPHAN_SECONDS", -1.0)
        archive.add(news(903, 10))
        assert len(files(archive)) == len(rows(archive))


WRITER = """
import sys
from samestory.archive import Archive, segmented_index
from samestory.index import segments
from tests.archive.news import news
segments.SEGMENTS_PER_LEVEL = 3
segments.MIN_ARTICLES = segmented_index.MIN_ARTICLES = 4
place, first = sys.argv[1], int(sys.argv[2])
with Archive.open(place) as archive:
    for number in range(first, first + 1000):
        archive.add(news(number, 5))
        print(number, flush=True)
"""


def test_nothing_acknowledged_is_lost_when_writers_of_segments_are_killed(place: str, tmp_path: Path) -> None:
    rng, added, first = random.Random(7), [], 0
    environ = {**os.environ, "XDG_CACHE_HOME": str(tmp_path / "cache")}
    Archive.open(place).close()
    for _ in range(8):
        words = [sys.executable, "-c", WRITER, place, str(first)]
        with subprocess.Popen(words, stdout=subprocess.PIPE, cwd=ROOT, env=environ) as writer:
            assert writer.stdout is not None
            for _ in range(rng.randrange(1, 6)):
                added.append(int(writer.stdout.readline()))
            time.sleep(rng.random() * 0.1)
            writer.send_signal(signal.SIGKILL)
            added += [int(line) for line in writer.stdout.read().split(b"\n")[:-1]]
        first = added[-1] + 1
    environment = pytest.MonkeyPatch()
    environment.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    try:
        with Archive.open(place) as archive, warnings.catch_warnings():
            warnings.simplefilter("error")  # no segment is missing or damaged
            for number in added:
                for each in news(number, 5):
                    assert each["id"] in {relation.right for relation in archive.query(each["text"])}
            assert len(rows(archive)) < 2 * len(added)
        assert check(place).is_sound
    finally:
        environment.undo()
