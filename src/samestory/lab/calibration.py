"""Calibration: of the pairs that a detector scores alike, how many are judged the same?

    ECE = Σ pairs in bin / pairs · |mean score − share judged same|

over the judged pairs that the detector reports. A detector whose scores are probabilities has an expected calibration
error near 0; most scores are shares of text, and their error says how far they are from a probability.
Guo et al. (2017), On calibration of modern neural networks. [guo2017]
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from samestory.detectors import Detector
from samestory.errors import InputError
from samestory.lab.evaluate import subjects
from samestory.lab.gold import GoldGroups, GoldPairs
from samestory.lab.rates import Rate, independent_rate
from samestory.lab.scored import Scored, score_articles
from samestory.model import Article

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

SCORE_BINS = 10


@dataclass(frozen=True, slots=True)
class CalibrationBin:
    """Judged pairs whose scores lie from `low` up to `high`, and how many of them are judged the same."""

    low: float
    high: float
    mean_score: float
    same: Rate

    def as_dict(self) -> dict[str, Any]:
        """The bin as it stands in a line of JSON."""
        return {
            "scores": [self.low, self.high],
            "mean_score": round(self.mean_score, 4),
            "judged_same": self.same.as_dict(),
        }


@dataclass(frozen=True, slots=True)
class Calibration:
    """The curve of a detector over judged pairs."""

    relation: str
    judged: int
    absent: int
    """Judgements that name an article which is not there; they are left out."""
    bins: tuple[CalibrationBin, ...]
    """Those with pairs in them, the lowest scores first."""
    unreported: Rate | None
    """Judged pairs that the detector does not report, and how many are judged the same; None for gold of groups."""
    error: float | None
    """The expected calibration error; None where no judged pair is reported."""
    above_one: int
    """Reported pairs with a score above 1, which count in the last bin."""

    def as_dict(self) -> dict[str, Any]:
        """The curve as it stands in a line of JSON."""
        return {
            "relation": self.relation,
            "judged": self.judged,
            "absent": self.absent,
            "bins": [each.as_dict() for each in self.bins],
            "unreported": self.unreported and self.unreported.as_dict(),
            "expected_calibration_error": None if self.error is None else round(self.error, 4),
            "scores_above_one": self.above_one,
        }


def calibrate(gold: GoldPairs | GoldGroups, detector: Detector, articles: Sequence[Article]) -> Calibration:
    """The calibration curve of a detector over a collection, by gold about some of its articles.

    Of gold of groups the reported pairs are looked at of which both articles are in it.
    """
    known = {article.id for article in articles}
    if isinstance(gold, GoldPairs):
        rows = [at for at, pair in enumerate(zip(gold.left, gold.right, strict=True)) if known.issuperset(pair)]
    else:
        rows = [at for at, article in enumerate(gold.articles) if article in known]
    absent = len(gold) - len(rows)
    if not rows:
        raise InputError(f"{gold.path}: every judgement names an article that is not there")
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


def _reported(gold: GoldGroups, scored: Scored) -> tuple[NDArray[np.bool_], NDArray[np.float64]]:
    """Are the two of a reported pair of one gold group, and its score; of pairs both of whose articles are in one."""
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
