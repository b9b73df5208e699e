"""Features to relations, for streams: add, query, remove, expire."""

from samestory.index.index import Index, dated
from samestory.index.memory import Memory
from samestory.index.store import Candidates, Entries, Store
from samestory.index.tree import CorpusTree

__all__ = ["Candidates", "CorpusTree", "Entries", "Index", "Memory", "Store", "dated"]
