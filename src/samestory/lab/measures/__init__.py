"""Measures: a number with an interval, computed from gold and a system's output; one module per measure."""

from samestory.lab.measures.across import PairedTest, paired_t, wilcoxon
from samestory.lab.measures.data import (
    Data,
    DuplicateSets,
    FlaggedArticles,
    GroupedArticles,
    JudgedPairs,
    LabelledBlocks,
    Predictions,
    Ratings,
)
from samestory.lab.measures.error_interval import ErrorInterval, error_interval
from samestory.lab.measures.figure import Difference, Figure, difference, figure
from samestory.lab.measures.kappa import band
from samestory.lab.measures.measure import Measure, SumMeasure
from samestory.lab.measures.roc_area import hanley_mcneil
from samestory.lab.measures.siegel_kappa import KappaTest
from samestory.lab.measures.spec import parse
from samestory.lab.measures.sweep import Sweep, sweep
from samestory.lab.measures.table import MEASURES

__all__ = [
    "MEASURES",
    "Data",
    "Difference",
    "DuplicateSets",
    "ErrorInterval",
    "Figure",
    "FlaggedArticles",
    "GroupedArticles",
    "JudgedPairs",
    "KappaTest",
    "LabelledBlocks",
    "Measure",
    "PairedTest",
    "Predictions",
    "Ratings",
    "SumMeasure",
    "Sweep",
    "band",
    "difference",
    "error_interval",
    "figure",
    "hanley_mcneil",
    "paired_t",
    "parse",
    "sweep",
    "wilcoxon",
]
