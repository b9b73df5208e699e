"""What was said about an item, and what that comes to."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from samestory.collection.answers import Decided, decisions
from samestory.collection.collection import ITEM, Item, item_of
from samestory.database import Session

#: Duties whose answers are votes; an arbiter has the last word, and who does an exercise or meets a control has none.
VOTING = ("judge", "second")


@dataclass(frozen=True, slots=True)
class Said:
    """An answer that holds."""

    assessor: str
    duty: str
    answer: str
    questionable: bool
    comment: str | None
    seconds: float | None
    at: int


_SAID = "s.name, t.duty, j.answer, j.questionable, j.comment, j.seconds, j.at"
_FROM = "tasks t JOIN judgements j ON j.number = t.judgement JOIN assessors s ON s.number = t.assessor"


def said_about(session: Session, items: Iterable[int]) -> dict[int, list[Said]]:
    """The answers about items that hold, of each in the order in which assessors came."""
    out: dict[int, list[Said]] = defaultdict(list)
    sql = f"SELECT t.item, {_SAID} FROM {_FROM} WHERE t.item IN ({{}}) AND t.state = 'done' ORDER BY s.number, t.number"
    for item, *row in session.rows_among(sql, items):
        out[item].append(_said(row))
    return out


def all_said(session: Session, role: str = "work") -> list[tuple[Item, list[Said]]]:
    """Every item of a role, with the answers about it that hold."""
    found: dict[int, list[Said]] = defaultdict(list)
    sql = f"SELECT t.item, {_SAID} FROM {_FROM} WHERE t.state = 'done' ORDER BY s.number, t.number"
    for item, *row in session.rows(sql):
        found[item].append(_said(row))
    rows = session.rows(f"SELECT {ITEM} FROM items i WHERE i.role = ? ORDER BY i.number", (role,))
    return [(item, found.get(item.number, [])) for item in map(item_of, rows)]


def waiting(session: Session, judges: int) -> set[int]:
    """Items that somebody has yet to judge, or that nobody was asked about and fewer have judged than are wanted.

    Of what was given out, those who were asked are enough: that later work goes to more people takes nothing back.
    """
    sql = (
        "SELECT i.number FROM items i LEFT JOIN tasks t ON t.item = i.number AND t.duty IN ('judge', 'second')"
        " WHERE i.role = 'work' GROUP BY i.number, i.part"
        " HAVING sum(CASE t.state WHEN 'done' THEN 1 ELSE 0 END) < CASE WHEN i.part IS NULL THEN ? ELSE 1 END"
        " OR sum(CASE WHEN t.state IS NULL OR t.state = 'done' THEN 0 ELSE 1 END) > 0"
    )
    return {number for (number,) in session.rows(sql, (judges,))}


def _said(row: Iterable[Any]) -> Said:
    name, duty, answer, questionable, comment, seconds, at = row
    return Said(name, duty, answer, bool(questionable), comment, seconds, at)


def votes(relation: str, item: Item, said: Iterable[Said]) -> dict[Decided, list[tuple[Said, bool]]]:
    """For each that is decided about, who of those with a vote said what."""
    out: dict[Decided, list[tuple[Said, bool]]] = defaultdict(list)
    for each in said:
        if each.duty in VOTING:
            for about, yes in decisions(item.shape, relation, item.articles, each.answer).items():
                out[about].append((each, yes))
    return out


def disagreed(relation: str, item: Item, said: Iterable[Said]) -> bool:
    """Do those who have a vote disagree?"""
    return any(len({yes for _, yes in each}) > 1 for each in votes(relation, item, said).values())


def final(relation: str, item: Item, said: Iterable[Said]) -> Mapping[Decided, bool | None]:
    """What is decided: what the judges say who agree, else the arbiter's word, else what most say.

    None where as many say yes as no, or nobody anything.
    """
    said = list(said)
    last = next((each for each in said if each.duty == "arbitrate"), None)
    # who agree now, whatever they said before, need nobody to settle it
    if last is not None and disagreed(relation, item, said):
        return dict(decisions(item.shape, relation, item.articles, last.answer))
    out: dict[Decided, bool | None] = {}
    for about, given in votes(relation, item, said).items():
        yes = sum(vote for _, vote in given)
        out[about] = None if 2 * yes == len(given) else 2 * yes > len(given)
    return out
