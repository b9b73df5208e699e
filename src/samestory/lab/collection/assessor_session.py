"""The session of an assessor: the next task, earlier answers, and progress.

It never reveals who else judges, the answers of others, which detector nominated an item, or that an item is a control.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from samestory.database.values import MIN_INT64
from samestory.errors import InputError
from samestory.lab.collection.answers import Shape, check_answer, swap_sides
from samestory.lab.collection.arbitration import after_answer
from samestory.lab.collection.collection import ITEM_COLUMNS, Collection, JudgingItem, item_from_row, now_micros
from samestory.lab.collection.discussion import discussion_notes
from samestory.lab.collection.exercises import assign_exercises, first_answers
from samestory.lab.collection.people import Assessor, sha256_hex
from samestory.lab.collection.progress import Progress, progress
from samestory.model import Article

MAX_COMMENT_CHARS = 2000
#: Longer times are breaks and are not recorded.
MAX_SECONDS_PER_ITEM = 3600.0

_TASK = f"t.number, t.place, t.duty, t.turned, t.state, j.answer, j.comment, j.questionable, {ITEM_COLUMNS}"
_FROM = "tasks t JOIN items i ON i.number = t.item LEFT JOIN judgements j ON j.number = t.judgement"


@dataclass(frozen=True, slots=True)
class Task:
    """An item as one assessor sees it, with the last answer."""

    number: int
    place: int
    """Position among the tasks of this assessor; it addresses no task of another."""
    duty: str
    turned: bool
    """Whether the second article is shown on the left."""
    state: str
    answer: str | None
    comment: str | None
    questionable: bool
    item: JudgingItem

    @property
    def articles(self) -> tuple[str, ...]:
        """The article ids in page order."""
        return self.item.articles[::-1] if self.turned and self.item.shape is Shape.PAIR else self.item.articles

    @property
    def shown_answer(self) -> str | None:
        """The last answer in page order: a is left, b is right."""
        return self._in_page_order(self.answer)

    @property
    def right(self) -> str | None:
        """The correct answer of an answered exercise, in page order."""
        return self._in_page_order(self.item.known) if self.duty == "exercise" and self.answer is not None else None

    def _in_page_order(self, answer: str | None) -> str | None:
        return swap_sides(answer) if answer is not None and self.turned and self.item.shape is Shape.PAIR else answer


@dataclass(frozen=True, slots=True)
class AnswerResult:
    """Outcome of `AssessorSession.answer`; for an exercise with the correct answer."""

    task: Task
    new: bool
    """False if an answer with the same key was stored before."""
    right: str | None = None


class AssessorSession:
    """The tasks of one assessor."""

    def __init__(self, collection: Collection, assessor: Assessor) -> None:
        self.collection, self.assessor = collection, assessor

    @classmethod
    def from_token(cls, collection: Collection, token: str) -> AssessorSession | None:
        """Open the session of the assessor with this token; None if the token is unknown. Assigns new exercises."""
        with collection.database.read() as session:
            row = session.one("SELECT number, name, team FROM assessors WHERE token = ?", (sha256_hex(token),))
            if row is None:
                return None
            fresh = session.one(
                "SELECT 1 FROM items WHERE role = 'exercise' AND number NOT IN"
                " (SELECT item FROM tasks WHERE assessor = ? AND duty = 'exercise') LIMIT 1",
                (row[0],),
            )
        if fresh:
            with collection.database.write() as session:
                assign_exercises(session, row[0], collection.seed)
        return cls(collection, Assessor(*row))

    def next(self, after: int | None = None) -> Task | None:
        """Return the next task; None when all are done.

        Order: exercises, which have the lowest places, then open tasks by week and place, then skipped tasks, starting
        behind the place `after`.
        """
        # three queries that each use an index; a single sorted query would read all remaining tasks on every page. The
        # plus keeps SQLite from using the index on places, after which it would have to sort
        queries = (("open", MIN_INT64), ("skipped", MIN_INT64 if after is None else after), ("skipped", MIN_INT64))
        sql = (
            f"SELECT {_TASK} FROM {_FROM} WHERE t.assessor = ? AND t.state = ? AND +t.place > ?"
            " ORDER BY t.week, t.place LIMIT 1"
        )
        with self.collection.database.read() as session:
            rows = (session.one(sql, (self.assessor.number, *each)) for each in queries)
            row = next((row for row in rows if row is not None), None)
        return None if row is None else _task(row)

    def task(self, place: int) -> Task | None:
        """Return the task at a place; None if it is withdrawn, or is work while exercises are left."""
        found = self.task_of_form(place)
        if found is None or found.state == "withdrawn":
            return None
        if found.duty != "exercise":
            first = self.next()
            if first and first.duty == "exercise":
                return None
        return found

    def task_of_form(self, place: int) -> Task | None:
        """Return the task of a submitted form, whatever has happened since the page was opened.

        Meanwhile exercises may have been added or the task withdrawn; the answer is stored nevertheless.
        """
        with self.collection.database.read() as session:
            row = session.one(
                f"SELECT {_TASK} FROM {_FROM} WHERE t.assessor = ? AND t.place = ?", (self.assessor.number, place)
            )
        return None if row is None else _task(row)

    def neighbours(self, place: int) -> tuple[int | None, int | None]:
        """Return the previous and the next place."""
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

    def answered(self, limit: int, offset: int = 0) -> list[Task]:
        """Return the answered and skipped tasks, ordered by place."""
        sql = f"SELECT {_TASK} FROM {_FROM} WHERE t.assessor = ? AND t.state IN ('done', 'skipped') ORDER BY t.place"
        with self.collection.database.read() as session:
            rows = session.rows(f"{sql} LIMIT {int(limit)} OFFSET {int(offset)}", (self.assessor.number,))
        return [_task(row) for row in rows]

    def articles(self, task: Task) -> list[Article]:
        """Return the articles of a task in page order."""
        known = self.collection.articles(task.articles)
        return [known[id] for id in task.articles]

    def progress(self) -> Progress:
        """Return the progress of this assessor."""
        with self.collection.database.read() as session:
            return progress(session, self.assessor.number)

    def exercise(self) -> list[tuple[Task, str | None]]:
        """Return the answered exercises, each with the first answer in page order."""
        sql = f"SELECT {_TASK} FROM {_FROM} WHERE t.assessor = ? AND t.duty = 'exercise' AND t.state = 'done'"
        with self.collection.database.read() as session:
            first = first_answers(session, self.assessor.number)
            tasks = [_task(row) for row in session.rows(f"{sql} ORDER BY t.place", (self.assessor.number,))]
        return [(task, task._in_page_order(first.get(task.place))) for task in tasks]

    def remarks(self, task: Task) -> list[str]:
        """Return the comments and discussion notes of an item to settle, without their authors."""
        if task.duty != "arbitrate":
            return []
        with self.collection.database.read() as session:
            rows = session.rows(
                "SELECT j.comment FROM tasks t JOIN judgements j ON j.number = t.judgement"
                " WHERE t.item = ? AND t.duty != 'arbitrate' AND j.comment != '' ORDER BY j.comment",
                (task.item.number,),
            )
            notes = discussion_notes(session, task.item.number).get(task.item.number, [])
        return [*(comment for (comment,) in rows), *(f"Discussion: {each.note}" for each in notes if each.note)]

    def answer(
        self,
        place: int,
        answer: Any,
        key: str | None = None,
        comment: str = "",
        questionable: bool = False,
        seconds: float | None = None,
    ) -> AnswerResult:
        """Store an answer to the task at a place, in page order: a is left, b is right. None skips it.

        An earlier answer is replaced and stays in the history. Two answers with one key are stored once. An answer to a
        withdrawn arbitration is stored, and counts if the judges disagree again.
        """
        key = f"{self.assessor.number} {key or secrets.token_urlsafe(12)}"
        with self.collection.database.write() as session:
            task = self.task_of_form(place)
            if task is None:
                raise InputError(f"no task at place {place}")
            item, relation = task.item, self.collection.relation
            right = task._in_page_order(item.known) if task.duty == "exercise" else None
            if session.one("SELECT 1 FROM judgements WHERE key = ?", (key,)):
                return AnswerResult(task, False, right)
            stored = None
            if answer is not None:
                stored = check_answer(item.shape, relation, item.articles, answer)
                stored = task._in_page_order(stored)
            elif task.duty == "exercise":
                raise InputError("exercises cannot be skipped")
            if seconds is not None and not 0 <= seconds <= MAX_SECONDS_PER_ITEM:
                seconds = None
            row = (
                task.number,
                stored,
                comment.strip()[:MAX_COMMENT_CHARS],
                int(questionable),
                seconds,
                now_micros(),
                key,
            )
            session.insert("judgements", ("task", "answer", "comment", "questionable", "seconds", "at", "key"), [row])
            if stored is not None:
                session.run(
                    "UPDATE tasks SET state = 'done', judgement ="
                    " (SELECT number FROM judgements WHERE key = ?) WHERE number = ?",
                    (key, task.number),
                )
                if task.duty in ("judge", "second") and item.role == "work":
                    after_answer(self.collection, session, item, task.state != "done")
            elif task.state in ("open", "skipped"):
                # a comment is shown again with the skipped task
                session.run(
                    "UPDATE tasks SET state = 'skipped', judgement ="
                    " (SELECT number FROM judgements WHERE key = ?) WHERE number = ?",
                    (key, task.number),
                )
        return AnswerResult(task, True, right)

    def history(self, place: int) -> list[Mapping[str, Any]]:
        """Return every answer of this assessor at a place, oldest first."""
        task = self.task(place)
        if task is None:
            return []
        with self.collection.database.read() as session:
            rows = session.rows(
                "SELECT answer, comment, questionable, seconds, at FROM judgements WHERE task = ? ORDER BY number",
                (task.number,),
            )
        names = ("answer", "comment", "questionable", "seconds", "at")
        return [{**dict(zip(names, row, strict=True)), "answer": task._in_page_order(row[0])} for row in rows]


def _task(row: tuple[Any, ...]) -> Task:
    number, place, duty, is_turned, state, answer, comment, questionable, *item = row
    return Task(number, place, duty, bool(is_turned), state, answer, comment, bool(questionable), item_from_row(item))
