"""Training exercises before the work: items whose correct answer is shown after the assessor has answered."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from random import Random

from samestory.database import Session
from samestory.lab.collection.answers import Shape, check_answer, swap_sides
from samestory.lab.collection.collection import Collection, NewItem, add_items, check_article_ids, item_key

#: Length of the explanation of an answer.
MAX_WHY_CHARS = 2000


@dataclass(frozen=True, slots=True)
class ExerciseScore:
    """Exercise score of an assessor by the first answers; later ones are given with knowledge of the correct one."""

    done: int
    right: int
    all: int


def exercise(
    collection: Collection,
    answers: Mapping[tuple[str, ...], str],
    dry: bool = False,
    why: Mapping[tuple[str, ...], str] | None = None,
) -> int:
    """Add exercises: articles with the correct answer and, in `why`, optionally its explanation. Returns their number.

    With `dry`, only validates them.
    """
    check_article_ids(collection, (id for articles in answers for id in articles))
    wanted = []
    for articles, answer in answers.items():
        known = answer
        if collection.shape is Shape.PAIR and tuple(sorted(articles)) != tuple(articles):
            known = swap_sides(answer)  # the pair is stored in the order of its ids
        correct = check_answer(collection.shape, collection.relation, articles, known)
        wanted.append(
            NewItem(articles, known=correct, why=(why or {}).get(articles, "")[:MAX_WHY_CHARS].strip() or None)
        )
    if dry:
        return len(wanted)
    with collection.database.write() as session:
        add_items(session, collection.shape, wanted, role="exercise")
        # a repeated exercise replaces the old answer, which may have been wrong
        for each in wanted:
            session.run(
                "UPDATE items SET known = ?, why = ? WHERE key = ?",
                (each.known, each.why, item_key(collection.shape, "exercise", each)),
            )
        return int((session.one("SELECT count(*) FROM items WHERE role = 'exercise'") or (0,))[0])


def assign_exercises(session: Session, assessor: int, seed: int) -> None:
    """Assign all new exercises to an assessor, at places before all other tasks."""
    rows = session.rows(
        "SELECT number FROM items WHERE role = 'exercise' AND number NOT IN"
        " (SELECT item FROM tasks WHERE assessor = ? AND duty = 'exercise') ORDER BY number",
        (assessor,),
    )
    if not rows:
        return
    first = (session.one("SELECT coalesce(min(place), 1) FROM tasks WHERE assessor = ?", (assessor,)) or (1,))[0]
    random = Random(f"{seed} {assessor}")
    session.insert(
        "tasks",
        ("assessor", "item", "duty", "place", "turned", "state"),
        [
            (assessor, item, "exercise", first - len(rows) + at, random.randrange(2), "open")
            for at, (item,) in enumerate(rows)
        ],
    )


#: SQL: exercises of assessors, each with its first answer.
_FIRST = (
    "FROM tasks t JOIN items i ON i.number = t.item LEFT JOIN judgements j ON j.number ="
    " (SELECT min(f.number) FROM judgements f WHERE f.task = t.number AND f.answer IS NOT NULL)"
    " WHERE t.duty = 'exercise'"
)


def first_answers(session: Session, assessor: int) -> dict[int, str]:
    """Return the first answers of an assessor to the exercises, by place."""
    rows = session.rows(f"SELECT t.place, j.answer {_FIRST} AND t.assessor = ? AND j.answer IS NOT NULL", (assessor,))
    return dict(rows)


def exercise_scores(session: Session) -> dict[int, ExerciseScore]:
    """Return the exercise scores by assessor number."""
    rows = session.rows(
        "SELECT t.assessor, sum(CASE WHEN j.answer IS NULL THEN 0 ELSE 1 END),"
        f" sum(CASE WHEN j.answer = i.known THEN 1 ELSE 0 END), count(*) {_FIRST} GROUP BY t.assessor"
    )
    return {assessor: ExerciseScore(done, right, total) for assessor, done, right, total in rows}
