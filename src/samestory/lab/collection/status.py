"""Status of a collection: numbers of nominated, assigned, judged, contested and settled items."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from samestory.lab.collection.answers import Shape
from samestory.lab.collection.arbitration import unsettled
from samestory.lab.collection.collection import Collection
from samestory.lab.collection.discussion import DiscussionNote, discussion_notes, items_to_discuss
from samestory.lab.collection.exercises import ExerciseScore, exercise_scores
from samestory.lab.collection.export import gold
from samestory.lab.collection.people import assessors
from samestory.lab.collection.sets import DetectorCounts, count_by_detector


@dataclass(frozen=True, slots=True)
class AssessorWork:
    """Tasks of an assessor by duty, and by week if the work is planned in weeks."""

    assessor: str
    team: str | None
    week: int | None
    duty: str
    done: int
    skipped: int
    all: int


@dataclass(frozen=True, slots=True)
class CollectionStatus:
    """Status of a collection; `samestory collection status --json` prints these fields."""

    relation: str
    protocol: str
    articles: int
    items: int
    groups: int
    given: int
    """Assigned items."""
    exercises: int
    controls: int
    runs: tuple[tuple[str, str, int], ...]
    """Nomination runs: detector, configuration, number of pairs."""
    work: tuple[AssessorWork, ...]
    trained: tuple[tuple[str, ExerciseScore], ...]
    """Exercise scores by assessor."""
    to_talk_over: tuple[int, ...]
    """Items to be discussed: marked as questionable, or noted as such."""
    talked_over: tuple[DiscussionNote, ...]
    """The last notes of discussed items."""
    decided: int
    undecided: int
    unsettled: int
    """Disagreements without an arbiter: all assessors have judged the item or belong to its team."""
    contested: int
    """Pairs, or articles of difference sets, with contradicting answers; they are left out of the gold."""
    yes: int
    sets: tuple[DetectorCounts, ...]
    """Contingency table of every detector on every test set of difference judging."""


def status(collection: Collection) -> CollectionStatus:
    """Return the status of a collection."""
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
        scores = exercise_scores(session)
        to_discuss = items_to_discuss(session)
        last = (own[-1] for _, own in sorted(discussion_notes(session).items()))
        items = count("items WHERE role = 'work'")
        judged = [line for line in final.lines if line.get("judged")]
        sizes = Counter(line.get("cluster") for line in final.lines)
        clustered = sum(sizes[line["cluster"]] > 1 for line in judged)
        return CollectionStatus(
            collection.relation,
            collection.protocol,
            count("articles WHERE planted = 0"),
            items,
            count("(SELECT DISTINCT part FROM items WHERE part IS NOT NULL)"),
            count("items WHERE role = 'work' AND part IS NOT NULL"),
            count("items WHERE role = 'exercise'"),
            count("items WHERE role = 'control'"),
            tuple(map(tuple, runs)),
            tuple(AssessorWork(*row) for row in work),
            tuple((each.name, scores[each.number]) for each in assessors(session) if each.number in scores),
            tuple(to_discuss),
            tuple(each for each in last if each.state == "done" and each.item not in to_discuss),
            items - final.left,
            final.left,
            unsettled(collection, session),
            final.contested,
            clustered if collection.shape is Shape.CLUSTER else sum(line.get("label", 0) for line in final.lines),
            tuple(count_by_detector(collection)),
        )
