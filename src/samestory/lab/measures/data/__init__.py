"""The data of measures: one module for each kind of gold and output."""

from samestory.lab.measures.data.base import Data
from samestory.lab.measures.data.blocks import LabelledBlocks
from samestory.lab.measures.data.flagged import FlaggedArticles
from samestory.lab.measures.data.grouped import GroupedArticles
from samestory.lab.measures.data.judged import JudgedPairs
from samestory.lab.measures.data.predictions import Predictions
from samestory.lab.measures.data.ratings import Ratings
from samestory.lab.measures.data.sets import DuplicateSets

__all__ = [
    "Data",
    "DuplicateSets",
    "FlaggedArticles",
    "GroupedArticles",
    "JudgedPairs",
    "LabelledBlocks",
    "Predictions",
    "Ratings",
]
