"""Articles to features: tokens and sentences with their places, and the language; and how frequent words are."""

from samestory.text.frequencies import Counter, Frequencies
from samestory.text.passages import missing, shared_passages
from samestory.text.prepare import PREPARATION, prepare

__all__ = ["PREPARATION", "Counter", "Frequencies", "missing", "prepare", "shared_passages"]
