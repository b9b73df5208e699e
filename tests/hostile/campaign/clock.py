"""A clock that jumps: without `--force`, no article is lost that the true clock would keep."""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path
from random import Random

import pytest

from samestory.archive import Archive
from samestory.archive.expiry import GRACE
from samestory.errors import ExpiryError
from tests.archive.news import item, story
from tests.hostile.campaign.places import Places, files, postgres
from tests.hostile.campaign.targets import sound
from tests.hostile.campaign.trial import Budget, Case, Trial
from tests.hostile.campaign.writers import stored_or_expired
from tests.hostile.test_clock import TODAY, Clock

BUDGET = Budget(seconds=300, memory_mb=500)
#: Archives, the days that pass for each, and the articles of a day.
ARCHIVES, DAYS, ARTICLES = 8, 60, 2
KEEP = timedelta(days=30)
#: How far the clock jumps, in days; most days it does not.
JUMPS = (400, 3650, 16, 60, -1, -3, -16, -400, -3650, 100_000)
JUMP_SHARE = 0.3


def jump(clock: Clock, place: str, days: int, random: Random, case: Case) -> None:
    """Let days pass for an archive: articles come, old ones expire, and sometimes the clock is wrong."""
    dates: dict[str, datetime] = {}
    for day in range(days):
        clock.days = day
        with Archive.open(place) as archive:
            new = {f"a{day}-{n}": TODAY + timedelta(days=day) for n in range(ARTICLES)}
            dates |= new
            archive.add(
                [
                    {**item(id, story(day * ARTICLES + n)), "published": at.isoformat()}
                    for n, (id, at) in enumerate(new.items())
                ]
            )
            wrong = random.random() < JUMP_SHARE
            clock.days = day + (random.choice(JUMPS) if wrong else 0)
            try:
                archive.expire(KEEP)
            except ExpiryError:
                case.count("refused")
                assert wrong, "an expiry by the true clock was refused"
            except (OverflowError, ValueError):
                assert abs(clock.days) > 36_000, "an error that does not name the clock"
            clock.days = day
            case.count("jumps", int(wrong))
        kept = TODAY + timedelta(days=day) - KEEP - GRACE
        lost = {id for id, at in dates.items() if at > kept} - stored_or_expired(place)
        assert not lost, f"lost by a clock that is wrong: {sorted(lost)[:5]}"
    with Archive.open(place) as archive:
        archive.restore_expired()
    sound(place)


def jump_often(places: Places, archives: int, case: Case, days: int = DAYS) -> None:
    """Try some archives."""
    with pytest.MonkeyPatch.context() as patch:
        clock = Clock(patch)
        for number in range(archives):
            with case.attempt():
                jump(clock, places.fresh(), days, Random(number), case)


def run(trial: Trial, folder: Path) -> None:
    """Let the clock jump for archives of both kinds."""
    with trial.case("clock jumps, sqlite") as case:
        jump_often(files(folder), trial.times(ARCHIVES), case)
    with postgres() as places:
        if places is None:
            trial.skip("clock jumps, postgres", "PostgreSQL is not installed")
        else:
            with trial.case("clock jumps, postgres") as case:
                jump_often(places, trial.times(ARCHIVES), case)
