"""Progress of an assessor: in total, in the current week of the plan, and today."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from datetime import datetime

from samestory.database import Session


@dataclass(frozen=True, slots=True)
class PlanWeek:
    """Progress in the current week of the plan: the first week with unfinished tasks."""

    number: int
    done: int
    all: int


@dataclass(frozen=True, slots=True)
class Progress:
    """Numbers of tasks of an assessor."""

    done: int
    all: int
    skipped: int
    exercises: int
    """Unfinished exercises."""
    week: PlanWeek | None = None
    today: int = 0
    """AnswerResult since midnight."""
    a_day: int | None = None
    """The agreed pace, which is not enforced."""


def progress(session: Session, assessor: int) -> Progress:
    """Return the progress of an assessor."""
    counts: Counter[str] = Counter()
    weeks: dict[int, Counter[str]] = defaultdict(Counter)
    rows = session.rows(
        "SELECT week, state, count(*) FROM tasks WHERE assessor = ? AND state != 'withdrawn' GROUP BY state, week",
        (assessor,),
    )
    for week, state, many in rows:
        counts[state] += many
        if week is not None:
            weeks[week][state] += many
    # exercises have places below 1, and cannot be skipped
    left = "SELECT count(*) FROM tasks WHERE assessor = ? AND state = 'open' AND place < 1 AND duty = 'exercise'"
    (exercises,) = session.one(left, (assessor,)) or (0,)
    pace = session.one("SELECT value FROM meta WHERE name = 'a day'")
    begun = (PlanWeek(at, own["done"], own.total()) for at, own in sorted(weeks.items()))
    return Progress(
        counts["done"],
        counts.total(),
        counts["skipped"],
        exercises,
        next((week for week in begun if week.done < week.all), None),
        0 if pace is None else _today(session, assessor),
        None if pace is None else int(pace[0]),
    )


def _today(session: Session, assessor: int) -> int:
    # controls count as well, otherwise they would be recognisable
    midnight = datetime.now().astimezone().replace(hour=0, minute=0, second=0, microsecond=0)
    sql = (
        "SELECT count(DISTINCT j.task) FROM judgements j JOIN tasks t ON t.number = j.task"
        " WHERE j.at >= ? AND j.answer IS NOT NULL AND t.assessor = ? AND t.duty != 'exercise'"
    )
    return int((session.one(sql, (round(midnight.timestamp() * 1e6), assessor)) or (0,))[0])
