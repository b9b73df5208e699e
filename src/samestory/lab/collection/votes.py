"""Judgements of an item, and the decisions that follow from them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from samestory.database import Session
from samestory.lab.collection.answers import DecisionKey, decisions
from samestory.lab.collection.collection import ITEM_COLUMNS, JudgingItem, item_from_row

#: Duties whose answers are votes. An arbiter has the final decision; exercises and controls are not votes.
VOTING = ("judge", "second")


@dataclass(frozen=True, slots=True)
class Judgement:
    """The current answer of an assessor to an item."""

    assessor: str
    duty: str
    answer: str
    questionable: bool
    comment: str | None
    seconds: float | None
    at: int


_COLUMNS = "s.name, t.duty, j.answer, j.questionable, j.comment, j.seconds, j.at"
_FROM = "tasks t JOIN judgements j ON j.number = t.judgement JOIN assessors s ON s.number = t.assessor"


def judgements_of(session: Session, items: Iterable[int]) -> dict[int, list[Judgement]]:
    """Return the current judgements by item, ordered by assessor."""
    out: dict[int, list[Judgement]] = defaultdict(list)
    sql = (
        f"SELECT t.item, {_COLUMNS} FROM {_FROM} WHERE t.item IN ({{}}) AND t.state = 'done'"
        " ORDER BY s.number, t.number"
    )
    for item, *row in session.rows_among(sql, items):
        out[item].append(_judgement(row))
    return out


def items_with_judgements(session: Session, role: str = "work") -> list[tuple[JudgingItem, list[Judgement]]]:
    """Return every item of a role with its current judgements."""
    found: dict[int, list[Judgement]] = defaultdict(list)
    sql = f"SELECT t.item, {_COLUMNS} FROM {_FROM} WHERE t.state = 'done' ORDER BY s.number, t.number"
    for item, *row in session.rows(sql):
        found[item].append(_judgement(row))
    rows = session.rows(f"SELECT {ITEM_COLUMNS} FROM items i WHERE i.role = ? ORDER BY i.number", (role,))
    return [(item, found.get(item.number, [])) for item in map(item_from_row, rows)]


def undecided_items(session: Session, judges: int) -> set[int]:
    """Return the items with unfinished tasks, and unassigned items with fewer than `judges` judgements.

    For assigned items their own tasks are enough: a higher number of judges in later assignments does not reopen them.
    """
    sql = (
        "SELECT i.number FROM items i LEFT JOIN tasks t ON t.item = i.number AND t.duty IN ('judge', 'second')"
        " WHERE i.role = 'work' GROUP BY i.number, i.part"
        " HAVING sum(CASE t.state WHEN 'done' THEN 1 ELSE 0 END) < CASE WHEN i.part IS NULL THEN ? ELSE 1 END"
        " OR sum(CASE WHEN t.state IS NULL OR t.state = 'done' THEN 0 ELSE 1 END) > 0"
    )
    return {number for (number,) in session.rows(sql, (judges,))}


def _judgement(row: Iterable[Any]) -> Judgement:
    name, duty, answer, questionable, comment, seconds, at = row
    return Judgement(name, duty, answer, bool(questionable), comment, seconds, at)


def votes(
    relation: str, item: JudgingItem, judgements: Iterable[Judgement]
) -> dict[DecisionKey, list[tuple[Judgement, bool]]]:
    """Return the votes, with their judgements, by decision key."""
    out: dict[DecisionKey, list[tuple[Judgement, bool]]] = defaultdict(list)
    for each in judgements:
        if each.duty in VOTING:
            for about, yes in decisions(item.shape, relation, item.articles, each.answer).items():
                out[about].append((each, yes))
    return out


def has_disagreement(relation: str, item: JudgingItem, judgements: Iterable[Judgement]) -> bool:
    """Return whether the votes of an item differ."""
    return any(len({yes for _, yes in each}) > 1 for each in votes(relation, item, judgements).values())


def final_decisions(
    relation: str, item: JudgingItem, judgements: Iterable[Judgement]
) -> Mapping[DecisionKey, bool | None]:
    """Return the final decisions: unanimous votes, else the decision of the arbiter, else the majority.

    None on a tie.
    """
    judgements = list(judgements)
    last = next((each for each in judgements if each.duty == "arbitrate"), None)
    # judges who have changed their answers and agree now override the arbiter
    if last is not None and has_disagreement(relation, item, judgements):
        return dict(decisions(item.shape, relation, item.articles, last.answer))
    out: dict[DecisionKey, bool | None] = {}
    for about, given in votes(relation, item, judgements).items():
        yes = sum(vote for _, vote in given)
        out[about] = None if 2 * yes == len(given) else 2 * yes > len(given)
    return out
