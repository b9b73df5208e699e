"""The exercise that comes before the work: its right answers are known, and told."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

from samestory.collection.answers import Shape, checked, turned
from samestory.collection.collection import Collection, Wanted, check_known, put
from samestory.database import Session


def exercise(collection: Collection, answers: Mapping[tuple[str, ...], str], dry: bool = False) -> int:
    """Makes the exercise that comes before the work: articles, with the right answer. Gives how many there are.

    With `dry`, only looks whether it could be made.
    """
    check_known(collection, (id for articles in answers for id in articles))
    wanted = []
    for articles, answer in answers.items():
        known = answer
        if collection.shape is Shape.PAIR and tuple(sorted(articles)) != tuple(articles):
            known = turned(answer)  # the same two, in the order of their ids
        wanted.append(Wanted(articles, known=checked(collection.shape, collection.relation, articles, known)))
    if dry:
        return len(wanted)
    with collection.database.write() as session:
        put(session, collection.shape, wanted, role="exercise")
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
