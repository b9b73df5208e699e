"""The desk of an assessor: what comes next, what was answered, and how far the work is.

Nobody sees here who else judges, what others said, which detector nominated an item, or that an item is a control.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from samestory.collection.answers import Shape, checked, turned
from samestory.collection.arbitration import after_answer
from samestory.collection.collection import ITEM, Collection, Item, item_of, now
from samestory.collection.exercises import begin_exercise, first_answers
from samestory.collection.people import Assessor, hashed
from samestory.collection.progress import Progress, progress
from samestory.collection.talks import talks
from samestory.database.values import LEAST
from samestory.errors import InputError
from samestory.model import Article

#: A comment has at most so many characters.
COMMENT = 2000
#: Nobody looks at one item for longer; who does is at lunch, and no time is noted.
LONGEST = 3600.0

_TASK = f"t.number, t.place, t.duty, t.turned, t.state, j.answer, j.comment, j.questionable, {ITEM}"
_FROM = "tasks t JOIN items i ON i.number = t.item LEFT JOIN judgements j ON j.number = t.judgement"


@dataclass(frozen=True, slots=True)
class Task:
    """Something on the desk: an item as this assessor sees it, and what was answered last."""

    number: int
    place: int
    """Where it lies on this desk; nobody else's work can be named by it."""
    duty: str
    turned: bool
    """Whether the second article stands left."""
    state: str
    answer: str | None
    comment: str | None
    questionable: bool
    item: Item

    @property
    def articles(self) -> tuple[str, ...]:
        """The ids as they stand on the page."""
        return self.item.articles[::-1] if self.turned and self.item.shape is Shape.PAIR else self.item.articles

    @property
    def shown_answer(self) -> str | None:
        """The answer as the page has it: a is left, b is right."""
        return self._seen(self.answer)

    @property
    def right(self) -> str | None:
        """Of an exercise that was answered, the right answer as the page has it."""
        return self._seen(self.item.known) if self.duty == "exercise" and self.answer is not None else None

    def _seen(self, answer: str | None) -> str | None:
        return turned(answer) if answer is not None and self.turned and self.item.shape is Shape.PAIR else answer


@dataclass(frozen=True, slots=True)
class Answered:
    """An answer that is kept; of an exercise, which one is right."""

    task: Task
    new: bool
    """False where it was sent before: nothing was kept twice."""
    right: str | None = None


