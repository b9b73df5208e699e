"""Evaluation of detectors: figures, curves and reports against gold data; audits without gold."""

from samestory.lab.evaluation.audit import Audit, audit
from samestory.lab.evaluation.evaluate import Curve, Evaluation, Result, Subject, evaluate
from samestory.lab.evaluation.gold import GoldGroups, GoldPairs, read_gold
from samestory.lab.evaluation.relations import BIAS, MEANINGS, Meaning
from samestory.lab.evaluation.scored import ScoredRun, read_run, score, score_articles, sweep, variants
from samestory.lab.evaluation.tune import Trial, TuningResult, tune

__all__ = [
    "BIAS",
    "MEANINGS",
    "Audit",
    "Curve",
    "Evaluation",
    "GoldGroups",
    "GoldPairs",
    "Meaning",
    "Result",
    "ScoredRun",
    "Subject",
    "Trial",
    "TuningResult",
    "audit",
    "evaluate",
    "read_gold",
    "read_run",
    "score",
    "score_articles",
    "sweep",
    "tune",
    "variants",
]
