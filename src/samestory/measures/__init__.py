"""Measures: gold and a system's output to a number, with an interval."""

from samestory.measures.data import Blocks, Data, Flagged, Grouped, JudgedPairs, Predictions, Ratings, Sets

__all__ = ["Blocks", "Data", "Flagged", "Grouped", "JudgedPairs", "Predictions", "Ratings", "Sets"]
