"""Features to relations, for streams: add, query, remove, expire."""

from samestory.index.batch import Related, relate_batch, related
from samestory.index.days import Day, days
from samestory.index.index import Index, dated, ids_of, microseconds_of, reach_of
from samestory.index.lots import Columns
from samestory.index.memory import Memory
from samestory.index.store import Candidates, Entries, Store
from samestory.index.tree import CorpusTree

__all__ = [
    "Candidates",
    "Columns",
    "CorpusTree",
    "Day",
    "Entries",
    "Index",
    "Memory",
    "Related",
    "Store",
    "dated",
    "days",
    "ids_of",
    "microseconds_of",
    "reach_of",
    "relate_batch",
    "related",
]
