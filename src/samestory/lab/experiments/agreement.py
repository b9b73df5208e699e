"""Votes of single assessors: the field `assessors` of gold lines, as ratings for kappas."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from samestory.errors import InputError
from samestory.lab.evaluation import GoldGroups, GoldPairs
from samestory.lab.measures import Ratings


@dataclass(frozen=True, eq=False)
class Votes:
    """Two votes per item; items with one vote or more than two are left out and counted."""

    ratings: Ratings
    by: str
    """What items are grouped by: a field of the gold, or the pair of assessors."""
    left_out: int

    @property
    def note(self) -> str:
        """A note for a kappa of these votes."""
        out = f"{len(self.ratings):,} items with two votes, by {self.by}"
        return out + (f"; {self.left_out:,} without two left out" if self.left_out else "")


def read_votes(gold: GoldPairs | GoldGroups, fields: Sequence[str]) -> Votes:
    """Read the votes of a gold file; items are grouped by the first of these fields that it has, else by assessors."""
    assessors = gold.columns.get("assessors")
    if assessors is None:
        raise InputError(
            "no line has assessors",
            'a line may have "assessors": [["s1", 1], ["s2", 0]], one vote each',
            place=gold.path,
        )
    by = next((field for field in fields if field in gold.columns), None)
    chosen, queries, left_out, lines = [], [], 0, set()
    for row, line in enumerate(gold.lines):
        if line in lines:
            continue  # a judgement with a direction has two rows, but was made once
        lines.add(line)
        pair = _votes(gold, row, assessors[row])
        if len(pair) != 2:
            left_out += 1
            continue
        # the same assessor in the same column, so that kappa can account for their category shares
        (first, one), (second, other) = sorted(pair)
        chosen.append([one, other])
        queries.append(f"{first}, {second}" if by is None else str(gold.columns[by][row]))
    if not chosen:
        raise InputError("no line has the votes of two assessors", place=gold.path)
    return Votes(Ratings(chosen, queries), by or "pair of assessors", left_out)


def _votes(gold: GoldPairs | GoldGroups, row: int, cell: object) -> list[tuple[str, str]]:
    if cell is None:
        return []
    if not isinstance(cell, list) or not all(isinstance(vote, list) and len(vote) == 2 for vote in cell):
        raise InputError(f"{gold.path}:{gold.lines[row]}: assessors must be pairs of a name and a vote, got {cell!r}")
    out = [(str(assessor), str(vote)) for assessor, vote in cell]
    if len({assessor for assessor, _ in out}) < len(out):
        raise InputError(f"{gold.path}:{gold.lines[row]}: an assessor has two votes")
    return out
