"""The exercise that comes before the work: its right answers are known, and told."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from random import Random

from samestory.collection.answers import Shape, checked, turned
from samestory.collection.collection import Collection, Wanted, check_known, key_of, put
from samestory.database import Session

#: Why an answer is right, in at most so many characters.
WHY = 2000


@dataclass(frozen=True, slots=True)
class Score:
    """How somebody did in the exercise, by the first answer to each: later ones are given by who was told."""

    done: int
    right: int
    all: int


def exercise(
    collection: Collection,
    answers: Mapping[tuple[str, ...], str],
    dry: bool = False,
    why: Mapping[tuple[str, ...], str] | None = None,
) -> int:
    """Makes the exercise that comes before the work: articles, with the right answer, and why it is right if somebody
    says so. Gives how many there are.

    With `dry`, only looks whether it could be made.
    """
    check_known(collection, (id for articles in answers for id in articles))
    wanted = []
    for articles, answer in answers.items():
        known = answer
        if collection.shape is Shape.PAIR and tuple(sorted(articles)) != tuple(articles):
            known = turned(answer)  # the same two, in the order of their ids
        right = checked(collection.shape, collection.relation, articles, known)
        wanted.append(Wanted(articles, known=right, why=(why or {}).get(articles, "")[:WHY].strip() or None))
    if dry:
        return len(wanted)
    with collection.database.write() as session:
        put(session, collection.shape, wanted, role="exercise")
        # what is said anew holds: it may mend a slip
        for each in wanted:
            session.run(
                "UPDATE items SET known = ?, why = ? WHERE key = ?",
                (each.known, each.why, key_of(collection.shape, "exercise", each)),
            )
        return int((session.one("SELECT count(*) FROM items WHERE role = 'exercise'") or (0,))[0])


def begin_exercise(session: Session, assessor: int, seed: int) -> None:
    """Gives an assessor the exercises there are, before everything else."""
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


#: The first answer to each exercise that somebody has.
_FIRST = (
    "FROM tasks t JOIN items i ON i.number = t.item LEFT JOIN judgements j ON j.number ="
    " (SELECT min(f.number) FROM judgements f WHERE f.task = t.number AND f.answer IS NOT NULL)"
    " WHERE t.duty = 'exercise'"
)


def first_answers(session: Session, assessor: int) -> dict[int, str]:
    """What somebody answered first, by place."""
    rows = session.rows(f"SELECT t.place, j.answer {_FIRST} AND t.assessor = ? AND j.answer IS NOT NULL", (assessor,))
    return dict(rows)


def scores(session: Session) -> dict[int, Score]:
    """How everybody did who has begun the exercise, by number."""
    rows = session.rows(
        "SELECT t.assessor, sum(CASE WHEN j.answer IS NULL THEN 0 ELSE 1 END),"
        f" sum(CASE WHEN j.answer = i.known THEN 1 ELSE 0 END), count(*) {_FIRST} GROUP BY t.assessor"
    )
    return {who: Score(done, right, every) for who, done, right, every in rows}
