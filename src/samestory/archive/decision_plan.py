"""What a decision of an editor changes: computed from the database, before anything is written.

A preview returns the plan; `Archive.apply` writes the same plan.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace

from samestory.archive import decision_log, log
from samestory.archive.decided_stories import (
    DecisionEntry,
    Sides,
    check_consistent,
    decided_stories,
    linking,
)
from samestory.database import Session
from samestory.errors import DecisionError
from samestory.groups.decisions import APART, JOIN, MOVE, SAME, SPLIT, UNDO
from samestory.model import check_ids
from samestory.stream import Change

#: The articles of a story that a decision lists at most: the first half and the last half of them.
MAX_LISTED_ARTICLES = 1000

_ARTICLES = "SELECT id, story, measured, coalesce(at, arrived), number, likeness FROM articles WHERE"


@dataclass(frozen=True, slots=True)
class Decision:
    """A decision of an editor about stories.

    >>> Decision("move", articles=("a",)), Decision("join", stories=(3, 7)), Decision("undo", number=12)
    (Decision('move', ('a',)), Decision('join', stories=(3, 7)), Decision('undo', number=12))
    """

    what: str
    """`same` or `apart`: two articles. `move`: these articles, and those with the same words, leave their story.
    `split`: only these leave it. `join`: these stories become one. `undo`: a decision of the log."""
    articles: tuple[str, ...] = ()
    stories: tuple[int, ...] = ()
    number: int | None = None
    """The decision to undo."""

    def __repr__(self) -> str:
        fields = [repr(self.what), *([repr(self.articles)] if self.articles else [])]
        fields += [f"{name}={value!r}" for name in ("stories", "number") if (value := getattr(self, name))]
        return f"Decision({', '.join(fields)})"


@dataclass(frozen=True, slots=True)
class ArticleMove:
    """An article and the numbers of its stories before and after a decision."""

    article: str
    before: int
    after: int


@dataclass(frozen=True, slots=True)
class DecidedStory:
    """A story as a decision leaves it, with its articles in chronological order."""

    number: int
    articles: tuple[str, ...]
    is_new: bool
    """Whether no story has this number before."""


@dataclass(frozen=True, slots=True)
class DecisionPreview:
    """What will be where after a decision."""

    stories: tuple[DecidedStory, ...]
    """The stories that change; a new number is the next free one when the decision is made."""
    moves: tuple[ArticleMove, ...]
    vanished: tuple[int, ...] = ()
    """The numbers that no story has afterwards; their addresses lead to the stories of their articles."""


@dataclass(frozen=True, slots=True)
class AppliedDecision:
    """A decision that was made: its number in the log, and the changes to stories."""

    number: int | None
    """None if it was in force already."""
    changes: list[Change]


@dataclass(slots=True)
class _Row:
    """An article of a component."""

    id: str
    story: int
    measured: int | None
    place: tuple[int, int]
    """Its place in chronological order."""
    likeness: int

    @property
    def label(self) -> int:
        return self.story if self.measured is None else self.measured


@dataclass(slots=True)
class Component:
    """Stories and measured groups that have articles in common, or that decisions connect."""

    rows: dict[str, _Row] = field(default_factory=dict)
    entries: list[DecisionEntry] = field(default_factory=list)
    """The decisions in force about its articles, oldest first."""

    @property
    def labels(self) -> dict[str, int]:
        """The number of the measured group of every article."""
        return {row.id: row.label for row in self.rows.values()}

    def in_story(self, number: int) -> list[_Row]:
        """Return the articles of a story in chronological order."""
        return self.sorted(row.id for row in self.rows.values() if row.story == number)

    def sorted(self, ids: Iterable[str]) -> list[_Row]:
        """Return articles in chronological order."""
        return sorted((self.rows[id] for id in ids), key=lambda row: row.place)


def load_component(session: Session, ids: Iterable[str], stories: Collection[int] = ()) -> Component:
    """Load the stories of some articles, and all that decisions and measured groups connect with them."""
    out, entries = Component(), dict[int, DecisionEntry]()
    wanted_ids, wanted = set(ids), set(stories)
    known_ids, known = set[str](), set[int]()
    while wanted_ids - known_ids or wanted - known:
        new_ids, new = sorted(wanted_ids - known_ids), sorted(wanted - known)
        known_ids |= wanted_ids
        known |= wanted
        rows = session.rows_among(f"{_ARTICLES} id IN ({{}})", new_ids)
        for column in ("story", "measured"):
            rows += session.rows_among(f"{_ARTICLES} {column} IN ({{}})", new)
        found = [_Row(id, story, measured, (time, at), like) for id, story, measured, time, at, like in rows]
        added = [row for row in found if row.id not in out.rows]
        out.rows.update((row.id, row) for row in added)
        wanted |= {row.story for row in added} | {row.label for row in added}
        for entry in decision_log.entries_in_force(session, sorted({*(row.id for row in added), *new_ids})):
            if entry.number not in entries:
                entries[entry.number] = entry
                wanted_ids |= {id for side in range(len(entry.sides)) for id in entry.side(side)}
    out.entries = [entries[number] for number in sorted(entries)]
    return out


@dataclass(slots=True)
class DecisionPlan:
    """A decision with all that it changes."""

    component: Component
    entry: DecisionEntry | None
    """The entry to append; None if the decision is in force already."""
    gone: list[DecisionEntry]
    """The decisions that it undoes or replaces."""
    in_force: list[DecisionEntry]
    """All decisions in force afterwards, with the numbers of the stories that they opened."""
    stories: dict[str, int]
    """The number of the story of every article afterwards."""

    @property
    def moves(self) -> list[ArticleMove]:
        """The articles that change their story, in chronological order."""
        rows = self.component.sorted(self.stories)
        return [
            ArticleMove(row.id, row.story, self.stories[row.id]) for row in rows if row.story != self.stories[row.id]
        ]

    def preview(self) -> DecisionPreview:
        """Return what will be where."""
        moves = self.moves
        before = {row.story for row in self.component.rows.values()}
        members: dict[int, list[str]] = {}
        for row in self.component.sorted(self.stories):
            members.setdefault(self.stories[row.id], []).append(row.id)
        changed = {number for move in moves for number in (move.before, move.after)}
        stories = [
            DecidedStory(number, tuple(members[number]), number not in before)
            for number in sorted(changed & members.keys())
        ]
        return DecisionPreview(tuple(stories), tuple(moves), tuple(sorted(changed & before - members.keys())))

    def changes(self) -> list[Change]:
        """Return the changes to stories: first articles that leave, then stories that become part of others."""
        left: dict[int, dict[int, list[str]]] = {}
        for row in self.component.sorted(self.stories):
            left.setdefault(row.story, {}).setdefault(self.stories[row.id], []).append(row.id)
        splits, merges = [], []
        for story, parts in sorted(left.items()):
            # the part that keeps the number, or else the largest, does not split off
            rest = story if story in parts else max(parts, key=lambda number: (len(parts[number]), -number))
            splits += [Change("split", story, tuple(ids), to) for to, ids in sorted(parts.items()) if to != rest]
            merges += [Change("merged", rest, (), story)] if rest != story else []
        return splits + merges


def plan(session: Session, decision: Decision, who: str = "", why: str = "", at: int = 0) -> DecisionPlan:
    """Return what a decision changes; raise a DecisionError if it contradicts those in force, or decides nothing."""
    if decision.what == UNDO:
        return _plan_undo(session, decision, who, why, at)
    number = decision_log.next_number(session)
    prefix = _prefix(decision)
    try:
        component, sides = _sides(session, decision)
        gone = [each for each in component.entries if decision.what in (SAME, APART) and _is_pair(each, decision)]
        if any(each.what == decision.what for each in gone):
            labels = {row.id: row.story for row in component.rows.values()}
            return DecisionPlan(component, None, [], component.entries, labels)
        others = [each for each in component.entries if each not in gone]
        if decision.what == APART:
            sides = _with_same(component, others, sides)
        entry = DecisionEntry(number, decision.what, sides, who=who, why=why, at=at)
        check_consistent(component.labels, others, entry)
    except DecisionError as error:
        raise DecisionError(f"{prefix}: {error.detail}", error.hint) from None
    return _planned(session, component, entry, gone, [*others, entry])


def _plan_undo(session: Session, decision: Decision, who: str, why: str, at: int) -> DecisionPlan:
    number = decision.number or 0
    found = decision_log.entry(session, number)
    if found is None:
        raise DecisionError(f"there is no decision {number}", "samestory index decisions DB lists them")
    if found.what == UNDO:
        raise DecisionError(f"decision {number} is an undo of {found.undoes}", "make that decision again")
    if found.undone_by is not None:
        raise DecisionError(f"decision {number} is not in force: {found.undone_by} undid or replaced it")
    component = load_component(session, [id for side in range(len(found.sides)) for id in found.side(side)])
    entry = DecisionEntry(decision_log.next_number(session), UNDO, who=who, why=why, at=at, undoes=number)
    others = [each for each in component.entries if each.number != number]
    return _planned(session, component, entry, [found], others)


def _planned(
    session: Session,
    component: Component,
    entry: DecisionEntry,
    gone: list[DecisionEntry],
    in_force: Sequence[DecisionEntry],
) -> DecisionPlan:
    """Apply decisions to a component; the stories that they open have the next free numbers."""
    in_force, stories = apply_entries(component.labels, in_force, log.last_story(session))
    entry = next((each for each in in_force if each.number == entry.number), entry)
    return DecisionPlan(component, entry, gone, in_force, stories)


def apply_entries(
    labels: dict[str, int], entries: Sequence[DecisionEntry], last: int
) -> tuple[list[DecisionEntry], dict[str, int]]:
    """Return decisions with the numbers of the stories that they open, and the story of every article."""
    nameless = [each.number for each in entries if each.story is None]
    offered = {number: last + place for place, number in enumerate(nameless, 1)}
    stories = decided_stories(labels, [replace(each, story=offered.get(each.number, each.story)) for each in entries])
    used = sorted(set(offered.values()) & set(stories.values()))
    # without gaps, so that the numbers are those of the preview
    final = {number: last + place for place, number in enumerate(used, 1)}
    named = [replace(each, story=final.get(offered.get(each.number, 0), each.story)) for each in entries]
    return named, {id: final.get(number, number) if number > last else number for id, number in stories.items()}


def _sides(session: Session, decision: Decision) -> tuple[Component, Sides]:
    """Return the articles of a decision, and the component that they are in."""
    if decision.what == JOIN:
        return _sides_of_join(session, decision)
    if decision.what not in (SAME, APART, MOVE, SPLIT):
        raise DecisionError(f"a decision is same, apart, move, split, join or undo, got {decision.what!r}")
    ids = tuple(dict.fromkeys(decision.articles))
    component = load_component(session, ids)
    if decision.what in (SAME, APART) and len(decision.articles) != 2:
        raise DecisionError(f"expected two articles, got {len(decision.articles)}")
    if decision.what in (SAME, APART):
        try:
            check_ids(*decision.articles)
        except ValueError as error:
            raise DecisionError(str(error)) from None
    if not ids:
        raise DecisionError("expected an article")
    if absent := [id for id in ids if id not in component.rows]:
        raise DecisionError(f"no article has the id {absent[0]!r}")
    rows = component.sorted(ids)
    if decision.what == SAME:
        return component, ((ids[0],), (ids[1],))
    if decision.what == APART:
        earlier, later = sorted(rows, key=lambda row: (row.place[0], row.id))
        return component, ((earlier.id,), (later.id,))
    stories = {row.story for row in rows}
    if len(stories) > 1:
        raise DecisionError(f"they are in {len(stories)} stories", "decide about the articles of one story")
    members = component.in_story(rows[0].story)
    likeness = {row.likeness for row in rows if row.likeness} if decision.what == MOVE else set()
    leaving = [row for row in members if row.id in ids or row.likeness in likeness]
    staying = [row for row in members if row not in leaving]
    if not staying:
        copies = "its other articles are identical copies" if len(leaving) > len(ids) else "no article would stay"
        raise DecisionError(copies, "split the story, which moves no copies" if len(leaving) > len(ids) else "")
    return component, (_listed(staying), tuple(row.id for row in leaving))


def _sides_of_join(session: Session, decision: Decision) -> tuple[Component, Sides]:
    numbers = tuple(dict.fromkeys(decision.stories))
    if len(numbers) < 2:
        raise DecisionError("expected two stories or more")
    component = load_component(session, (), numbers)
    sides = []
    for number in numbers:
        members = component.in_story(number)
        if not members:
            raise DecisionError(f"there is no story {number}")
        sides.append(_listed(members))
    return component, tuple(sides)


def _listed(rows: Sequence[_Row]) -> tuple[str, ...]:
    half = MAX_LISTED_ARTICLES // 2
    few = rows if len(rows) <= MAX_LISTED_ARTICLES else [*rows[:half], *rows[-half:]]
    return tuple(row.id for row in few)


def _with_same(component: Component, entries: Sequence[DecisionEntry], sides: Sides) -> Sides:
    """Return the sides of a pair decided apart: articles decided to be the same as the leaving one leave with it."""
    (stays,), (leaves,) = sides
    labels = component.labels
    chain = linking(labels, entries, stays, leaves, pairs=True)
    if chain:
        named = ", ".join(f"{each.number} ({each})" for each in chain)
        verb = "decisions {} contradict it" if len(chain) > 1 else "decision {} contradicts it"
        raise DecisionError(verb.format(named), "undo one of them first")
    same = {id for each in entries if each.what == SAME for side in each.sides for id in side if id in labels}
    others = sorted(id for id in same - {leaves} if linking(labels, entries, leaves, id, pairs=True) is not None)
    return (stays,), (leaves, *others)


def _is_pair(entry: DecisionEntry, decision: Decision) -> bool:
    """Whether a decision in force is about the same two articles."""
    if entry.what not in (SAME, APART):
        return False
    return {entry.sides[0][0], entry.sides[1][0]} == set(decision.articles)


def _prefix(decision: Decision) -> str:
    """Return what cannot be done, in words."""
    articles = " and ".join(decision.articles[:2]) + (" and others" if len(decision.articles) > 2 else "")
    stories = " and ".join(map(str, decision.stories))
    return {
        MOVE: f"{articles} cannot be moved out of the story",
        SPLIT: f"{articles} cannot be split off the story",
        JOIN: f"stories {stories} cannot be joined",
    }.get(decision.what, f"{articles} cannot be decided to be {decision.what}")
