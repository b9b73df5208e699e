"""Live indexes: add, query, remove and expire articles."""

from samestory.index.columns import Columns
from samestory.index.days import Day, days
from samestory.index.index import Index, claim, dated, ids_of, microseconds_of, reach_of, shown_index
from samestory.index.store import Entries, Store
from samestory.index.tree import CorpusTree

__all__ = [
    "Columns",
    "CorpusTree",
    "Day",
    "Entries",
    "Index",
    "Store",
    "claim",
    "dated",
    "days",
    "ids_of",
    "microseconds_of",
    "reach_of",
    "shown_index",
]
