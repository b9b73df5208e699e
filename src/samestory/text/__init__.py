"""Articles to features: tokens and sentences with their places, and the language; and how frequent words are."""

from samestory.text.frequencies import Counter, Counting, Frequencies
from samestory.text.passages import missing, shared_passages
from samestory.text.prepare import PREPARATION, prepare
from samestory.text.shingle_counts import ShingleCounter, ShingleCounts

__all__ = [
    "PREPARATION",
    "Counter",
    "Counting",
    "Frequencies",
    "ShingleCounter",
    "ShingleCounts",
    "missing",
    "prepare",
    "shared_passages",
]
