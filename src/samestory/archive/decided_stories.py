"""The stories that follow from the measured groups and the decisions of editors.

    decided_stories({"a": 1, "b": 1, "c": 3}, [DecisionEntry(1, "move", (("a",), ("b",)), story=4)])
    # {"a": 1, "b": 4, "c": 3}

The decisions are applied in their order. *move*, *split* and *apart* are cuts: their leaving articles leave the stories
that also have staying ones. *join* and *same* are unions: the stories of their sides become one, under the lowest
number. Nothing else depends on the order in which decisions were made and undone: without decisions, every article is
in its measured group again, under its number.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from samestory.errors import DecisionError
from samestory.groups.decisions import APART, JOIN, MOVE, SAME, SPLIT, UNDO

CUTS, UNIONS = (APART, MOVE, SPLIT), (SAME, JOIN)

Sides = tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class DecisionEntry:
    """A decision in the log of an archive."""

    number: int
    what: str
    """same, apart, move, split, join, or undo."""
    sides: Sides = ()
    """The articles, by id. same, join: of each story; apart, move, split: those that stay, and those that leave."""
    followers: Sides = ()
    """Articles that arrived later and follow the most related one of a side."""
    story: int | None = None
    """The number of the story that it opened."""
    who: str = ""
    why: str = ""
    at: int = 0
    """Microseconds since 1970."""
    undoes: int | None = None
    undone_by: int | None = None
    """The decision that undid or replaced it."""

    @property
    def is_cut(self) -> bool:
        """Whether it separates articles."""
        return self.what in CUTS

    def side(self, number: int) -> tuple[str, ...]:
        """Return the articles of a side, followers included."""
        return self.sides[number] + (self.followers[number] if number < len(self.followers) else ())

    def __str__(self) -> str:
        first = [side[0] for side in self.sides if side]
        leaving = len(self.sides[1]) if self.is_cut and len(self.sides) > 1 else 0
        return {
            SAME: lambda: f"{' and '.join(first)} are the same story",
            APART: lambda: f"{' and '.join(first)} are not the same story",
            MOVE: lambda: f"{_some(self.sides[1], leaving)} moved out of the story of {first[0]}",
            SPLIT: lambda: f"{_some(self.sides[1], leaving)} split off the story of {first[0]}",
            JOIN: lambda: f"the stories of {' and '.join(first)} joined",
            UNDO: lambda: f"decision {self.undoes} undone",
        }[self.what]()


def _some(ids: Sequence[str], count: int) -> str:
    return ids[0] if count == 1 else f"{ids[0]} and {count - 1:,} more"


def _rank(number: int) -> tuple[bool, int]:
    """Sort stories by number, those without one yet last."""
    return number < 0, abs(number)


class _Parts:
    """A partition of articles into numbered stories."""

    def __init__(self, groups: Mapping[str, int]) -> None:
        self.number = dict(groups)
        self.members: dict[int, set[str]] = {}
        for id, number in groups.items():
            self.members.setdefault(number, set()).add(id)

    def move(self, ids: Iterable[str], to: int) -> None:
        for id in ids:
            own = self.members[self.number[id]]
            own.discard(id)
            if not own:
                del self.members[self.number[id]]
            self.members.setdefault(to, set()).add(id)
            self.number[id] = to

    def merge(self, numbers: Iterable[int]) -> None:
        kept, *others = sorted(numbers, key=_rank)
        for other in others:
            self.move(list(self.members[other]), kept)

    def home(self, ids: Iterable[str]) -> int | None:
        """Return the story that most of these articles are in, the lowest number first; None if all are absent."""
        counts = Counter(self.number[id] for id in ids if id in self.number)
        return min(counts, key=lambda number: (-counts[number], _rank(number)), default=None)

    def shared(self, entry: DecisionEntry) -> list[int]:
        """Return the stories that have staying and leaving articles of a cut."""
        stay, leave = ({self.number[id] for id in entry.side(n) if id in self.number} for n in (0, 1))
        return sorted(stay & leave)

    def homes(self, entry: DecisionEntry) -> set[int]:
        """Return the stories of the sides of a union."""
        homes = (self.home(entry.side(n)) for n in range(len(entry.sides)))
        return {number for number in homes if number is not None}

    def holds(self, entry: DecisionEntry) -> bool:
        return not self.shared(entry) if entry.is_cut else len(self.homes(entry)) < 2


def decided_stories(groups: Mapping[str, int], entries: Sequence[DecisionEntry]) -> dict[str, int]:
    """Return the number of the story of every article, given those of the measured groups.

    A story that a decision opens, and that has no number yet, has the negative number of the decision.
    """
    return _apply(groups, entries).number


def _apply(groups: Mapping[str, int], entries: Sequence[DecisionEntry]) -> _Parts:
    parts, cuts, unions = _Parts(groups), list[DecisionEntry](), list[DecisionEntry]()
    for entry in entries:
        opened = -entry.number if entry.story is None else entry.story
        if entry.is_cut:
            shared, leave = parts.shared(entry), entry.side(1)
            parts.move([id for id in leave if parts.number.get(id) in shared], opened)
            cuts.append(entry)
        else:
            for other in range(1, len(entry.sides)):
                _unite(parts, entry, (0, other), opened, cuts, unions)
            unions.append(entry)
    return parts


def _unite(
    parts: _Parts,
    entry: DecisionEntry,
    sides: tuple[int, int],
    opened: int,
    cuts: Sequence[DecisionEntry],
    unions: Sequence[DecisionEntry],
) -> None:
    """Merge the stories of two sides; where cuts forbid it, the second side moves, or the first, or both."""
    homes = [parts.home(entry.side(n)) for n in sides]
    if None in homes or homes[0] == homes[1]:
        return
    one, other = (parts.members[home] for home in homes if home is not None)
    if _cut_between(cuts, one, other) is None:
        parts.merge(home for home in homes if home is not None)
        return
    blocks = [
        _block(parts, [i for i in entry.side(n) if parts.number.get(i) == h], unions)
        for n, h in zip(sides, homes, strict=True)
    ]
    for moving, staying, to in (
        (blocks[1], one, homes[0]),
        (blocks[0], other, homes[1]),
        (blocks[0] | blocks[1], (), opened),
    ):
        halves = (blocks[0], blocks[1]) if to == opened else (moving, staying)
        if to is not None and _cut_between(cuts, *halves) is None:
            parts.move(sorted(moving), to)
            return


def _block(parts: _Parts, ids: Sequence[str], unions: Sequence[DecisionEntry]) -> set[str]:
    """Return articles of one story, and those that unions connect with them in it."""
    inside, block = parts.members[parts.number[ids[0]]], set(ids)
    found = True
    while found:
        found = False
        for entry in unions:
            linked = {id for n in range(len(entry.sides)) for id in entry.side(n) if id in inside}
            if linked & block and not linked <= block:
                block |= linked
                found = True
    return block


def _cut_between(
    cuts: Sequence[DecisionEntry], one: Iterable[str], other: Iterable[str]
) -> tuple[DecisionEntry, str, str] | None:
    """Return a cut between two sets of articles, with an article of each."""
    one, other = set(one), set(other)
    for cut in cuts:
        stay, leave = cut.side(0), cut.side(1)
        for here, there in ((one, other), (other, one)):
            left, right = (
                next((id for id in ids if id in among), None) for ids, among in ((stay, here), (leave, there))
            )
            if left is not None and right is not None:
                return cut, left, right
    return None


def check_consistent(groups: Mapping[str, int], entries: Sequence[DecisionEntry], new: DecisionEntry) -> None:
    """Raise a DecisionError if a new decision contradicts those in force, naming the decisions of the chain."""
    before = _apply(groups, entries)
    if not new.is_cut:
        cuts = [entry for entry in entries if entry.is_cut]
        homes = sorted(before.homes(new))
        for at, one in enumerate(homes):
            for other in homes[at + 1 :]:
                found = _cut_between(cuts, before.members[one], before.members[other])
                if found is not None:
                    raise _contradiction(groups, entries, new, *found)
        return
    after = _apply(groups, [*entries, new])
    broken = [entry for entry in entries if before.holds(entry) and not after.holds(entry)]
    if broken:
        raise DecisionError(_chain(broken), "undo one of them first")


def _contradiction(
    groups: Mapping[str, int],
    entries: Sequence[DecisionEntry],
    new: DecisionEntry,
    cut: DecisionEntry,
    left: str,
    right: str,
) -> DecisionError:
    """Return the error about a union that a cut forbids, with the unions that lead from its sides to the cut."""
    links: list[DecisionEntry] = []
    for side in range(len(new.sides)):
        present = [id for id in new.side(side) if id in groups]
        for end in (left, right):
            for id in present[:1]:
                links += linking(groups, entries, id, end) or ()
    chain = sorted({entry.number: entry for entry in (*links, cut)}.items())
    return DecisionError(_chain([entry for _, entry in chain]), "undo one of them first")


def _chain(entries: Sequence[DecisionEntry]) -> str:
    named = ", ".join(f"{entry.number} ({entry})" for entry in entries)
    return f"decision {named} contradicts it" if len(entries) == 1 else f"decisions {named} contradict it"


def linking(
    groups: Mapping[str, int], entries: Sequence[DecisionEntry], left: str, right: str, pairs: bool = False
) -> list[DecisionEntry] | None:
    """Return the unions of the shortest chain that leads from one article to another; None if there is none.

    With `pairs`, only chains of pairs that were decided to be the same story, not through measured groups.
    """
    if pairs:
        entries = [entry for entry in entries if entry.what == SAME]
        place: dict[str, object] = {id: id for id in groups}
    else:
        place = dict(_apply(groups, [entry for entry in entries if entry.is_cut]).number)
    edges: dict[object, list[tuple[DecisionEntry, object]]] = {}
    for entry in entries:
        if not entry.is_cut:
            ends = {place[id] for n in range(len(entry.sides)) for id in entry.side(n) if id in place}
            for end in ends:
                edges.setdefault(end, []).extend((entry, other) for other in ends if other != end)
    if left not in place or right not in place:
        return None
    paths: dict[object, list[DecisionEntry]] = {place[left]: []}
    queue = deque(paths)
    while queue:
        at = queue.popleft()
        if at == place[right]:
            return paths[at]
        for entry, other in edges.get(at, ()):
            if other not in paths:
                paths[other] = [*paths[at], entry]
                queue.append(other)
    return None
