"""The log of the decisions of editors, in the tables `decision_log` and `decision_articles`.

The table `decisions` has the pairs of articles that the decisions in force consist of: by them the groups in memory
keep articles apart, or together, when others arrive.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from samestory.archive import checksums
from samestory.archive.decided_stories import CUTS, DecisionEntry, Sides
from samestory.database import Session
from samestory.groups.decisions import APART, SAME

Pair = tuple[str, str]

_COLUMNS = "number, what, who, why, at, undoes, undone_by, story"
_IN_FORCE = "undone_by IS NULL AND undoes IS NULL"


def load_entries(session: Session, where: str = "1 = 1", args: Sequence[Any] = ()) -> list[DecisionEntry]:
    """Return the entries of the log under a condition, oldest first, with their articles."""
    return _with_articles(session, session.rows(f"SELECT {_COLUMNS} FROM decision_log WHERE {where}", args))


def entries_in_force(session: Session, ids: Iterable[str] | None = None) -> list[DecisionEntry]:
    """Return the decisions in force, oldest first: those about some articles, or all."""
    if ids is None:
        return load_entries(session, _IN_FORCE)
    if session.one("SELECT 1 FROM decision_log LIMIT 1") is None:
        return []
    sql = "SELECT DISTINCT decision FROM decision_articles WHERE id IN ({})"
    numbers = {number for (number,) in session.rows_among(sql, ids)}
    sql = f"SELECT {_COLUMNS} FROM decision_log WHERE {_IN_FORCE} AND number IN ({{}})"
    return _with_articles(session, session.rows_among(sql, sorted(numbers)))


def entry(session: Session, number: int) -> DecisionEntry | None:
    """Return an entry, or None."""
    return next(iter(load_entries(session, "number = ?", (number,))), None)


def _with_articles(session: Session, rows: Iterable[tuple[Any, ...]]) -> list[DecisionEntry]:
    found = sorted(rows)
    sql = "SELECT decision, side, place, id FROM decision_articles WHERE decision IN ({})"
    articles: dict[int, list[tuple[Any, ...]]] = defaultdict(list)
    for number, *article in session.rows_among(sql, [row[0] for row in found]):
        articles[number].append(tuple(article))
    out = []
    for number, what, who, why, at, undoes, undone_by, story in found:
        sides, followers = _sides(articles[number])
        out.append(DecisionEntry(number, what, sides, followers, story, who, why, at, undoes, undone_by))
    return out


def _sides(articles: Iterable[tuple[Any, ...]]) -> tuple[Sides, Sides]:
    """Return the articles of each side in their order, and their followers."""
    count = max((side for side, _, _ in articles), default=-1) + 1
    sides: list[list[str]] = [[] for _ in range(count)]
    followers: list[list[str]] = [[] for _ in range(count)]
    for side, place, id in sorted(articles, key=lambda row: (row[0], -1 if row[1] is None else row[1], row[2])):
        (followers if place is None else sides)[side].append(id)
    return tuple(map(tuple, sides)), tuple(map(tuple, followers))


def next_number(session: Session) -> int:
    """Return the number of the next entry."""
    return int((session.one("SELECT coalesce(max(number), 0) FROM decision_log") or (0,))[0]) + 1


def append_entry(session: Session, new: DecisionEntry) -> None:
    """Append an entry to the log."""
    columns = ("number", "what", "who", "why", "at", "undoes", "story")
    row = (new.number, new.what, new.who, new.why, new.at, new.undoes, new.story)
    checksums.insert(session, "decision_log", columns, [row])
    rows = [(new.number, id, at, place) for at, side in enumerate(new.sides) for place, id in enumerate(side)]
    checksums.insert(session, "decision_articles", ("decision", "id", "side", "place"), rows)


def mark_undone(session: Session, number: int, by: int) -> None:
    """Mark a decision as undone, or replaced, by another entry."""
    session.run("UPDATE decision_log SET undone_by = ? WHERE number = ?", (by, number))


def add_followers(session: Session, nearest: Mapping[str, str]) -> None:
    """Make new articles follow others, given as follower: leader, in the cuts in force."""
    marks = ", ".join(f"'{what}'" for what in CUTS)
    sql = (
        "SELECT a.id, a.decision, a.side FROM decision_articles a JOIN decision_log d ON d.number = a.decision"
        f" WHERE d.undone_by IS NULL AND d.what IN ({marks}) AND a.id IN ({{}})"
    )
    listed: dict[str, list[tuple[int, int]]] = defaultdict(list)
    for id, decision, side in session.rows_among(sql, sorted({*nearest, *nearest.values()})):
        listed[id].append((decision, side))
    rows = []
    for id, leader in nearest.items():  # in the order of arrival: a leader may follow another
        own = {decision for decision, _ in listed[id]}
        new = [(decision, side) for decision, side in listed[leader] if decision not in own]
        listed[id] += new
        rows += [(decision, id, side, None) for decision, side in new]
    checksums.insert(session, "decision_articles", ("decision", "id", "side", "place"), rows)


def pairs(made: DecisionEntry) -> dict[Pair, str]:
    """Return the pairs of articles that a decision consists of, the smaller id first."""
    found: list[Pair] = []
    if made.is_cut and len(made.sides) > 1:
        stay, leave = made.sides[0], made.sides[1]
        if made.what == APART:
            leave = leave[:1]  # the others leave because they are the same story as the first
        ends = {stay[0], stay[len(stay) // 2], stay[-1]} if stay else set()
        found = [(one, other) for one in leave for other in ends]
    elif made.sides:
        found = [(made.sides[0][-1], side[-1]) for side in made.sides[1:]]
    return {(min(pair), max(pair)): APART if made.is_cut else SAME for pair in found}


def replace_pairs(
    session: Session,
    gone: Iterable[DecisionEntry],
    added: Iterable[DecisionEntry],
    others: Collection[DecisionEntry],
    now: int,
) -> list[Pair]:
    """Delete the pairs of decisions that are no longer in force and insert those of new ones; return the changed pairs.

    A pair of a decision that is gone remains if another one in force has it too.
    """
    kept = {pair: what for each in others for pair, what in pairs(each).items()}
    old = {pair for each in gone for pair in pairs(each)}
    new = {pair: what for each in added for pair, what in pairs(each).items()}
    wanted = {pair: new.get(pair, kept.get(pair)) for pair in sorted(old | new.keys())}
    for pair in wanted:
        session.run("DELETE FROM decisions WHERE left_id = ? AND right_id = ?", pair)
    rows = [(*pair, what, now) for pair, what in wanted.items() if what is not None]
    checksums.insert(session, "decisions", ("left_id", "right_id", "decision", "decided"), rows)
    return list(wanted)
