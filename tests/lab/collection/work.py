"""Test collections: articles, pairs between them, and assessors who answer by a rule."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from random import Random

from samestory import Article
from samestory.lab.collection import AssessorSession, Collection, Shape, assign, hire
from samestory.lab.collection.assessor_session import Task
from samestory.lab.collection.collection import NewItem, add_items, record_run

#: The answer of an assessor to a task; None skips it.
Rule = Callable[[Task], str | None]


def pile(count: int, words: int = 40) -> list[Article]:
    """Create articles that share no words."""
    out = []
    for number in range(count):
        letters = Random(number)
        text = " ".join("".join(letters.choices("abcdefghijkl", k=7)) for _ in range(words))
        out.append(Article(f"a{number:04}", text, f"Headline {number}", "2026-03-02"))
    return out


def made(
    path: Path,
    pairs: Iterable[tuple[str, str]],
    relation: str = "near",
    articles: list[Article] | None = None,
    seed: int = 0,
) -> Collection:
    """Create a collection with these pairs to judge."""
    pairs = list(pairs)
    known = articles or [Article(id, f"Text of {id}.") for id in sorted({id for pair in pairs for id in pair})]
    out = Collection.new(path, relation, "pool", known, seed)
    with out.database.write() as session:
        run = record_run(session, "tester", "tester()", len(pairs))
        add_items(session, Shape.PAIR, [NewItem(pair, 0.5) for pair in pairs], run)
    return out


def weekly(path: Path, lists: int = 8, a_week: int = 2, **more: int) -> tuple[Collection, dict[str, str]]:
    """Create lists for two teams of two, `a_week` per week."""
    collection = Collection.new(path, "near", "queries", pile(40))
    with collection.database.write() as session:
        wanted = [NewItem(tuple(f"a{n + at:04}" for at in range(5)), query=f"q{n}") for n in range(lists)]
        add_items(session, Shape.LIST, wanted, record_run(session, "search", "first 5", lists))
    tokens = {**hire(collection, ["a1", "a2"], "A"), **hire(collection, ["b1", "b2"], "B")}
    assign(collection, a_week=a_week, controls=0, **more)
    return collection, tokens


def judge(collection: Collection, token: str, rule: Rule, most: int | None = None) -> int:
    """Answer the open tasks of an assessor, at most `most`; returns the number of answers."""
    assessor = AssessorSession.from_token(collection, token)
    assert assessor is not None
    done = 0
    while (most is None or done < most) and (task := assessor.next()) and task.state == "open":
        assessor.answer(task.place, rule(task), seconds=5.0)
        done += 1
    return done


def right_control(task: Task) -> str | None:
    """Return the correct answer of a control."""
    return task.item.known
