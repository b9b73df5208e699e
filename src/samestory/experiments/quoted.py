"""Claims about pairs, held against the user's articles: were pairs of a kind told rightly, were alike pairs found?"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from samestory.detectors.resemblance import Resemblance
from samestory.experiments.collection import Collection
from samestory.lab import GoldPairs, Scored
from samestory.model import KINDS, Kind

#: Resemblances that are looked at, in %, and how far from one a pair may be and count for it.
PERCENTS, AROUND = (95, 80, 100, 90, 85, 75, 70, 65, 60, 55, 50), 2.5


@dataclass(frozen=True)
class Told:
    """Pairs that a detector told to be of one kind: all, those that were judged, and those judged to be so."""

    kind: Kind
    pairs: int
    judged: int
    right: int

    @property
    def note(self) -> str:
        """What was counted."""
        return f"of {self.judged:,} judged pairs told {self.kind}; {self.pairs - self.judged:,} more are not judged"


def told(gold: GoldPairs, run: Scored, kind: Kind) -> Told:
    """What people said about the pairs of a kind. Only a part and its whole are asked about in their order."""
    said = dict(zip(zip(gold.left, gold.right, strict=True), gold.labels.tolist(), strict=True))
    ordered = gold.ordered and kind is Kind.PART_OF
    rows = (run.kinds == KINDS.index(kind)).nonzero()[0]
    voices = []
    for row in rows:
        left, right = run.ids[run.left[row]], run.ids[run.right[row]]
        asked = [(left, right)] if ordered else [(left, right), (right, left)]
        voices.append([said[pair] for pair in asked if pair in said])
    heard = [any(each) for each in voices if each]
    return Told(kind, len(rows), len(heard), sum(heard))


@dataclass(frozen=True)
class Alike:
    """Pairs of about one resemblance: how many there are, how many were found, and how many a formula expects."""

    percent: int
    pairs: int
    found: int
    expected: float

    @property
    def share(self) -> float | None:
        """The share that was found, in %."""
        return 100 * self.found / self.pairs if self.pairs else None

    @property
    def note(self) -> str:
        """What was counted, and what the formula gives for these very pairs."""
        low, high = self.percent - AROUND, min(self.percent + AROUND, 100)
        around = f"resemblance {low} to {high} %"
        if not self.pairs:
            return f"no pair has {around}"
        return f"{self.found:,} of {self.pairs:,} pairs of {around}; by the formula {100 * self.expected:.4g} %"


def alike(collection: Collection, finder: Scored, shingle: int, chance: Callable[[float], float]) -> list[Alike]:
    """How many pairs of each resemblance were found. Resemblance is counted over all pairs, and none is lost."""
    lowest = (min(PERCENTS) - AROUND) / 100
    truth = collection.score(Resemblance(shingle=shingle, threshold=lowest))
    found = {frozenset((finder.ids[a], finder.ids[b])) for a, b in zip(finder.left, finder.right, strict=True)}
    pairs = [frozenset((truth.ids[a], truth.ids[b])) for a, b in zip(truth.left, truth.right, strict=True)]
    out = []
    for percent in PERCENTS:
        # from the lower end up to, but not including, the upper one; nothing lies above 100 %
        inside = (truth.scores >= (percent - AROUND) / 100) & (truth.scores < (percent + AROUND) / 100)
        rows = inside.nonzero()[0].tolist()
        expected = sum(chance(float(truth.scores[row])) for row in rows) / max(len(rows), 1)
        out.append(Alike(percent, len(rows), sum(pairs[row] in found for row in rows), expected))
    return out
