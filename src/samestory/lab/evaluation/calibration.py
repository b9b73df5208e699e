"""Calibration: the share of pairs judged the same, as a function of the detector's score.

    ECE = Σ pairs in bin / pairs · |mean score − share judged same|

over the judged pairs that the detector reports. A detector whose scores are probabilities has an expected calibration
error near 0; most scores are shares of text, and their error measures how far they are from a probability.
Guo et al. (2017), On calibration of modern neural networks. [guo2017]
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from samestory.detectors import Detector
from samestory.errors import InputError
from samestory.lab.evaluation.evaluate import subjects
from samestory.lab.evaluation.gold import GoldGroups, GoldPairs
from samestory.lab.evaluation.rates import Rate, independent_rate
from samestory.lab.evaluation.scored import ScoredRun, score_articles
from samestory.model import Article

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

SCORE_BINS = 10


@dataclass(frozen=True, slots=True)
class CalibrationBin:
    """Judged pairs with scores in [low, high), and how many of them are judged the same."""

    low: float
    high: float
    mean_score: float
    same: Rate

    def to_dict(self) -> dict[str, Any]:
        """Return the bin as a JSON object."""
        return {
            "scores": [self.low, self.high],
            "mean_score": round(self.mean_score, 4),
            "judged_same": self.same.to_dict(),
        }


@dataclass(frozen=True, slots=True)
class Calibration:
    """The calibration curve of a detector over judged pairs."""

    relation: str
    judged: int
    absent: int
    """Judgements left out because an article is missing from the collection."""
    bins: tuple[CalibrationBin, ...]
    """The non-empty bins, lowest scores first."""
    unreported: Rate | None
    """Judged pairs that the detector does not report, and how many are judged the same; None for gold of groups."""
    error: float | None
    """The expected calibration error; None where no judged pair is reported."""
    above_one: int
    """Reported pairs with a score above 1; they count in the last bin."""

    def to_dict(self) -> dict[str, Any]:
        """Return the curve as a JSON object."""
        return {
            "relation": self.relation,
            "judged": self.judged,
            "absent": self.absent,
            "bins": [each.to_dict() for each in self.bins],
            "unreported": self.unreported and self.unreported.to_dict(),
            "expected_calibration_error": None if self.error is None else round(self.error, 4),
            "scores_above_one": self.above_one,
        }


def calibrate(gold: GoldPairs | GoldGroups, detector: Detector, articles: Sequence[Article]) -> Calibration:
    """Compute the calibration curve of a detector over a collection, from gold for some of its articles.

    For gold of groups, the reported pairs with both articles in the gold are used.
    """
    known = {article.id for article in articles}
    if isinstance(gold, GoldPairs):
        rows = [at for at, pair in enumerate(zip(gold.left, gold.right, strict=True)) if known.issuperset(pair)]
    else:
        rows = [at for at, article in enumerate(gold.articles) if article in known]
    absent = len(gold) - len(rows)
    if not rows:
        raise InputError("every judgement names an article that is not in the collection", place=gold.path)
    kept = gold.take(rows)
    scored = score_articles(detector, articles)
    if isinstance(kept, GoldGroups):
        same, scores = _reported(kept, scored)
        return _curve(kept.meaning.name, len(kept), absent, same, scores, None)
    (subject,) = subjects(kept, [scored])
    data = subject.scores
    assert data is not None, "judged pairs have scores"
    reported = data.judged & (data.score > 0)
    others = data.gold[data.judged & (data.score == 0)]
    unreported = independent_rate(int(others.sum()), len(others))
    return _curve(kept.meaning.name, len(kept), absent, data.gold[reported], data.score[reported], unreported)


def _reported(gold: GoldGroups, scored: ScoredRun) -> tuple[NDArray[np.bool_], NDArray[np.float64]]:
    """Return, for reported pairs with both articles in the gold, whether they share a group, and the score."""
    import numpy as np

    cluster = dict(zip(gold.articles, gold.groups, strict=True))
    keep, scores = scored.sense(gold.meaning.kinds)
    pairs = [
        (cluster[scored.ids[a]] == cluster[scored.ids[b]], float(score))
        for a, b, score in zip(scored.left[keep], scored.right[keep], scores[keep], strict=True)
        if scored.ids[a] in cluster and scored.ids[b] in cluster
    ]
    return np.array([same for same, _ in pairs], np.bool_), np.array([score for _, score in pairs], np.float64)


def _curve(
    relation: str,
    judged: int,
    absent: int,
    same: NDArray[np.bool_],
    scores: NDArray[np.float64],
    unreported: Rate | None,
) -> Calibration:
    import numpy as np

    places = np.minimum((scores * SCORE_BINS).astype(np.int64), SCORE_BINS - 1)
    bins = []
    error = 0.0
    for at in range(SCORE_BINS):
        here = places == at
        if not here.any():
            continue
        rate = independent_rate(int(same[here].sum()), int(here.sum()))
        mean = float(scores[here].mean())
        bins.append(CalibrationBin(at / SCORE_BINS, (at + 1) / SCORE_BINS, mean, rate))
        error += rate.total / len(scores) * abs(min(mean, 1.0) - (rate.value or 0.0))
    above = int((scores > 1).sum())
    return Calibration(relation, judged, absent, tuple(bins), unreported, error if len(scores) else None, above)
