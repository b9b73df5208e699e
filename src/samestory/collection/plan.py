"""Who judges what: groups of work, weeks, controls among it, and second passes.

Every item of work is judged by two who do not see each other's answers.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from itertools import combinations, cycle
from random import Random
from typing import NamedTuple

from samestory.collection.answers import Shape
from samestory.collection.arbitration import arbitrate
from samestory.collection.collection import ITEM, Collection, Item, item_of
from samestory.collection.controls import all_controls, make_controls
from samestory.collection.people import Assessor, assessors
from samestory.collection.tasks import busy, give, given
from samestory.database import Session
from samestory.errors import ParameterError

#: So many groups the work is split into, if nobody says otherwise; and of what somebody judges, such a share is known.
GROUPS, CONTROLS = 20, 0.05
#: A week has so many days of work.
DAYS = 5


def assign(
    collection: Collection,
    groups: int = GROUPS,
    judges: int = 2,
    controls: float = CONTROLS,
    a_week: int | None = None,
    a_day: int | None = None,
    told: Callable[[str], None] | None = None,
) -> int:
    """Gives out the work that nobody has yet: in groups, each to as many assessors; gives how many items that were.

    What is added to the pool later makes groups of the same size. Where there are teams, lists go to one team after the
    other and are judged by its members; with `a_week`, each team judges so many in a week, and the next week is for
    settling what its members disagree about. `a_day` is a pace that is shown and not enforced; of a week's lists a
    fifth, if nobody says otherwise. `told` hears if there are fewer controls than are wanted.
    """
    if min(groups, judges, a_week or 1, a_day or 1) < 1 or 0 in (a_week, a_day) or not 0 <= controls < 1:
        raise ParameterError("groups, judges and numbers a week and a day are 1 or more, controls a share below 1")
    with collection.database.write() as session:
        people = assessors(session)
        if len(people) < judges:
            raise ParameterError(f"{judges} assessors are wanted for each item, and there are {len(people)}")
        rows = session.rows(f"SELECT {ITEM} FROM items i WHERE i.part IS NULL AND i.role = 'work' ORDER BY i.number")
        items = [item_of(row) for row in rows]
        collection.settle("judges", str(judges))
        if pace := a_day or (a_week and -(-a_week // DAYS)):
            collection.settle("a day", str(pace))
        if not items:
            arbitrate(collection)  # whoever is new may settle what nobody could
            return 0
        random = Random(f"{collection.seed} {items[0].number}")
        teams = _teams(people, judges)
        begun = int((session.one("SELECT coalesce(max(part), 0) FROM items") or (0,))[0])
        if collection.shape is Shape.LIST:
            taken: Counter[str | None] = Counter(
                dict(session.rows("SELECT team, count(*) FROM items WHERE part IS NOT NULL GROUP BY team"))
            )
            parts, who = _by_list(items, teams, begun, a_week, taken)
        else:
            parts, who = _by_group(session, items, teams, begun, groups, random)
        by_part: dict[int, list[Item]] = defaultdict(list)
        for item in items:
            by_part[parts[item.number].part].append(item)
            session.run(
                "UPDATE items SET part = ?, week = coalesce(?, week), team = ? WHERE number = ?",
                (*parts[item.number], item.number),
            )
        shares = _shares(by_part, who, controls, collection.shape, random)
        wanted = max((sum(own.values()) for own in shares.values()), default=0)
        if wanted:
            # more than anybody gets, so that not all get the same
            many = max(2, wanted, round(len(items) * controls))
            made = make_controls(collection, session, random, many)
            if told and made < many:
                told(f"{made:,} of {many:,} controls could be made: too few articles have nothing in common")
        known = all_controls(session)
        for part, members in by_part.items():
            for assessor in who[part]:
                there = given(session, assessor.number, "judge")
                fresh = [number for number in known if number not in there]
                own = random.sample(fresh, min(len(fresh), shares[assessor.number][part]))
                own += [item.number for item in members]
                random.shuffle(own)
                give(session, assessor.number, own, "judge", random, parts[members[0].number].week)
        arbitrate(collection)
    return len(items)


class _Place(NamedTuple):
    part: int
    week: int | None
    team: str | None


def _teams(people: Sequence[Assessor], judges: int) -> list[tuple[Assessor, ...]]:
    """Who judges together: the members of a team, or whoever there is, by turns."""
    teams: dict[str, list[Assessor]] = defaultdict(list)
    for each in people:
        if each.team is not None:
            teams[each.team].append(each)
    if teams:
        if small := [name for name, members in teams.items() if len(members) < judges]:
            raise ParameterError(f"team {small[0]}: {judges} members at least are wanted")
        return [pair for members in teams.values() for pair in combinations(members, judges)]
    pairs = list(combinations(people, judges))
    # neighbours in this order have nobody in common if that can be, so that work is spread
    return sorted(pairs, key=lambda pair: (people.index(pair[-1]) - people.index(pair[0]), people.index(pair[0])))


def _by_group(
    session: Session,
    items: Sequence[Item],
    teams: Sequence[tuple[Assessor, ...]],
    begun: int,
    groups: int,
    random: Random,
) -> tuple[dict[int, _Place], dict[int, tuple[Assessor, ...]]]:
    """Groups of about one size, dealt out at random, each to those who have least to do."""
    if begun:
        count = session.one("SELECT count(*) FROM items WHERE part IS NOT NULL AND role = 'work'") or (0,)
        size = max(1, round(int(count[0]) / begun))
        groups = max(1, round(len(items) / size))
    groups = min(groups, len(items))
    order = list(items)
    random.shuffle(order)
    parts = {item.number: _Place(begun + 1 + at % groups, None, None) for at, item in enumerate(order)}
    load = busy(session, "judge")
    who = {}
    for part in range(begun + 1, begun + groups + 1):
        who[part] = min(teams, key=lambda pair: sorted((load[one.number] for one in pair), reverse=True))
        for one in who[part]:
            load[one.number] += sum(1 for place in parts.values() if place.part == part)
    return parts, who


def _by_list(
    items: Sequence[Item],
    teams: Sequence[tuple[Assessor, ...]],
    begun: int,
    a_week: int | None,
    taken: Counter[str | None],
) -> tuple[dict[int, _Place], dict[int, tuple[Assessor, ...]]]:
    """A list is a group of its own; teams take turns, and so many lists of each make a week, every other one.

    `taken` are the lists that each team has already; of a large team its pairs take turns.
    """
    parts, who = {}, {}
    pairs: dict[str | None, list[tuple[Assessor, ...]]] = defaultdict(list)
    for pair in teams:
        pairs[pair[0].team].append(pair)
    for part, (item, team) in enumerate(zip(items, cycle(pairs), strict=False), begun + 1):
        week = None if a_week is None else 1 + 2 * (taken[team] // a_week)
        parts[item.number] = _Place(part, week, team)
        who[part] = pairs[team][taken[team] % len(pairs[team])]
        taken[team] += 1
    return parts, who


def _shares(
    by_part: Mapping[int, Sequence[Item]],
    who: Mapping[int, Sequence[Assessor]],
    controls: float,
    shape: Shape,
    random: Random,
) -> dict[int, Counter[int]]:
    """How many controls everybody gets in every group: one at least; of lists, which are a group each, one in all."""
    out: dict[int, Counter[int]] = defaultdict(Counter)
    own: dict[int, list[int]] = defaultdict(list)
    for part, members in by_part.items():
        for assessor in who[part]:
            own[assessor.number].append(part)
            if controls and shape is not Shape.LIST:
                out[assessor.number][part] = max(1, round(len(members) * controls))
    if controls and shape is Shape.LIST:
        for number, parts in own.items():
            out[number].update(random.choices(parts, k=max(1, round(len(parts) * controls))))
    return out


def second_pass(collection: Collection) -> int:
    """Gives every item that was judged to one more who has not seen it; gives how many items that were."""
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
            free = [each for each in people if each.number not in seen[item]]
            if not free:
                raise ParameterError("a second pass wants assessors who have not judged the item", "take in another")
            chosen = min(free, key=lambda each: load[each.number])
            load[chosen.number] += 1
            own[chosen.number].append(item)
        for assessor, items in own.items():
            random.shuffle(items)
            give(session, assessor, items, "second", random)
    return len(rows)


def _seen(session: Session) -> dict[int, set[int]]:
    out: dict[int, set[int]] = defaultdict(set)
    for item, assessor in session.rows("SELECT item, assessor FROM tasks"):
        out[item].add(assessor)
    return out
