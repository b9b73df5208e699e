"""Collections to test with: articles, pairs between them, and people who answer by a rule."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from random import Random

from samestory import Article
from samestory.collection import Collection, Desk, Shape, assign, hire
from samestory.collection.collection import Wanted, note_run, put
from samestory.collection.desk import Task

#: What somebody answers to what lies on the desk; None skips it.
Rule = Callable[[Task], str | None]


def pile(count: int, words: int = 40) -> list[Article]:
    """Articles that have nothing in common."""
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
    """A collection with these pairs to be judged."""
    pairs = list(pairs)
    known = articles or [Article(id, f"Text of {id}.") for id in sorted({id for pair in pairs for id in pair})]
    out = Collection.new(path, relation, "pool", known, seed)
    with out.database.write() as session:
        run = note_run(session, "tester", "tester()", len(pairs))
        put(session, Shape.PAIR, [Wanted(pair, 0.5) for pair in pairs], run)
    return out


def weekly(path: Path, lists: int = 8, a_week: int = 2, **more: int) -> tuple[Collection, dict[str, str]]:
    """Lists for two teams of two, so many a week."""
    collection = Collection.new(path, "near", "queries", pile(40))
    with collection.database.write() as session:
        wanted = [Wanted(tuple(f"a{n + at:04}" for at in range(5)), query=f"q{n}") for n in range(lists)]
        put(session, Shape.LIST, wanted, note_run(session, "search", "first 5", lists))
    tokens = {**hire(collection, ["a1", "a2"], "A"), **hire(collection, ["b1", "b2"], "B")}
    assign(collection, a_week=a_week, controls=0, **more)
    return collection, tokens


def judge(collection: Collection, token: str, rule: Rule, most: int | None = None) -> int:
    """Somebody answers what lies on the desk until it is empty or enough; gives how many answers that were."""
    desk = Desk.of(collection, token)
    assert desk is not None
    done = 0
    while (most is None or done < most) and (task := desk.next()) and task.state == "open":
        desk.answer(task.place, rule(task), seconds=5.0)
        done += 1
    return done


def right_control(task: Task) -> str | None:
    """The answer that nobody can miss."""
    return task.item.known
