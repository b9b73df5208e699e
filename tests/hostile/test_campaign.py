"""The attacks of the campaign that have no other test, at a very small scale; `make campaign` tries them often."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.hostile.campaign import __main__ as campaign
from tests.hostile.campaign import bits, clock, full_disk, kills, writers
from tests.hostile.campaign.archive_targets import ARCHIVE_TARGETS, Add
from tests.hostile.campaign.file_targets import FILE_TARGETS, DecideInFile
from tests.hostile.campaign.places import Places
from tests.hostile.campaign.targets import Target
from tests.hostile.campaign.trial import Budget, Case, Trial
from tests.hostile.disks import CannotMountError


@pytest.fixture
def fresh(places: Callable[[], str], request: pytest.FixtureRequest) -> Places:
    """Places for databases of one kind."""
    return Places(request.node.callspec.params["places"], places, lambda _: None)


@pytest.fixture
def case() -> Iterator[Case]:
    """A case without violations."""
    case = Case("small")
    yield case
    assert case.tried and not case.described


#: Kills of `index add` and of `decide` have tests of their own.
KILLED = tuple(each for each in (*ARCHIVE_TARGETS, *FILE_TARGETS) if each not in (Add, DecideInFile))


@pytest.mark.parametrize("target", KILLED, ids=lambda target: target.name)
def test_a_killed_command_loses_nothing(target: type[Target], fresh: Places, tmp_path: Path, case: Case) -> None:
    if target in FILE_TARGETS and fresh.kind != "sqlite":
        case.tried = 1
        pytest.skip("works on files alone")
    kills.kill_often(target(fresh, tmp_path), 2, case)


def test_parallel_writers_lose_nothing(fresh: Places, tmp_path: Path, case: Case) -> None:
    writers.write_together(fresh, 1, tmp_path, case, seconds=1.0)


@pytest.mark.parametrize("command", full_disk.COMMANDS, ids=lambda command: command.__name__)
def test_a_full_disk_damages_nothing(command: Callable[[full_disk.Disk], None], tmp_path: Path, case: Case) -> None:
    try:
        full_disk.fill_and_run(command, 2, tmp_path, case)
    except CannotMountError as error:
        case.tried = 1
        pytest.skip(f"no file system can be mounted here: {error}")


def test_a_full_disk_under_postgresql_damages_nothing(case: Case) -> None:
    try:
        with full_disk.server_on_small_disk() as (folder, server):
            for command in full_disk.SERVER_COMMANDS:
                full_disk.fill_server_and_run(command, 2, full_disk.ServerDisk(folder, server), case)
    except CannotMountError as error:
        case.tried = 1
        pytest.skip(f"no server on a disk of its own: {error}")


def test_flipped_bits_cause_no_traceback_and_changed_words_are_named(tmp_path: Path, case: Case) -> None:
    bits.flip_often(8, tmp_path, case)


def test_a_clock_that_jumps_on_many_days_loses_nothing(fresh: Places, case: Case) -> None:
    clock.jump_often(fresh, 1, case, days=8)


def test_violations_are_counted_and_described(capsys: pytest.CaptureFixture[str]) -> None:
    trial = Trial(Budget(10, 10, {"page_ms": 5, "recall": 0.9}), 0.01)
    with trial.case("pages") as case:
        case.measures |= {"page_ms": 6.0, "recall": 0.8, "others": 1e9}
        for wrong in (True, False):
            with case.attempt():
                assert not wrong, "an article is lost"
    assert (case.tried, case.violations, trial.times(1000), trial.times(3)) == (2, 3, 10, 1)
    for what, described in zip(("an article is lost", "page_ms", "recall"), case.described, strict=True):
        assert what in described
    with trial.case("broken"):
        raise ValueError("no such thing")
    assert trial.violations[3:] == ["the attack broke off: ValueError: no such thing"]
    assert "3 violations" in capsys.readouterr().err


def test_the_numbers_of_the_promises_are_those_of_the_results(tmp_path: Path) -> None:
    page = ROOT / "docs" / "concepts" / "promises.md"
    copy = tmp_path / page.name
    copy.write_text(page.read_text(encoding="utf-8"), encoding="utf-8")
    campaign.write(copy, campaign.text(list(campaign.record.read(campaign.RESULTS))), campaign.MARK)
    assert copy.read_text(encoding="utf-8") == page.read_text(encoding="utf-8")


def test_every_attack_has_a_budget_and_is_described() -> None:
    names = {path.stem for path in (ROOT / "tests" / "hostile" / "campaign").glob("*.py")}
    assert set(campaign.ATTACKS) == names - {
        "__init__",
        "__main__",
        "trial",
        "places",
        "targets",
        "archive_targets",
        "file_targets",
    }
    assert all(campaign.budget(name).seconds > 0 for name in campaign.ATTACKS)
