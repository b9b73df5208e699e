"""Claims about pairs, checked on the user's articles: accuracy of a kind, and recall by resemblance."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from samestory.detectors.resemblance import Resemblance
from samestory.lab.evaluation import GoldPairs, ScoredRun
from samestory.lab.experiments.inputs import ExperimentInput
from samestory.model import KINDS, Kind

#: Resemblances in %, and the half-width of each bin.
PERCENTS, HALF_WIDTH = (95, 80, 100, 90, 85, 75, 70, 65, 60, 55, 50), 2.5


@dataclass(frozen=True)
class KindAccuracy:
    """Pairs that a detector reports as one kind: all, those judged, and those judged a duplicate."""

    kind: Kind
    pairs: int
    judged: int
    right: int

    @property
    def note(self) -> str:
        """What was counted."""
        return (
            f"of {self.judged:,} judged pairs reported as {self.kind}; {self.pairs - self.judged:,} more are not judged"
        )


def kind_accuracy(gold: GoldPairs, run: ScoredRun, kind: Kind) -> KindAccuracy:
    """Count the judgements of the pairs of a kind. Only containment is looked up in its direction."""
    judgements = dict(zip(zip(gold.left, gold.right, strict=True), gold.labels.tolist(), strict=True))
    ordered = gold.ordered and kind is Kind.PART_OF
    rows = (run.kinds == KINDS.index(kind)).nonzero()[0]
    answers = []
    for row in rows:
        left, right = run.ids[run.left[row]], run.ids[run.right[row]]
        directions = [(left, right)] if ordered else [(left, right), (right, left)]
        answers.append([judgements[pair] for pair in directions if pair in judgements])
    judged = [any(each) for each in answers if each]
    return KindAccuracy(kind, len(rows), len(judged), sum(judged))


@dataclass(frozen=True)
class ResemblanceRecall:
    """Pairs of about one resemblance: their number, how many were found, and the expected share."""

    percent: int
    pairs: int
    found: int
    expected: float

    @property
    def share(self) -> float | None:
        """The share found, in %."""
        return 100 * self.found / self.pairs if self.pairs else None

    @property
    def note(self) -> str:
        """What was counted, and the share that the formula predicts for these pairs."""
        low, high = self.percent - HALF_WIDTH, min(self.percent + HALF_WIDTH, 100)
        around = f"resemblance {low} to {high} %"
        if not self.pairs:
            return f"no pair has {around}"
        return f"{self.found:,} of {self.pairs:,} pairs of {around}; by the formula {100 * self.expected:.4g} %"


def resemblance_recall(
    collection: ExperimentInput, finder: ScoredRun, shingle: int, chance: Callable[[float], float]
) -> list[ResemblanceRecall]:
    """Count the pairs found at each resemblance; resemblance is computed exactly, over all pairs."""
    lowest = (min(PERCENTS) - HALF_WIDTH) / 100
    truth = collection.score(Resemblance(shingle=shingle, threshold=lowest))
    found = {frozenset((finder.ids[a], finder.ids[b])) for a, b in zip(finder.left, finder.right, strict=True)}
    pairs = [frozenset((truth.ids[a], truth.ids[b])) for a, b in zip(truth.left, truth.right, strict=True)]
    out = []
    for percent in PERCENTS:
        # half-open bins; nothing is above 100 %
        inside = (truth.scores >= (percent - HALF_WIDTH) / 100) & (truth.scores < (percent + HALF_WIDTH) / 100)
        rows = inside.nonzero()[0].tolist()
        expected = sum(chance(float(truth.scores[row])) for row in rows) / max(len(rows), 1)
        out.append(ResemblanceRecall(percent, len(rows), sum(pairs[row] in found for row in rows), expected))
    return out
