"""Overview page for the organiser: progress of all assessors."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from datetime import UTC, datetime
from statistics import median

from samestory.lab.collection import Collection
from samestory.lab.collection.controls import is_correct
from samestory.lab.collection.exercises import ExerciseScore, exercise_scores
from samestory.lab.collection.people import assessors


@dataclass(frozen=True, slots=True)
class AssessorLine:
    """Progress and quality of one assessor."""

    name: str
    team: str | None
    done: int = 0
    all: int = 0
    skipped: int = 0
    questionable: int = 0
    exercises: int = 0
    """Unfinished exercises."""
    trained: ExerciseScore | None = None
    """Exercise score."""
    controls: int = 0
    """Answered controls."""
    missed: int = 0
    """Wrongly answered controls."""
    seconds: float | None = None
    """Median time per judgement."""
    last: datetime | None = None


@dataclass(frozen=True, slots=True)
class Overview:
    """Progress of all assessors."""

    relation: str
    protocol: str
    items: int
    lines: list[AssessorLine]

    @property
    def done(self) -> int:
        """Number of finished tasks."""
        return sum(line.done for line in self.lines)

    @property
    def all(self) -> int:
        """Number of all tasks."""
        return sum(line.all for line in self.lines)


_COUNTS = (
    "SELECT t.assessor, sum(CASE t.state WHEN 'withdrawn' THEN 0 ELSE 1 END),"
    " sum(CASE t.state WHEN 'done' THEN 1 ELSE 0 END),"
    " sum(CASE t.state WHEN 'skipped' THEN 1 ELSE 0 END),"
    " sum(CASE WHEN t.state = 'done' AND j.questionable = 1 THEN 1 ELSE 0 END),"
    " sum(CASE WHEN t.duty = 'exercise' AND t.state != 'done' THEN 1 ELSE 0 END),"
    " max(j.at) FROM tasks t LEFT JOIN judgements j ON j.number = t.judgement GROUP BY t.assessor"
)
_CONTROLS = (
    "SELECT t.assessor, i.known, j.answer FROM items i JOIN tasks t ON t.item = i.number"
    " JOIN judgements j ON j.number = t.judgement WHERE i.role = 'control' AND t.state = 'done'"
)
_SECONDS = (
    "SELECT t.assessor, j.seconds FROM tasks t JOIN judgements j ON j.number = t.judgement WHERE j.seconds IS NOT NULL"
)


def overview(collection: Collection) -> Overview:
    """Return the overview of a collection."""
    with collection.database.read() as session:
        counts = {row[0]: row[1:] for row in session.rows(_COUNTS)}
        took: dict[int, list[float]] = {}
        for assessor, seconds in session.rows(_SECONDS):
            took.setdefault(assessor, []).append(seconds)
        scores = exercise_scores(session)
        right: dict[int, list[bool]] = defaultdict(list)
        for assessor, known, answer in session.rows(_CONTROLS):
            right[assessor].append(is_correct(known, answer))
        lines = []
        for each in assessors(session):
            if each.number not in counts:
                lines.append(AssessorLine(each.name, each.team))
                continue
            every, done, skipped, doubtful, exercises, last = counts[each.number]
            lines.append(
                AssessorLine(
                    each.name,
                    each.team,
                    done,
                    every,
                    skipped,
                    doubtful,
                    exercises,
                    scores.get(each.number),
                    len(right[each.number]),
                    right[each.number].count(False),
                    median(took[each.number]) if each.number in took else None,
                    None if last is None else datetime.fromtimestamp(last / 1e6, UTC),
                )
            )
        items = int((session.one("SELECT count(*) FROM items WHERE role = 'work'") or (0,))[0])
    return Overview(collection.relation, collection.protocol, items, lines)