class Desk:
    """What one assessor has to do."""

    def __init__(self, collection: Collection, assessor: Assessor) -> None:
        self.collection, self.assessor = collection, assessor

    @classmethod
    def of(cls, collection: Collection, token: str) -> Desk | None:
        """The desk that a token opens."""
        with collection.database.read() as session:
            row = session.one("SELECT number, name, team FROM assessors WHERE token = ?", (hashed(token),))
            if row is None:
                return None
            fresh = session.one(
                "SELECT 1 FROM items WHERE role = 'exercise' AND number NOT IN"
                " (SELECT item FROM tasks WHERE assessor = ? AND duty = 'exercise') LIMIT 1",
                (row[0],),
            )
        if fresh:
            with collection.database.write() as session:
                begin_exercise(session, row[0], collection.seed)
        return cls(collection, Assessor(*row))

    def next(self, beyond: int | None = None) -> Task | None:
        """What is to be done now; None when all is done.

        Exercises come first, which lie before everything else, then what is open, week by week where there is a plan,
        and what was skipped at the end: of that, what lies beyond a place comes before the rest.
        """
        # three questions that an index answers; one that sorts looks at all that is left, page by page. The plus keeps
        # the database from the index of places, behind which it would sort
        asked = (("open", LEAST), ("skipped", LEAST if beyond is None else beyond), ("skipped", LEAST))
        sql = (
            f"SELECT {_TASK} FROM {_FROM} WHERE t.assessor = ? AND t.state = ? AND +t.place > ?"
            " ORDER BY t.week, t.place LIMIT 1"
        )
        with self.collection.database.read() as session:
            rows = (session.one(sql, (self.assessor.number, *each)) for each in asked)
            row = next((row for row in rows if row is not None), None)
        return None if row is None else _task(row)

    def task(self, place: int) -> Task | None:
        """What lies at a place of this desk. Work waits until the exercises are done."""
        found = self.sent(place)
        if found is None or found.state == "withdrawn":
            return None
        if found.duty != "exercise":
            first = self.next()
            if first and first.duty == "exercise":
                return None
        return found

    def sent(self, place: int) -> Task | None:
        """What an answer is about that comes from a page of this desk, whatever has happened since it was opened.

        Meanwhile an exercise may have come first, or nothing be to be settled any more; nobody loses an answer by that.
        """
        with self.collection.database.read() as session:
            row = session.one(
                f"SELECT {_TASK} FROM {_FROM} WHERE t.assessor = ? AND t.place = ?", (self.assessor.number, place)
            )
        return None if row is None else _task(row)

    def beside(self, place: int) -> tuple[int | None, int | None]:
        """The places before and behind one."""
        with self.collection.database.read() as session:
            found = (
                session.one(
                    f"SELECT {which}(place) FROM tasks WHERE assessor = ? AND state != 'withdrawn' AND place {than} ?",
                    (self.assessor.number, place),
                )
                for which, than in (("max", "<"), ("min", ">"))
            )
            before, behind = (None if row is None else row[0] for row in found)
        return before, behind

    def seen(self, limit: int, offset: int = 0) -> list[Task]:
        """What was answered or skipped, in the order of places."""
        sql = f"SELECT {_TASK} FROM {_FROM} WHERE t.assessor = ? AND t.state IN ('done', 'skipped') ORDER BY t.place"
        with self.collection.database.read() as session:
            rows = session.rows(f"{sql} LIMIT {int(limit)} OFFSET {int(offset)}", (self.assessor.number,))
        return [_task(row) for row in rows]

    def articles(self, task: Task) -> list[Article]:
        """The articles of a task as they stand on the page."""
        known = self.collection.articles(task.articles)
        return [known[id] for id in task.articles]

    def progress(self) -> Progress:
        """How far this assessor is."""
        with self.collection.database.read() as session:
            return progress(session, self.assessor.number)

    def exercise(self) -> list[tuple[Task, str | None]]:
        """The exercises that were answered, each with what was answered first, as the page has it."""
        sql = f"SELECT {_TASK} FROM {_FROM} WHERE t.assessor = ? AND t.duty = 'exercise' AND t.state = 'done'"
        with self.collection.database.read() as session:
            first = first_answers(session, self.assessor.number)
            tasks = [_task(row) for row in session.rows(f"{sql} ORDER BY t.place", (self.assessor.number,))]
        return [(task, task._seen(first.get(task.place))) for task in tasks]

    def remarks(self, task: Task) -> list[str]:
        """What was noted about an item that is to be settled, and what came of talking it over; not who noted it."""
        if task.duty != "arbitrate":
            return []
        with self.collection.database.read() as session:
            rows = session.rows(
                "SELECT j.comment FROM tasks t JOIN judgements j ON j.number = t.judgement"
                " WHERE t.item = ? AND t.duty != 'arbitrate' AND j.comment != '' ORDER BY j.comment",
                (task.item.number,),
            )
            talked = talks(session, task.item.number).get(task.item.number, [])
        return [*(comment for (comment,) in rows), *(f"Talked over: {each.note}" for each in talked if each.note)]

    def answer(
        self,
        place: int,
        answer: Any,
        key: str | None = None,
        comment: str = "",
        questionable: bool = False,
        seconds: float | None = None,
    ) -> Answered:
        """Keeps an answer to what lies at a place, as the page has it: a is left, b is right. None skips it.

        An earlier answer is replaced and stays in the history. What comes twice under one key is kept once. An answer
        to what nobody has to settle any more is kept, and counts if the judges disagree again.
        """
        key = f"{self.assessor.number} {key or secrets.token_urlsafe(12)}"
        with self.collection.database.write() as session:
            task = self.sent(place)
            if task is None:
                raise InputError(f"nothing lies at place {place}")
            item, relation = task.item, self.collection.relation
            right = task._seen(item.known) if task.duty == "exercise" else None
            if session.one("SELECT 1 FROM judgements WHERE key = ?", (key,)):
                return Answered(task, False, right)
            kept = None
            if answer is not None:
                kept = checked(item.shape, relation, item.articles, answer)
                kept = task._seen(kept)
            elif task.duty == "exercise":
                raise InputError("an exercise is not skipped")
            if seconds is not None and not 0 <= seconds <= LONGEST:
                seconds = None
            row = (task.number, kept, comment.strip()[:COMMENT], int(questionable), seconds, now(), key)
            session.insert("judgements", ("task", "answer", "comment", "questionable", "seconds", "at", "key"), [row])
            if kept is not None:
                session.run(
                    "UPDATE tasks SET state = 'done', judgement ="
                    " (SELECT number FROM judgements WHERE key = ?) WHERE number = ?",
                    (key, task.number),
                )
                if task.duty in ("judge", "second") and item.role == "work":
                    after_answer(self.collection, session, item, task.state != "done")
            elif task.state in ("open", "skipped"):
                # what was noted on the way stands there when it comes again
                session.run(
                    "UPDATE tasks SET state = 'skipped', judgement ="
                    " (SELECT number FROM judgements WHERE key = ?) WHERE number = ?",
                    (key, task.number),
                )
        return Answered(task, True, right)

    def history(self, place: int) -> list[Mapping[str, Any]]:
        """Every answer that this assessor gave at a place, the oldest first."""
        task = self.task(place)
        if task is None:
            return []
        with self.collection.database.read() as session:
            rows = session.rows(
                "SELECT answer, comment, questionable, seconds, at FROM judgements WHERE task = ? ORDER BY number",
                (task.number,),
            )
        names = ("answer", "comment", "questionable", "seconds", "at")
        return [{**dict(zip(names, row, strict=True)), "answer": task._seen(row[0])} for row in rows]


def _task(row: tuple[Any, ...]) -> Task:
    number, place, duty, is_turned, state, answer, comment, questionable, *item = row
    return Task(number, place, duty, bool(is_turned), state, answer, comment, bool(questionable), item_of(item))
