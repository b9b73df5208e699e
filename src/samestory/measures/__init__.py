"""Measures: gold and a system's output to a number, with an interval."""

from samestory.measures.across import Across, paired_t, wilcoxon
from samestory.measures.data import Blocks, Data, Flagged, Grouped, JudgedPairs, Predictions, Ratings, Sets
from samestory.measures.error_interval import ErrorInterval, error_interval

__all__ = [
    "Across",
    "Blocks",
    "Data",
    "ErrorInterval",
    "Flagged",
    "Grouped",
    "JudgedPairs",
    "Predictions",
    "Ratings",
    "Sets",
    "error_interval",
    "paired_t",
    "wilcoxon",
]
