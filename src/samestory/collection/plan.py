"""Who judges what: assessors, groups of work, controls, exercises, second passes, and who settles disagreements.

Every item of work is judged by two who do not see each other's answers. Those about whom they disagree go to someone
who has not judged them, of the other team where there are teams, who is not told who said what.
"""

from __future__ import annotations

import hashlib
import json
import secrets
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, cycle
from random import Random
from typing import NamedTuple

from samestory.collection.answers import Shape, checked, turned
from samestory.collection.collection import ITEM, Collection, Item, Wanted, check_known, item_of, put
from samestory.collection.votes import disagreed, said_about
from samestory.database import Session
from samestory.errors import InputError, ParameterError

#: So many groups the work is split into, if nobody says otherwise; and of what somebody judges, such a share is known.
GROUPS, CONTROLS = 20, 0.05
#: So many controls at most, of which everyone gets others.
MOST = 400


@dataclass(frozen=True, slots=True)
class Assessor:
    """Somebody who judges, under a pseudonym."""

    number: int
    name: str
    team: str | None


def hire(collection: Collection, names: Iterable[str], team: str | None = None, renew: bool = True) -> dict[str, str]:
    """Takes assessors in; gives the token of each, which is told this once.

    One who is there gets a new token, or with `renew` off keeps the old one; a team that is given is theirs from now
    on.
    """
    tokens: dict[str, str] = {}
    with collection.database.write() as session:
        for name in names:
            if not name.strip() or len(name) > 100 or not name.isprintable():
                raise ParameterError(f"an assessor: a short pseudonym is wanted, got {name!r}")
            there = session.one("SELECT number FROM assessors WHERE name = ?", (name,))
            if there and team is not None:
                session.run("UPDATE assessors SET team = ? WHERE number = ?", (team, there[0]))
            if there and not renew:
                continue
            tokens[name] = secrets.token_urlsafe(18)
            if there:
                session.run("UPDATE assessors SET token = ? WHERE number = ?", (hashed(tokens[name]), there[0]))
            else:
                session.insert("assessors", ("name", "token", "team"), [(name, hashed(tokens[name]), team)])
    return tokens


def hashed(token: str) -> str:
    """What is kept of a token: who reads the file cannot judge in another's name."""
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()


def assessors(session: Session) -> list[Assessor]:
    """Everybody who judges."""
    return [Assessor(*row) for row in session.rows("SELECT number, name, team FROM assessors ORDER BY number")]


def assign(
    collection: Collection, groups: int = GROUPS, judges: int = 2, controls: float = CONTROLS, a_week: int | None = None
) -> int:
    """Gives out the work that nobody has yet: in groups, each to as many assessors; gives how many items that were.

    What is added to the pool later makes groups of the same size. Where there are teams, lists go to one team after the
    other and are judged by its members; with `a_week`, each team judges so many in a week, and the next week is for
    settling what its members disagree about.
    """
    if groups < 1 or judges < 1 or not 0 <= controls < 1 or (a_week is not None and a_week < 1):
        raise ParameterError("groups, judges and lists a week are 1 or more, and controls are a share below 1")
    with collection.database.write() as session:
        people = assessors(session)
        if len(people) < judges:
            raise ParameterError(f"{judges} assessors are wanted for each item, and there are {len(people)}")
        rows = session.rows(f"SELECT {ITEM} FROM items i WHERE i.part IS NULL AND i.role = 'work' ORDER BY i.number")
        items = [item_of(row) for row in rows]
        collection.settle("judges", str(judges))
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
        known = _controls(collection, session, random, len(items), controls) if controls else []
        for part, members in by_part.items():
            for assessor in who[part]:
                own = random.sample(known, min(len(known), _share(members, controls)))
                own += [item.number for item in members]
                random.shuffle(own)
                _give(session, assessor.number, own, "judge", random)
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
    busy = _busy(session, "judge")
    who = {}
    for part in range(begun + 1, begun + groups + 1):
        who[part] = min(teams, key=lambda pair: sorted((busy[one.number] for one in pair), reverse=True))
        for one in who[part]:
            busy[one.number] += sum(1 for place in parts.values() if place.part == part)
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


