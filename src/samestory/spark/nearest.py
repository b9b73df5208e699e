"""What stands nearest outside a group, and why it is outside.

Groups open one after the other, the best representative first. Of the candidates of a representative those that were
free when its turn came are compared with it; of those that were taken before, for a group of several, only the one that
shares most keys. Who was taken before whom follows from the ranks of the representatives, so every part of the pairs
can say what it knows, and the home of the representative chooses.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from samestory import _core
from samestory.detectors import Detector, Native
from samestory.groups import Choice
from samestory.model import KINDS, Kind, Overlaps
from samestory.spark.census import Census
from samestory.spark.comparing import Compared
from samestory.spark.layout import NEW
from samestory.spark.ranks import places, ranks
from samestory.spark.relations import Lots, dated

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Numbers = NDArray[np.int64]

#: Why a compared article that is not related is outside, by the number of the reason.
_WHYS = {2: "same template, other facts", 3: "other facts", 4: "same template, other facts", 5: "too many days apart"}
_APART, _OTHERWISE, _TAKEN, _FORBIDDEN = (
    "below the threshold",
    "related in another way",
    "in another group",
    "decided to be apart",
)
assert set(_WHYS) <= set(_core.WHYS)


class Seen(NamedTuple):
    """A candidate of a representative."""

    representative: int
    was_free: bool
    worth: float
    """The share of those that were free; the keys of the others."""
    place: tuple[Any, ...]
    """The first of equals counts: by its original and itself; by its rank, where somebody keeps articles apart."""
    nearest: tuple[Any, ...]
    """Id, shares, why."""


class Taken(NamedTuple):
    """Articles that are in groups of several, with the representative of each, its rank, and whether it is alone."""

    numbers: Numbers
    representatives: Numbers
    ranks: list[bytes]


def seen(found: Compared, taken: list[Taken], census: Census, choice: Choice, detector: Detector) -> list[Seen]:
    """The nearest candidates of the representatives of a part, as far as its pairs tell."""
    import numpy as np

    lots, own, is_native = Lots.of(found, census), np.arange(len(found.numbers)), isinstance(detector, Native)
    if not len(own):
        return []
    all_ranks = ranks(found.about, choice)
    own_ranks = list(all_ranks) if choice.decisions.apart else None
    leader, several = found.numbers.copy(), np.zeros(len(own), np.bool_)
    for numbers, representatives, theirs in taken:
        rows = found.rows(numbers)
        leader[rows], several[rows] = representatives, True
        for row, rank in zip(rows.tolist(), theirs, strict=True):
            all_ranks[row] = rank
    # of a member that is the rank of its representative: with it comes its turn
    turn = places(all_ranks)
    pairs = np.arange(len(found.left)) if is_native else np.flatnonzero(found.kinds)
    both = np.concatenate([pairs, pairs[found.left[pairs] != found.right[pairs]]])
    flipped = np.arange(len(both)) >= len(pairs)
    mine = found.rows(np.where(flipped, found.right[both], found.left[both]))
    other = found.rows(np.where(flipped, found.left[both], found.right[both]))
    me, place = lots.spread(mine)
    is_leader = leader[me] == found.numbers[me]
    me, place = me[is_leader], place[is_leader]
    them, at = lots.spread(other[place])
    view = _View(found, own_ranks, leader, turn, several, choice, detector)
    return view.best(me[at], them, other[place][at], both[place][at], flipped[place][at], at)


class _View:
    """Rows of (representative, candidate), with all that is known of them."""

    def __init__(
        self,
        found: Compared,
        own_ranks: list[bytes] | None,
        leader: Any,
        turn: Any,
        several: Any,
        choice: Choice,
        detector: Detector,
    ) -> None:
        self.found, self.leader, self.turn, self.several = found, leader, turn, several
        self.choice, self.detector, self.is_native = choice, detector, isinstance(detector, Native)
        self.own_ranks = own_ranks
        self.own_places = None if own_ranks is None else places(own_ranks)

    def best(self, me: Any, them: Any, original: Any, pair: Any, flipped: Any, question: Any) -> list[Seen]:
        """The best of those that were free, and of those that were not, of every representative."""
        import numpy as np

        found, is_old = self.found, self.found.numbers < NEW
        fits = (me != them) & ~(is_old[me] & is_old[them])
        was_free = fits & (self.turn[them] >= self.turn[me])
        outside = was_free & (self.leader[them] != found.numbers[me])
        shares = np.maximum(found.forward[pair], found.backward[pair])
        # copies of an original are one candidate, and free if any of them was
        open_question = np.bincount(question[was_free], minlength=question.max(initial=-1) + 1) > 0
        if self.is_native:
            taken = (them == original) & ~open_question[question] & ~(is_old[me] & is_old[original])
            taken &= self.several[me] & (me != them) & (found.left[pair] != found.right[pair])
            worth, first = found.shared[pair].astype(np.float64), original
        else:
            taken, worth, first = fits & ~was_free, shares, them
        out = []
        for rows, is_free in ((np.flatnonzero(outside), True), (np.flatnonzero(taken), False)):
            value = shares[rows] if is_free else worth[rows]
            before = first[rows] if self.own_places is None or not is_free else self.own_places[them[rows]]
            order = np.lexsort((them[rows], before, -value, me[rows]))
            rows, value = rows[order], value[order]
            heads = np.flatnonzero(np.r_[True, me[rows][1:] != me[rows][:-1]]) if len(rows) else rows
            for at in heads.tolist():
                out.append(self._seen(me, them, first, pair, flipped, int(rows[at]), float(value[at]), is_free))
        return out

    def _seen(
        self, me: Any, them: Any, first: Any, pair: Any, flipped: Any, row: int, worth: float, is_free: bool
    ) -> Seen:
        import numpy as np

        found, one, other, at = self.found, int(me[row]), int(them[row]), int(pair[row])
        forward, backward, kind = float(found.forward[at]), float(found.backward[at]), int(found.kinds[at])
        if flipped[row]:
            forward, backward = backward, forward
            kind = KINDS.index(KINDS[kind].flipped)
        rows = (np.array([one]), np.array([other]))
        overlaps = Overlaps(
            np.array([forward]),
            np.array([backward]),
            np.array([kind], np.uint8),
            found.whys[at : at + 1],
            found.scores[at : at + 1],
        )
        kinds, _, whys, _ = dated(found, self.detector, *rows, overlaps)
        why = self._why(int(kinds[0]), int(whys[0]), is_free)
        nearest = (found.about["id"][other].as_py(), forward, backward, why)
        place: tuple[Any, ...] = (int(found.numbers[first[row]]), int(found.numbers[other]))
        if is_free and self.own_ranks is not None:
            place = (self.own_ranks[other],)
        return Seen(int(found.numbers[one]), is_free, worth, place, nearest)

    def _why(self, kind: int, why: int, is_free: bool) -> str:
        if not kind:
            return _WHYS.get(why, _APART)
        apart = {Kind.SHARES_TEXT} if self.choice.join_parts else {Kind.SHARES_TEXT, Kind.PART_OF, Kind.HAS_PART}
        if KINDS[kind] in apart:
            return _OTHERWISE
        return _FORBIDDEN if is_free else _TAKEN


def nearest(all_seen: list[Seen]) -> tuple[Any, ...] | None:
    """Of what the parts know of one representative: the nearest of those that were free, unless one that was taken
    before is nearer still."""
    free = min((s for s in all_seen if s.was_free), key=lambda s: (-s.worth, s.place), default=None)
    taken = min((s for s in all_seen if not s.was_free), key=lambda s: (-s.worth, s.place), default=None)
    if free is None or taken is None:
        chosen = free or taken
        return chosen.nearest if chosen else None
    return taken.nearest if max(taken.nearest[1:3]) > max(free.nearest[1:3]) else free.nearest
