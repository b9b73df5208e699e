"""Features to relations, for streams: add, query, remove, expire."""

from samestory.index.batch import Related, relate_batch, related
from samestory.index.days import Day, days
from samestory.index.index import Index, claim, dated, ids_of, microseconds_of, reach_of
from samestory.index.lots import Columns
from samestory.index.store import Entries, Store
from samestory.index.tree import CorpusTree

__all__ = [
    "Columns",
    "CorpusTree",
    "Day",
    "Entries",
    "Index",
    "Related",
    "Store",
    "claim",
    "dated",
    "days",
    "ids_of",
    "microseconds_of",
    "reach_of",
    "relate_batch",
    "related",
]
