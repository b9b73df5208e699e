"""Restores beside every combination of leftovers, targets and writers: no archive is damaged, and none is mixed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from itertools import product
from pathlib import Path

from samestory.archive import Archive
from samestory.archive.check import check
from samestory.database.files import SIDE_FILES
from samestory.errors import SamestoryError
from tests.hostile.campaign.places import Places, postgres
from tests.hostile.campaign.trial import Budget, Case, Trial
from tests.hostile.test_restore import archive_of, ids, leave, writers

BUDGET = Budget(seconds=240, memory_mb=500)
#: Rounds of all combinations.
ROUNDS = 2
WRITERS = 2

#: What is at the target: nothing, an empty file or database, or an archive of two articles.
TARGETS = ("nothing", "empty", "archive")
RESTORED = {"a1", "a2", "a3"}
THERE = {"a7", "a8"}


def leftovers() -> Iterator[tuple[str, ...]]:
    """Yield every set of files that may lie beside a database."""
    for chosen in product((False, True), repeat=len(SIDE_FILES)):
        yield tuple(end for end, is_chosen in zip(SIDE_FILES, chosen, strict=True) if is_chosen)


@contextmanager
def backup(places: Places, folder: Path) -> Iterator[Path]:
    """A backup of three articles."""
    source, path = places.fresh(), folder / "sunday.backup"
    archive_of(source, 1, 2, 3)
    with Archive.open(source) as archive:
        archive.backup(path)
    yield path
    path.unlink()


def restore_once(path: Path, place: str, there: set[str], is_written: bool, case: Case) -> None:
    """Restore, with or without writers at the target, and check what is there afterwards."""
    with writers(place, WRITERS) if is_written else nullcontext(set[str]()) as acknowledged:
        try:
            Archive.restore(path, place)
            is_restored = True
        except SamestoryError:
            is_restored = False
    case.count("restored" if is_restored else "refused")
    if not is_restored and not there and not acknowledged:
        return
    found = ids(place)
    assert there | acknowledged <= found, "articles of the archive at the target are lost"
    if is_restored:
        assert found >= RESTORED, "a restore that succeeded lacks articles"
        assert not there, "a restore replaced an archive"
    else:
        assert found == there | acknowledged, "a restore that was refused has changed the archive"
    report = check(place)
    assert not report.damages, f"damage: {'; '.join(map(str, report.damages))}"


def try_files(folder: Path, case: Case) -> None:
    """Try all combinations once on files."""
    for number, (ends, target, is_written) in enumerate(product(leftovers(), TARGETS, (False, True))):
        if is_written and ends and target == "archive":
            continue  # an archive whose log was replaced is damaged before anything is restored
        own = folder / str(number)
        own.mkdir()
        place = own / "news.db"
        with case.attempt(), backup_in(own) as path:
            if target == "archive":
                archive_of(place, 7, 8)
            leave(own, ends)
            if target == "empty":
                place.touch()
            before = files_in(own)
            if ends and target == "archive":
                refuse(path, place, case)
            else:
                restore_once(path, str(place), THERE if target == "archive" else set(), is_written, case)
            if ends and not is_written:
                assert files_in(own) == before, "a leftover, or what it lies beside, was changed"


def files_in(folder: Path) -> dict[str, bytes]:
    """Return the contents of the archive at the target, and of what lies beside it."""
    return {each.name: each.read_bytes() for each in folder.glob("news.db*")}


def refuse(path: Path, place: Path, case: Case) -> None:
    """Try to restore where an archive is."""
    try:
        Archive.restore(path, place)
    except SamestoryError:
        case.count("refused")
    else:
        raise AssertionError("a restore replaced an archive")


@contextmanager
def backup_in(folder: Path) -> Iterator[Path]:
    """A backup of three articles in a folder."""

    def place() -> str:
        return str(folder / "source.db")

    with backup(Places("sqlite", place, lambda _: None), folder) as path:
        yield path


def try_postgres(places: Places, folder: Path, case: Case) -> None:
    """Try all combinations once on PostgreSQL, which has no leftovers."""
    with backup(places, folder) as path:
        for target, is_written in product(TARGETS, (False, True)):
            with case.attempt():
                place = places.fresh()
                if target == "archive":
                    archive_of(place, 7, 8)
                elif target == "empty":
                    Archive.open(place).close()
                restore_once(path, place, THERE if target == "archive" else set(), is_written, case)
                places.drop(place)


def run(trial: Trial, folder: Path) -> None:
    """Try all combinations, some times."""
    with trial.case("restore: leftovers, targets and writers, sqlite") as case:
        for round in range(trial.times(ROUNDS)):
            own = folder / f"round {round}"
            own.mkdir()
            try_files(own, case)
    with postgres() as places:
        if places is None:
            trial.skip("restore: targets and writers, postgres", "PostgreSQL is not installed")
            return
        with trial.case("restore: targets and writers, postgres") as case:
            for _ in range(trial.times(ROUNDS)):
                try_postgres(places, folder, case)
