"""Assignment of items to assessors: groups of work, weeks, controls, and second passes.

By default every item is judged by two assessors, who do not see each other's answers.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from itertools import combinations, cycle
from random import Random
from typing import NamedTuple

from samestory.database import Session
from samestory.errors import ParameterError
from samestory.lab.collection.answers import Shape
from samestory.lab.collection.arbitration import arbitrate
from samestory.lab.collection.collection import ITEM_COLUMNS, Collection, JudgingItem, item_from_row
from samestory.lab.collection.controls import all_controls, make_controls
from samestory.lab.collection.people import Assessor, assessors
from samestory.lab.collection.tasks import assign_tasks, assigned_items, count_tasks

#: Default number of groups, and default share of controls.
GROUPS, CONTROLS = 20, 0.05
WORKDAYS_PER_WEEK = 5


def assign(
    collection: Collection,
    groups: int = GROUPS,
    judges: int = 2,
    controls: float = CONTROLS,
    a_week: int | None = None,
    a_day: int | None = None,
    report: Callable[[str], None] | None = None,
) -> int:
    """Assign the unassigned items in groups, each to `judges` assessors; returns the number of items.

    Items added later form groups of the same size. If there are teams, lists go to the teams in turn and are judged by
    their members; with `a_week`, each team judges so many lists in a week, and the next week is for arbitration.
    `a_day` is a pace that is displayed but not enforced; by default a fifth of `a_week`. `report` is called with a
    message if fewer controls than wanted could be made.
    """
    if min(groups, judges, a_week or 1, a_day or 1) < 1 or 0 in (a_week, a_day) or not 0 <= controls < 1:
        raise ParameterError("groups, judges, a_week and a_day must be 1 or more, controls at least 0 and below 1")
    with collection.database.write() as session:
        people = assessors(session)
        if len(people) < judges:
            raise ParameterError(f"{judges} assessors are required for each item, but there are only {len(people)}")
        rows = session.rows(
            f"SELECT {ITEM_COLUMNS} FROM items i WHERE i.part IS NULL AND i.role = 'work' ORDER BY i.number"
        )
        items = [item_from_row(row) for row in rows]
        collection.set_setting("judges", str(judges))
        if pace := a_day or (a_week and -(-a_week // WORKDAYS_PER_WEEK)):
            collection.set_setting("a day", str(pace))
        if not items:
            arbitrate(collection)  # a new assessor may be able to settle open disagreements
            return 0
        random = Random(f"{collection.seed} {items[0].number}")
        teams = _teams(people, judges)
        begun = int((session.one("SELECT coalesce(max(part), 0) FROM items") or (0,))[0])
        if collection.shape is Shape.LIST:
            taken: Counter[str | None] = Counter(
                dict(session.rows("SELECT team, count(*) FROM items WHERE part IS NOT NULL GROUP BY team"))
            )
            places, assessors_of = _by_list(items, teams, begun, a_week, taken)
        else:
            places, assessors_of = _by_group(session, items, teams, begun, groups, random)
        by_part: dict[int, list[JudgingItem]] = defaultdict(list)
        for item in items:
            by_part[places[item.number].part].append(item)
            session.run(
                "UPDATE items SET part = ?, week = coalesce(?, week), team = ? WHERE number = ?",
                (*places[item.number], item.number),
            )
        shares = _control_counts(by_part, assessors_of, controls, collection.shape, random)
        wanted = max((sum(own.values()) for own in shares.values()), default=0)
        if wanted:
            # more than the share of any assessor, so that their controls differ
            many = max(2, wanted, round(len(items) * controls))
            made = make_controls(collection, session, random, many)
            if report and made < many:
                report(f"only {made:,} of {many:,} controls could be made: too few unrelated articles")
        controls_made = all_controls(session)
        for part, members in by_part.items():
            for assessor in assessors_of[part]:
                existing = assigned_items(session, assessor.number, "judge")
                fresh = [number for number in controls_made if number not in existing]
                own = random.sample(fresh, min(len(fresh), shares[assessor.number][part]))
                own += [item.number for item in members]
                random.shuffle(own)
                assign_tasks(session, assessor.number, own, "judge", random, places[members[0].number].week)
        arbitrate(collection)
    return len(items)


class _Assignment(NamedTuple):
    part: int
    week: int | None
    team: str | None


def _teams(people: Sequence[Assessor], judges: int) -> list[tuple[Assessor, ...]]:
    """Return the combinations of assessors who judge together: within a team, or among all assessors."""
    teams: dict[str, list[Assessor]] = defaultdict(list)
    for each in people:
        if each.team is not None:
            teams[each.team].append(each)
    if teams:
        if small := [name for name, members in teams.items() if len(members) < judges]:
            raise ParameterError(f"team {small[0]}: at least {judges} members are required")
        return [pair for members in teams.values() for pair in combinations(members, judges)]
    pairs = list(combinations(people, judges))
    # in this order adjacent combinations share no assessor if possible, which spreads the work
    return sorted(pairs, key=lambda pair: (people.index(pair[-1]) - people.index(pair[0]), people.index(pair[0])))


def _by_group(
    session: Session,
    items: Sequence[JudgingItem],
    teams: Sequence[tuple[Assessor, ...]],
    begun: int,
    groups: int,
    random: Random,
) -> tuple[dict[int, _Assignment], dict[int, tuple[Assessor, ...]]]:
    """Split items at random into groups of about equal size, each for the assessors with the least work."""
    if begun:
        count = session.one("SELECT count(*) FROM items WHERE part IS NOT NULL AND role = 'work'") or (0,)
        size = max(1, round(int(count[0]) / begun))
        groups = max(1, round(len(items) / size))
    groups = min(groups, len(items))
    order = list(items)
    random.shuffle(order)
    places = {item.number: _Assignment(begun + 1 + at % groups, None, None) for at, item in enumerate(order)}
    load = count_tasks(session, "judge")
    assessors_of = {}
    for part in range(begun + 1, begun + groups + 1):
        assessors_of[part] = min(teams, key=lambda pair: sorted((load[one.number] for one in pair), reverse=True))
        for one in assessors_of[part]:
            load[one.number] += sum(1 for each in places.values() if each.part == part)
    return places, assessors_of


def _by_list(
    items: Sequence[JudgingItem],
    teams: Sequence[tuple[Assessor, ...]],
    begun: int,
    a_week: int | None,
    taken: Counter[str | None],
) -> tuple[dict[int, _Assignment], dict[int, tuple[Assessor, ...]]]:
    """Make each list a group of its own; teams take turns, and `a_week` lists of a team form a week, every other week.

    `taken` counts the lists that each team already has; in a large team its pairs take turns.
    """
    places, assessors_of = {}, {}
    pairs: dict[str | None, list[tuple[Assessor, ...]]] = defaultdict(list)
    for pair in teams:
        pairs[pair[0].team].append(pair)
    for part, (item, team) in enumerate(zip(items, cycle(pairs), strict=False), begun + 1):
        week = None if a_week is None else 1 + 2 * (taken[team] // a_week)
        places[item.number] = _Assignment(part, week, team)
        assessors_of[part] = pairs[team][taken[team] % len(pairs[team])]
        taken[team] += 1
    return places, assessors_of


def _control_counts(
    by_part: Mapping[int, Sequence[JudgingItem]],
    assessors_of: Mapping[int, Sequence[Assessor]],
    controls: float,
    shape: Shape,
    random: Random,
) -> dict[int, Counter[int]]:
    """Return the number of controls by assessor and group: at least one; for lists, each its own group, one in all."""
    out: dict[int, Counter[int]] = defaultdict(Counter)
    own: dict[int, list[int]] = defaultdict(list)
    for part, members in by_part.items():
        for assessor in assessors_of[part]:
            own[assessor.number].append(part)
            if controls and shape is not Shape.LIST:
                out[assessor.number][part] = max(1, round(len(members) * controls))
    if controls and shape is Shape.LIST:
        for number, parts in own.items():
            out[number].update(random.choices(parts, k=max(1, round(len(parts) * controls))))
    return out


def second_pass(collection: Collection) -> int:
    """Assign every judged item to one more assessor who has not seen it; returns the number of items."""
    with collection.database.write() as session:
        people = assessors(session)
        random = Random(f"{collection.seed} second")
        seen = _seen(session)
        load: Counter[int] = Counter()
        own: dict[int, list[int]] = defaultdict(list)
        rows = session.rows(
            "SELECT DISTINCT i.number FROM items i JOIN tasks t ON t.item = i.number"
            " WHERE i.role = 'work' AND t.duty = 'judge' AND t.state = 'done'"
            " AND i.number NOT IN (SELECT item FROM tasks WHERE duty = 'second') ORDER BY i.number"
        )
        for (item,) in rows:
            available = [each for each in people if each.number not in seen[item]]
            if not available:
                raise ParameterError(
                    "a second pass requires an assessor who has not judged the item", "add another assessor"
                )
            chosen = min(available, key=lambda each: load[each.number])
            load[chosen.number] += 1
            own[chosen.number].append(item)
        for assessor, items in own.items():
            random.shuffle(items)
            assign_tasks(session, assessor, items, "second", random)
    return len(rows)


def _seen(session: Session) -> dict[int, set[int]]:
    out: dict[int, set[int]] = defaultdict(set)
    for item, assessor in session.rows("SELECT item, assessor FROM tasks"):
        out[item].add(assessor)
    return out