def _busy(session: Session, duty: str) -> Counter[int]:
    """How many tasks of a duty everybody has."""
    return Counter(dict(session.rows("SELECT assessor, count(*) FROM tasks WHERE duty = ? GROUP BY assessor", (duty,))))


def _share(members: Sequence[Item], controls: float) -> int:
    return max(1, round(len(members) * controls)) if controls else 0


def _controls(collection: Collection, session: Session, random: Random, work: int, share: float) -> list[int]:
    """Items whose answer nobody can miss: an article beside itself, and two that have no word of weight in common."""
    if collection.shape is not Shape.PAIR:
        return []
    many = max(2, min(MOST, round(work * share)))
    ids = [id for (id,) in session.rows("SELECT id FROM articles ORDER BY number")]
    same, other = ("yes", "no") if collection.meaning.symmetric else ("both", "none")
    texts = collection.articles(random.sample(ids, min(len(ids), 4 * many)))
    bags = {id: {word for word in each.text.casefold().split() if len(word) > 4} for id, each in texts.items()}
    wanted = [Wanted((id, id), known=same) for id in list(bags)[: many // 2] if bags[id]]
    pooled = {tuple(json.loads(ids)) for (ids,) in session.rows("SELECT articles FROM items WHERE role = 'work'")}
    for one, two in combinations(list(bags)[many // 2 :], 2):
        if len(wanted) >= many:
            break
        if bags[one] and bags[two] and not bags[one] & bags[two] and tuple(sorted((one, two))) not in pooled:
            # of one event in two languages no word is the same
            if collection.relation in ("semantic", "same") and texts[one].published == texts[two].published:
                continue
            if texts[one].lang == texts[two].lang:
                wanted.append(Wanted((one, two), known=other))
    put(session, Shape.PAIR, wanted, role="control")
    return [number for (number,) in session.rows("SELECT number FROM items WHERE role = 'control' ORDER BY number")]


def _give(session: Session, assessor: int, items: Sequence[int], duty: str, random: Random) -> None:
    """Puts tasks at the end of what somebody has to do; what they have is not given again."""
    there = {
        item for (item,) in session.rows("SELECT item FROM tasks WHERE assessor = ? AND duty = ?", (assessor, duty))
    }
    last = (session.one("SELECT coalesce(max(place), 0) FROM tasks WHERE assessor = ?", (assessor,)) or (0,))[0]
    fresh = [item for item in items if item not in there]
    session.insert(
        "tasks",
        ("assessor", "item", "duty", "place", "turned", "state"),
        [(assessor, item, duty, last + at, random.randrange(2), "open") for at, item in enumerate(fresh, 1)],
    )


def exercise(collection: Collection, answers: Mapping[tuple[str, ...], str], dry: bool = False) -> int:
    """Makes the exercise that comes before the work: articles, with the right answer. Gives how many there are.

    With `dry`, only looks whether it could be made.
    """
    check_known(collection, (id for articles in answers for id in articles))
    wanted = []
    for articles, answer in answers.items():
        known = answer
        if collection.shape is Shape.PAIR and tuple(sorted(articles)) != tuple(articles):
            known = turned(answer)  # the same two, in the order of their ids
        wanted.append(Wanted(articles, known=checked(collection.shape, collection.relation, articles, known)))
    if dry:
        return len(wanted)
    with collection.database.write() as session:
        put(session, collection.shape, wanted, role="exercise")
        return int((session.one("SELECT count(*) FROM items WHERE role = 'exercise'") or (0,))[0])


def begin_exercise(session: Session, assessor: int, seed: int) -> None:
    """Gives an assessor the exercises there are, before everything else."""
    rows = session.rows(
        "SELECT number FROM items WHERE role = 'exercise' AND number NOT IN"
        " (SELECT item FROM tasks WHERE assessor = ? AND duty = 'exercise') ORDER BY number",
        (assessor,),
    )
    if not rows:
        return
    first = (session.one("SELECT coalesce(min(place), 1) FROM tasks WHERE assessor = ?", (assessor,)) or (1,))[0]
    random = Random(f"{seed} {assessor}")
    session.insert(
        "tasks",
        ("assessor", "item", "duty", "place", "turned", "state"),
        [
            (assessor, item, "exercise", first - len(rows) + at, random.randrange(2), "open")
            for at, (item,) in enumerate(rows)
        ],
    )


def second_pass(collection: Collection) -> int:
    """Gives every item that was judged to one more who has not seen it; gives how many items that were."""
    with collection.database.write() as session:
        people = assessors(session)
        random = Random(f"{collection.seed} second")
        seen = _seen(session)
        busy: Counter[int] = Counter()
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
            chosen = min(free, key=lambda each: busy[each.number])
            busy[chosen.number] += 1
            own[chosen.number].append(item)
        for assessor, items in own.items():
            random.shuffle(items)
            _give(session, assessor, items, "second", random)
    return len(rows)


def _seen(session: Session) -> dict[int, set[int]]:
    out: dict[int, set[int]] = defaultdict(set)
    for item, assessor in session.rows("SELECT item, assessor FROM tasks"):
        out[item].add(assessor)
    return out


def arbitrate(collection: Collection) -> tuple[int, int]:
    """Gives every item about which its judges disagree to someone who has not judged it.

    Gives how many are to be settled, and for how many of them there is nobody.
    """
    with collection.database.write() as session:
        rows = session.rows("SELECT DISTINCT item FROM tasks WHERE duty IN ('judge', 'second') AND state = 'done'")
        found = [arbitrate_one(collection, session, item) for (item,) in rows]
    return sum(each is not None for each in found), sum(each is False for each in found)


def arbitrate_one(collection: Collection, session: Session, number: int) -> bool | None:
    """The same for one item. None: nothing is to be settled; False: it is, and there is nobody who could.

    Where judges have changed their minds and agree now, nobody is asked any more.
    """
    row = session.one(f"SELECT {ITEM} FROM items i WHERE i.number = ? AND i.role = 'work'", (number,))
    if row is None:
        return None
    item, withdraw = item_of(row), "UPDATE tasks SET state ="
    waiting = session.rows("SELECT number, state FROM tasks WHERE item = ? AND duty = 'arbitrate'", (number,))
    if not disagreed(collection.relation, item, said_about(session, number)):
        # not deleted: a page that somebody has open must never become one about another item
        session.run(f"{withdraw} 'withdrawn' WHERE item = ? AND duty = 'arbitrate' AND state != 'done'", (number,))
        return None
    if waiting:
        session.run(f"{withdraw} 'open' WHERE item = ? AND duty = 'arbitrate' AND state = 'withdrawn'", (number,))
        return True
    judged = {a for (a,) in session.rows("SELECT assessor FROM tasks WHERE item = ?", (number,))}
    teams = {each.team for each in assessors(session) if each.number in judged}
    free = [each for each in assessors(session) if each.number not in judged]
    # somebody of another team, where there are teams
    free = [each for each in free if each.team is None or each.team not in teams] or ([] if item.team else free)
    if not free:
        return False
    busy = _busy(session, "arbitrate")
    chosen = min(free, key=lambda each: (busy[each.number], each.number))
    _give(session, chosen.number, [number], "arbitrate", Random(f"{collection.seed} {number}"))
    return True


def team_of(given: str) -> tuple[str | None, list[str]]:
    """A team and its members as the command line has them: A=s1,s2; or members of none.

    >>> team_of("A=s1,s2"), team_of("s3")
    (('A', ['s1', 's2']), (None, ['s3']))
    """
    team, equals, members = given.rpartition("=")
    names = [name.strip() for name in members.split(",") if name.strip()]
    if not names or (equals and not team.strip()):
        raise InputError(f"assessors: names, or TEAM=NAME,NAME are wanted, got {given!r}")
    return (team.strip() or None), names
