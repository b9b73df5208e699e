"""Articles to features: tokens and sentences with their places, and the language; and how frequent words are."""

from samestory.text.differences import differences
from samestory.text.extra import library
from samestory.text.frequencies import Counter, Counting, Frequencies
from samestory.text.lemmas import LEMMAS, Normaliser
from samestory.text.passages import missing, shared_passages
from samestory.text.prepare import PREPARATION, prepare
from samestory.text.shingle_counts import ShingleCounter, ShingleCounts
from samestory.text.vectors import beginnings, check_model, encoder

__all__ = [
    "LEMMAS",
    "PREPARATION",
    "Counter",
    "Counting",
    "Frequencies",
    "Normaliser",
    "ShingleCounter",
    "ShingleCounts",
    "beginnings",
    "check_model",
    "differences",
    "encoder",
    "library",
    "missing",
    "prepare",
    "shared_passages",
]
