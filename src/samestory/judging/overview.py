"""How far a collection is, for whoever runs it."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from datetime import UTC, datetime
from statistics import median

from samestory.collection import Collection
from samestory.collection.controls import is_right
from samestory.collection.exercises import Score, scores
from samestory.collection.people import assessors


@dataclass(frozen=True, slots=True)
class Line:
    """How far one assessor is."""

    name: str
    team: str | None
    done: int = 0
    all: int = 0
    skipped: int = 0
    questionable: int = 0
    exercises: int = 0
    """That are still to be done."""
    trained: Score | None = None
    """How the exercise went."""
    controls: int = 0
    """That were answered."""
    missed: int = 0
    """Of those."""
    seconds: float | None = None
    """The median of what a judgement took."""
    last: datetime | None = None


@dataclass(frozen=True, slots=True)
class Overview:
    """How far everybody is."""

    relation: str
    protocol: str
    items: int
    lines: list[Line]

    @property
    def done(self) -> int:
        """Tasks that are done."""
        return sum(line.done for line in self.lines)

    @property
    def all(self) -> int:
        """All tasks."""
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
    """How far everybody is."""
    with collection.database.read() as session:
        counts = {row[0]: row[1:] for row in session.rows(_COUNTS)}
        took: dict[int, list[float]] = {}
        for who, seconds in session.rows(_SECONDS):
            took.setdefault(who, []).append(seconds)
        trained = scores(session)
        right: dict[int, list[bool]] = defaultdict(list)
        for who, known, answer in session.rows(_CONTROLS):
            right[who].append(is_right(known, answer))
        lines = []
        for each in assessors(session):
            if each.number not in counts:
                lines.append(Line(each.name, each.team))
                continue
            every, done, skipped, doubtful, exercises, last = counts[each.number]
            lines.append(
                Line(
                    each.name,
                    each.team,
                    done,
                    every,
                    skipped,
                    doubtful,
                    exercises,
                    trained.get(each.number),
                    len(right[each.number]),
                    right[each.number].count(False),
                    median(took[each.number]) if each.number in took else None,
                    None if last is None else datetime.fromtimestamp(last / 1e6, UTC),
                )
            )
        items = int((session.one("SELECT count(*) FROM items WHERE role = 'work'") or (0,))[0])
    return Overview(collection.relation, collection.protocol, items, lines)
