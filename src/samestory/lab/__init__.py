"""The laboratory: gold data against what detectors say, with figures, curves and reports; audits without gold."""

from samestory.lab.audit import Audit, audit
from samestory.lab.evaluate import Curve, Evaluation, Result, Subject, evaluate
from samestory.lab.gold import GoldGroups, GoldPairs, read_gold
from samestory.lab.relations import BIAS, MEANINGS, Meaning
from samestory.lab.scored import Scored, read_run, score, score_articles, sweep, variants
from samestory.lab.tune import Trial, Tuned, tune

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
    "Scored",
    "Subject",
    "Trial",
    "Tuned",
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
