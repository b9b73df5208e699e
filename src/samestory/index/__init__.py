"""Features to relations, for streams: add, query, remove, expire."""

from samestory.index.index import Index, dated
from samestory.index.memory import Memory
from samestory.index.store import Candidates, Entries, Store

__all__ = ["Candidates", "Entries", "Index", "Memory", "Store", "dated"]
