"""Arbitration: an assessor who has not judged the item, of another team if there are teams, settles a disagreement.

Arbitration of a week, or of a group, starts when all its judgements are done: an item must not be settled before all
its judges have seen it, and the following week is for settling. (Conrad 2006) [conrad2006]
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from random import Random

from samestory.database import Session
from samestory.lab.collection.collection import ITEM_COLUMNS, Collection, JudgingItem, item_from_row
from samestory.lab.collection.people import Assessor, assessors
from samestory.lab.collection.tasks import assign_tasks, count_tasks
from samestory.lab.collection.votes import has_disagreement, items_with_judgements, judgements_of

#: Unit of work that is judged as a whole: the week of a team, a group, or an item that is in neither.
_Unit = tuple[str, object, object]

_VOTED = "t.duty IN ('judge', 'second')"


def arbitrate(collection: Collection, now: bool = False) -> tuple[int, int]:
    """Assign every item with a disagreement to an assessor who has not judged it.

    With `now`, also items of unfinished weeks and groups, for example if an assessor has left. Returns the number of
    items to settle, and for how many of them there is no arbiter.
    """
    with collection.database.write() as session:
        items = _items(
            session,
            f"i.role = 'work' AND i.number IN (SELECT t.item FROM tasks t WHERE {_VOTED} AND t.state = 'done')",
        )
        unfinished = set() if now else _unfinished(session)
        return _settle(collection, session, items, lambda item: _unit(item) not in unfinished)


def after_answer(collection: Collection, session: Session, item: JudgingItem, first: bool) -> None:
    """Update arbitration after an answer; `first`: the task was not done before, so its unit may be finished now."""
    if first and not _unfinished(session, item):
        _settle(collection, session, _items(session, *_of_unit(item)), lambda _: True)
    else:
        _settle(collection, session, [item], lambda item: not _unfinished(session, item))


def unsettled(collection: Collection, session: Session) -> int:
    """Count the disagreements that could be settled now and have no arbiter."""
    unfinished = _unfinished(session)
    assigned = {item for (item,) in session.rows("SELECT item FROM tasks WHERE duty = 'arbitrate'")}
    return sum(
        item.number not in assigned
        and _unit(item) not in unfinished
        and has_disagreement(collection.relation, item, judgements)
        for item, judgements in items_with_judgements(session)
    )


def _unit(item: JudgingItem) -> _Unit:
    if item.week is not None:
        return "week", item.week, item.team
    return ("group", item.part, None) if item.part is not None else ("item", item.number, None)


def _of_unit(item: JudgingItem) -> tuple[str, Sequence[object]]:
    """Return the SQL condition, and its values, of the items in the unit of an item.

    The plus keeps SQLite from using the index on roles, since nearly all items are work.
    """
    kind, one, other = _unit(item)
    if kind == "week":
        return "+i.role = 'work' AND i.week = ? AND coalesce(i.team, '') = ?", (one, other or "")
    return f"+i.role = 'work' AND i.{'part' if kind == 'group' else 'number'} = ?", (one,)


def _unfinished(session: Session, of: JudgingItem | None = None) -> set[_Unit]:
    """Return the units with unfinished judgements, among all or only the unit of one item."""
    where, values = ("i.role = 'work'", ()) if of is None else _of_unit(of)
    sql = (
        f"SELECT {ITEM_COLUMNS} FROM items i JOIN tasks t ON t.item = i.number"
        f" WHERE {where} AND {_VOTED} AND t.state != 'done'"
    )
    rows = session.rows(sql if of is None else f"{sql} LIMIT 1", tuple(values))
    return {_unit(item_from_row(row)) for row in rows}


def _items(session: Session, where: str, values: Sequence[object] = ()) -> list[JudgingItem]:
    sql = f"SELECT {ITEM_COLUMNS} FROM items i WHERE {where} ORDER BY i.number"
    return [item_from_row(row) for row in session.rows(sql, tuple(values))]


def _settle(
    collection: Collection, session: Session, items: Sequence[JudgingItem], may_open: Callable[[JudgingItem], bool]
) -> tuple[int, int]:
    """Assign disagreements among these items to arbiters, and withdraw tasks where the judges agree now.

    Runs a constant number of queries for all items.
    """
    numbers = [item.number for item in items]
    judgements = judgements_of(session, numbers)
    seen: dict[int, set[int]] = defaultdict(set)
    arbitration: dict[int, str] = {}
    rows = session.rows_among("SELECT item, assessor, duty, state FROM tasks WHERE item IN ({})", numbers)
    for item, assessor, duty, state in rows:
        seen[item].add(assessor)
        if duty == "arbitrate":
            arbitration[item] = state
    people, load = assessors(session), Counter[int]()
    agreed, reopened, without_arbiter, count = list[int](), list[int](), 0, 0
    new: dict[tuple[int, int | None], list[int]] = defaultdict(list)
    for item in items:
        if not has_disagreement(collection.relation, item, judgements.get(item.number, [])):
            agreed += [item.number] if arbitration.get(item.number) in ("open", "skipped") else []
            continue
        if item.number in arbitration:
            count += 1
            reopened += [item.number] if arbitration[item.number] == "withdrawn" else []
        elif may_open(item):
            count += 1
            load = load or count_tasks(session, "arbitrate")
            if free := _free(item, people, seen[item.number]):
                chosen = min(free, key=lambda each: (load[each.number], each.number))
                load[chosen.number] += 1
                new[chosen.number, None if item.week is None else item.week + 1].append(item.number)
            else:
                without_arbiter += 1
    # not deleted: the place of an open page must never be reused for another item
    change = "UPDATE tasks SET state = ? WHERE duty = 'arbitrate' AND state != 'done' AND item IN ({})"
    session.run_among(change, agreed, ("withdrawn",))
    session.run_among(change, reopened, ("open",))
    for (assessor, week), own in new.items():
        assign_tasks(session, assessor, own, "arbitrate", Random(f"{collection.seed} {own[0]}"), week)
    return count, without_arbiter


def _free(item: JudgingItem, people: Sequence[Assessor], seen: set[int]) -> list[Assessor]:
    """Return the assessors who may settle an item: of another team if there are teams."""
    teams = {each.team for each in people if each.number in seen}
    free = [each for each in people if each.number not in seen]
    return [each for each in free if each.team is None or each.team not in teams] or ([] if item.team else free)
