"""What measures are taken of: one file for each kind of gold and output."""

from samestory.measures.data.base import Data
from samestory.measures.data.blocks import Blocks
from samestory.measures.data.flagged import Flagged
from samestory.measures.data.grouped import Grouped
from samestory.measures.data.judged import JudgedPairs
from samestory.measures.data.predictions import Predictions
from samestory.measures.data.ratings import Ratings
from samestory.measures.data.sets import Sets

__all__ = ["Blocks", "Data", "Flagged", "Grouped", "JudgedPairs", "Predictions", "Ratings", "Sets"]
