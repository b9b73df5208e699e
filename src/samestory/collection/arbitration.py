"""Settling disagreements: somebody who has not judged the item, of the other team where there are teams, decides.

Nothing is settled while a week's work, or that of a group, is not judged by all who are to judge it: what somebody
settles must not come before others have seen it, and the week after is for settling. (Conrad 2006) [conrad2006]
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from random import Random

from samestory.collection.collection import ITEM, Collection, Item, item_of
from samestory.collection.people import Assessor, assessors
from samestory.collection.tasks import busy, give
from samestory.collection.votes import all_said, disagreed, said_about
from samestory.database import Session

#: What is judged together: a team's week, a group, or an item that is in neither.
_Unit = tuple[str, object, object]

_VOTED = "t.duty IN ('judge', 'second')"


def arbitrate(collection: Collection, now: bool = False) -> tuple[int, int]:
    """Gives every item about which its judges disagree to someone who has not judged it.

    With `now`, also those of weeks and groups that are not all judged, where somebody does not come back. Gives how
    many are to be settled, and for how many of them there is nobody.
    """
    with collection.database.write() as session:
        items = _items(
            session,
            f"i.role = 'work' AND i.number IN (SELECT t.item FROM tasks t WHERE {_VOTED} AND t.state = 'done')",
        )
        unfinished = set() if now else _unfinished(session)
        return _settle(collection, session, items, lambda item: _unit(item) not in unfinished)


def after_answer(collection: Collection, session: Session, item: Item, first: bool) -> None:
    """The same after an answer about an item; the first of somebody may be the last that their group waits for."""
    if first and not _unfinished(session, item):
        _settle(collection, session, _items(session, *_of_unit(item)), lambda _: True)
    else:
        _settle(collection, session, [item], lambda item: not _unfinished(session, item))


def unsettled(collection: Collection, session: Session) -> int:
    """How many disagreements could be settled now and are given to nobody."""
    unfinished = _unfinished(session)
    asked = {item for (item,) in session.rows("SELECT item FROM tasks WHERE duty = 'arbitrate'")}
    return sum(
        item.number not in asked and _unit(item) not in unfinished and disagreed(collection.relation, item, said)
        for item, said in all_said(session)
    )


def _unit(item: Item) -> _Unit:
    if item.week is not None:
        return "week", item.week, item.team
    return ("group", item.part, None) if item.part is not None else ("item", item.number, None)


def _of_unit(item: Item) -> tuple[str, Sequence[object]]:
    """What the items of a unit have in common, as a condition.

    The plus keeps the database from the index of roles, of which nearly all are work.
    """
    kind, one, other = _unit(item)
    if kind == "week":
        return "+i.role = 'work' AND i.week = ? AND coalesce(i.team, '') = ?", (one, other or "")
    return f"+i.role = 'work' AND i.{'part' if kind == 'group' else 'number'} = ?", (one,)


def _unfinished(session: Session, of: Item | None = None) -> set[_Unit]:
    """Units with something that somebody has yet to judge; of one item's unit, or of all."""
    where, values = ("i.role = 'work'", ()) if of is None else _of_unit(of)
    sql = (
        f"SELECT {ITEM} FROM items i JOIN tasks t ON t.item = i.number WHERE {where} AND {_VOTED} AND t.state != 'done'"
    )
    rows = session.rows(sql if of is None else f"{sql} LIMIT 1", tuple(values))
    return {_unit(item_of(row)) for row in rows}


def _items(session: Session, where: str, values: Sequence[object] = ()) -> list[Item]:
    sql = f"SELECT {ITEM} FROM items i WHERE {where} ORDER BY i.number"
    return [item_of(row) for row in session.rows(sql, tuple(values))]


def _settle(
    collection: Collection, session: Session, items: Sequence[Item], may_open: Callable[[Item], bool]
) -> tuple[int, int]:
    """Gives out what is to be settled of these, and takes back what is not any more. A few questions for all of them.

    Where judges have changed their minds and agree now, nobody is asked any more.
    """
    numbers = [item.number for item in items]
    said = said_about(session, numbers)
    seen: dict[int, set[int]] = defaultdict(set)
    asked: dict[int, str] = {}
    rows = session.rows_among("SELECT item, assessor, duty, state FROM tasks WHERE item IN ({})", numbers)
    for item, assessor, duty, state in rows:
        seen[item].add(assessor)
        if duty == "arbitrate":
            asked[item] = state
    people, load = assessors(session), Counter[int]()
    agreed, again, nobody, count = list[int](), list[int](), 0, 0
    new: dict[tuple[int, int | None], list[int]] = defaultdict(list)
    for item in items:
        if not disagreed(collection.relation, item, said.get(item.number, [])):
            agreed += [item.number] if asked.get(item.number) in ("open", "skipped") else []
            continue
        if item.number in asked:
            count += 1
            again += [item.number] if asked[item.number] == "withdrawn" else []
        elif may_open(item):
            count += 1
            load = load or busy(session, "arbitrate")
            if free := _free(item, people, seen[item.number]):
                chosen = min(free, key=lambda each: (load[each.number], each.number))
                load[chosen.number] += 1
                new[chosen.number, None if item.week is None else item.week + 1].append(item.number)
            else:
                nobody += 1
    # not deleted: a page that somebody has open must never become one about another item
    change = "UPDATE tasks SET state = ? WHERE duty = 'arbitrate' AND state != 'done' AND item IN ({})"
    session.run_among(change, agreed, ("withdrawn",))
    session.run_among(change, again, ("open",))
    for (assessor, week), own in new.items():
        give(session, assessor, own, "arbitrate", Random(f"{collection.seed} {own[0]}"), week)
    return count, nobody


def _free(item: Item, people: Sequence[Assessor], seen: set[int]) -> list[Assessor]:
    """Who may settle it: somebody of another team, where there are teams."""
    teams = {each.team for each in people if each.number in seen}
    free = [each for each in people if each.number not in seen]
    return [each for each in free if each.team is None or each.team not in teams] or ([] if item.team else free)
