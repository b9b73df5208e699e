"""How far a collection is: what is nominated, given out, judged, disagreed about and settled."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from samestory.collection.answers import Shape
from samestory.collection.arbitration import unsettled
from samestory.collection.collection import Collection
from samestory.collection.exercises import Score, scores
from samestory.collection.export import gold
from samestory.collection.people import assessors
from samestory.collection.sets import Counts, counts
from samestory.collection.talks import Talk, talks, to_talk_over


@dataclass(frozen=True, slots=True)
class Work:
    """How far somebody is, in one week if the work is planned by weeks."""

    assessor: str
    team: str | None
    week: int | None
    duty: str
    done: int
    skipped: int
    all: int


@dataclass(frozen=True, slots=True)
class Status:
    """All of it."""

    relation: str
    protocol: str
    articles: int
    items: int
    groups: int
    given: int
    """Items that somebody has to judge."""
    exercises: int
    controls: int
    runs: tuple[tuple[str, str, int], ...]
    """Who nominated, how it was asked, how many."""
    work: tuple[Work, ...]
    trained: tuple[tuple[str, Score], ...]
    """How everybody did in the exercise."""
    to_talk_over: tuple[int, ...]
    """Items that somebody doubts, or that are marked so."""
    talked_over: tuple[Talk, ...]
    """What came of those that were talked over."""
    decided: int
    undecided: int
    unsettled: int
    """Disagreements that are given to nobody: all who are there have judged the item, or are of its team."""
    contested: int
    """Pairs, or articles of difference sets, about which answers contradict each other; gold says nothing of them."""
    yes: int
    sets: tuple[Counts, ...]
    """What every detector found of every test set of difference judging."""


def status(collection: Collection) -> Status:
    """Looks."""
    final = gold(collection)
    with collection.database.read() as session:

        def count(sql: str) -> int:
            return int((session.one(f"SELECT count(*) FROM {sql}") or (0,))[0])

        runs = session.rows("SELECT name, asked, found FROM runs ORDER BY number")
        work = session.rows(
            "SELECT s.name, s.team, t.week, t.duty,"
            " sum(CASE t.state WHEN 'done' THEN 1 ELSE 0 END), sum(CASE t.state WHEN 'skipped' THEN 1 ELSE 0 END),"
            " sum(CASE t.state WHEN 'withdrawn' THEN 0 ELSE 1 END)"
            " FROM tasks t JOIN assessors s ON s.number = t.assessor GROUP BY 1, 2, 3, 4 ORDER BY s.number, 3, 4"
        )
        trained = scores(session)
        doubted = to_talk_over(session)
        last = (own[-1] for _, own in sorted(talks(session).items()))
        items = count("items WHERE role = 'work'")
        judged = [line for line in final.lines if line.get("judged")]
        sizes = Counter(line.get("cluster") for line in final.lines)
        clustered = sum(sizes[line["cluster"]] > 1 for line in judged)
        return Status(
            collection.relation,
            collection.protocol,
            count("articles WHERE planted = 0"),
            items,
            count("(SELECT DISTINCT part FROM items WHERE part IS NOT NULL)"),
            count("items WHERE role = 'work' AND part IS NOT NULL"),
            count("items WHERE role = 'exercise'"),
            count("items WHERE role = 'control'"),
            tuple(map(tuple, runs)),
            tuple(Work(*row) for row in work),
            tuple((each.name, trained[each.number]) for each in assessors(session) if each.number in trained),
            tuple(doubted),
            tuple(each for each in last if each.state == "done" and each.item not in doubted),
            items - final.left,
            final.left,
            unsettled(collection, session),
            final.contested,
            clustered if collection.shape is Shape.CLUSTER else sum(line.get("label", 0) for line in final.lines),
            tuple(counts(collection)),
        )
