"""What assessors said, one by one: the field `assessors` of gold lines, as ratings that kappas are taken of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from samestory.errors import InputError
from samestory.lab import GoldGroups, GoldPairs
from samestory.measures import Ratings


@dataclass(frozen=True, eq=False)
class Votes:
    """Two votes an item; and how many items have one vote or more than two, which are left out."""

    ratings: Ratings
    by: str
    """What the items are held together by: a field of the gold, or who judged them."""
    left_out: int

    @property
    def note(self) -> str:
        """What must be known to read a kappa of these."""
        out = f"{len(self.ratings):,} items with two votes, by {self.by}"
        return out + (f"; {self.left_out:,} without two left out" if self.left_out else "")


def votes(gold: GoldPairs | GoldGroups, fields: Sequence[str]) -> Votes:
    """The votes in a gold file; items belong together by the first of these fields that it has, else by who judged."""
    told = gold.columns.get("assessors")
    if told is None:
        raise InputError(
            f"{gold.path}: no line names its assessors",
            'a line may hold "assessors": [["s1", 1], ["s2", 0]], one vote each',
        )
    by = next((field for field in fields if field in gold.columns), None)
    chosen, together, left_out, seen = [], [], 0, set()
    for row, line in enumerate(gold.lines):
        if line in seen:
            continue  # a judgement with a direction stands in two rows, and was made once
        seen.add(line)
        pair = _votes(gold, row, told[row])
        if len(pair) != 2:
            left_out += 1
            continue
        # the same person in the same column, so that habits can be told from chance
        (first, one), (second, other) = sorted(pair)
        chosen.append([one, other])
        together.append(f"{first}, {second}" if by is None else str(gold.columns[by][row]))
    if not chosen:
        raise InputError(f"{gold.path}: no line has the votes of two assessors")
    return Votes(Ratings(chosen, together), by or "pair of assessors", left_out)


def _votes(gold: GoldPairs | GoldGroups, row: int, told: object) -> list[tuple[str, str]]:
    if told is None:
        return []
    if not isinstance(told, list) or not all(isinstance(vote, list) and len(vote) == 2 for vote in told):
        raise InputError(f"{gold.path}:{gold.lines[row]}: assessors are pairs of a name and a vote, got {told!r}")
    out = [(str(who), str(vote)) for who, vote in told]
    if len({who for who, _ in out}) < len(out):
        raise InputError(f"{gold.path}:{gold.lines[row]}: an assessor has two votes")
    return out
