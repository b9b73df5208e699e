"""How far assessors agree: kappas with what chance would give, by whoever judged together and by parts of the work."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from statistics import median

from samestory.collection.answers import Decided, decisions
from samestory.collection.collection import Collection, Item
from samestory.collection.controls import is_right
from samestory.collection.talks import Talk, talks, to_talk_over
from samestory.collection.votes import Said, all_said, disagreed
from samestory.measures import Ratings
from samestory.measures.cohen_kappa import CohenKappa
from samestory.measures.siegel_kappa import SiegelKappa

#: Below this kappa, and above this share of controls missed, something is wrong with the definition or an assessor.
LOW, MISSED = 0.6, 0.1
#: Of fewer decisions a kappa says nothing.
ENOUGH = 20
#: Who answers faster than this, in seconds, has not read.
FAST = 2.0


@dataclass(frozen=True, slots=True)
class Row:
    """Agreement of two in a part of the work; None where kappa is undefined, as only one answer was ever given."""

    by: str
    """What the part is: pair, group, week, team, query, all."""
    name: str
    assessors: tuple[str, ...]
    decisions: int
    """Yes or no, so many times by both."""
    agreed: int
    cohen: float | None
    siegel: float | None
    z: float | None
    band: str | None

    @property
    def raw(self) -> float:
        """The share of decisions that agree."""
        return self.agreed / self.decisions

    @property
    def verdict(self) -> str:
        """What the kappa is worth, in words."""
        if self.decisions < ENOUGH:
            return "too few to tell"
        return self.band or "one answer only"


@dataclass(frozen=True, slots=True)
class Watch:
    """How attentive somebody is."""

    assessor: str
    judged: int
    controls: int
    missed: int
    seconds: float | None
    """The median time of an answer."""


@dataclass(frozen=True, slots=True)
class Disagreement:
    """An item about which its judges disagree, or somebody is not sure."""

    item: int
    articles: tuple[str, ...]
    part: int | None
    query: str | None
    answers: tuple[tuple[str, str], ...]
    arbiter: tuple[str, str] | None
    questionable: bool
    comments: tuple[str, ...]
    is_open: bool
    """Whether it is to be talked over."""
    talked: bool
    """Whether somebody marked it so, or as talked over."""
    talks: tuple[str, ...]
    """What came of it, or what is to be talked about, the oldest first."""


@dataclass(frozen=True, slots=True)
class Agreement:
    """All that is known about how far assessors agree."""

    rows: tuple[Row, ...]
    pooled: Row | None
    mean: float | None
    """Cohen's kappa by group, for lists Siegel's by query, averaged; a part in which nobody ever said yes counts 1."""
    watched: tuple[Watch, ...]
    disagreements: tuple[Disagreement, ...]
    doubted: tuple[Disagreement, ...]
    """Items that somebody called questionable, or that are marked to be talked over; disagreed about or not."""
    warnings: tuple[str, ...]


#: One decision of two people.
_Both = tuple[Item, tuple[str, str], Decided, tuple[bool, bool]]


def agreement(collection: Collection) -> Agreement:
    """Measures it. Only those who were given an item to judge count, not who settles or does it once more."""
    with collection.database.read() as session:
        said = all_said(session)
        known = all_said(session, "control")
        teams: dict[str, str | None] = dict(session.rows("SELECT name, team FROM assessors"))
        talked, wanted = talks(session), set(to_talk_over(session))
    both = [one for item, answers in said for one in _both(collection.relation, item, answers)]
    parts: list[tuple[str, Callable[[_Both], object]]] = [
        ("pair", lambda one: ", ".join(one[1])),
        ("group", lambda one: one[0].part if one[0].query is None else None),
        ("week", lambda one: one[0].week),
        ("team", lambda one: teams.get(one[1][0]) if teams.get(one[1][0]) == teams.get(one[1][1]) else None),
        ("query", lambda one: one[0].query),
    ]
    rows = [row for by, key in parts for row in _rows(by, key, both)]
    pooled = _row("all", "all", both) if both else None
    by_part = [row for row in rows if row.by == ("query" if any(one[0].query for one in both) else "group")]
    kappas = [1.0 if kappa is None else kappa for row in by_part for kappa in (_mean_of(row),)]
    watched = _watched(said, known)
    told = {
        item.number: _told(item, answers, item.number in wanted, talked.get(item.number, ())) for item, answers in said
    }
    unlike = tuple(told[item.number] for item, answers in said if disagreed(collection.relation, item, answers))
    doubted = tuple(each for each in told.values() if each.questionable or each.item in talked)
    mean = sum(kappas) / len(kappas) if kappas else None
    return Agreement(tuple(rows), pooled, mean, watched, unlike, doubted, tuple(_warnings(rows, pooled, watched)))


def _mean_of(row: Row) -> float | None:
    return row.siegel if row.by == "query" else row.cohen


def _both(relation: str, item: Item, said: Sequence[Said]) -> Iterator[_Both]:
    judges = [each for each in said if each.duty == "judge"]
    for one, other in combinations(judges, 2):
        first, second = (decisions(item.shape, relation, item.articles, each.answer) for each in (one, other))
        for about, yes in first.items():
            yield item, (one.assessor, other.assessor), about, (yes, second[about])


def _rows(by: str, key: Callable[[_Both], object], both: Iterable[_Both]) -> list[Row]:
    parts: dict[object, list[_Both]] = defaultdict(list)
    for one in both:
        if (part := key(one)) is not None:
            parts[part].append(one)
    return [_row(by, str(part), parts[part]) for part in sorted(parts, key=lambda p: (str(type(p)), p))]


def _row(by: str, name: str, both: Sequence[_Both]) -> Row:
    # the same person in the same column, so that habits can be told from chance
    ratings = Ratings([["yes" if yes else "no" for yes in answers] for *_, answers in both])
    test = SiegelKappa().test(ratings)
    people = tuple(sorted({name for _, pair, *_ in both for name in pair}))
    return Row(
        by,
        name,
        people,
        len(both),
        sum(one == other for *_, (one, other) in both),
        CohenKappa().point(ratings),
        None if test is None else test.kappa,
        None if test is None else test.z,
        None if test is None else test.band,
    )


def _watched(said: Sequence[tuple[Item, list[Said]]], known: Sequence[tuple[Item, list[Said]]]) -> tuple[Watch, ...]:
    judged: dict[str, int] = defaultdict(int)
    seconds: dict[str, list[float]] = defaultdict(list)
    right: dict[str, list[bool]] = defaultdict(list)
    for _, answers in said:
        for each in answers:
            judged[each.assessor] += 1
            if each.seconds is not None:
                seconds[each.assessor].append(each.seconds)
    for item, answers in known:
        for each in answers:
            right[each.assessor].append(is_right(item.known, each.answer))
    return tuple(
        Watch(
            name,
            judged[name],
            len(right[name]),
            right[name].count(False),
            median(seconds[name]) if seconds[name] else None,
        )
        for name in sorted({*judged, *right})
    )


def _told(item: Item, answers: Sequence[Said], is_open: bool, talked: Sequence[Talk]) -> Disagreement:
    last = next(((each.assessor, each.answer) for each in answers if each.duty == "arbitrate"), None)
    return Disagreement(
        item.number,
        item.articles,
        item.part,
        item.query,
        tuple((each.assessor, each.answer) for each in answers if each.duty != "arbitrate"),
        last,
        any(each.questionable for each in answers),
        tuple(each.comment for each in answers if each.comment),
        is_open,
        bool(talked),
        tuple(each.note for each in talked if each.note),
    )


def _warnings(rows: Sequence[Row], pooled: Row | None, watched: Sequence[Watch]) -> Iterator[str]:
    for row in rows if pooled is None else [pooled, *rows]:
        name = row.name if row.by in ("all", "pair") else f"{row.by} {row.name}"
        if row.decisions < ENOUGH:
            # of groups and queries the table says so
            if row.by in ("all", "pair"):
                yield f"{name}: decisions that two made: {row.decisions}, too few to tell how far they agree"
        elif row.siegel is not None and row.siegel < LOW:
            yield f"{name}: κ {row.siegel:.2f} is below {LOW}: is the definition understood alike?"
    for each in watched:
        if each.missed > MISSED * each.controls:
            yield f"{each.assessor}: missed {each.missed} of {each.controls} controls whose answer is known"
        if each.seconds is not None and each.seconds < FAST and each.judged >= 10:
            yield f"{each.assessor}: half of the answers came within {each.seconds:.1f} seconds"


def written(found: Agreement) -> list[str]:
    """The same as lines of JSON."""
    rows = found.rows if found.pooled is None else (*found.rows, found.pooled)
    return [
        json.dumps(line, ensure_ascii=False)
        for line in (
            *({"agreement": row.by, **_plain(row), "raw": row.raw, "verdict": row.verdict} for row in rows),
            *({"agreement": "mean", "kappa": found.mean} for _ in range(found.mean is not None)),
            *({"assessor": each.assessor, **_plain(each)} for each in found.watched),
            *({"disagreement": each.item, **_plain(each)} for each in found.disagreements),
            *({"questionable": each.item, **_plain(each)} for each in found.doubted),
            *({"warning": warning} for warning in found.warnings),
        )
    ]


def _plain(row: Row | Watch | Disagreement) -> dict[str, object]:
    return {name: getattr(row, name) for name in row.__slots__}
