"""Text preparation: tokens and sentences with character offsets, language; and word frequencies."""

from samestory.text.differences import differences
from samestory.text.extra import library
from samestory.text.frequencies import Counter, Counting, Frequencies
from samestory.text.lemmas import LEMMAS, Normaliser
from samestory.text.passages import MIN_PASSAGE_WORDS, missing, shared_passages
from samestory.text.prepare import PREPARATION, prepare, repairs
from samestory.text.shingle_counts import ShingleCounter, ShingleCounts
from samestory.text.vectors import beginnings, check_model, encoder, vector_width

__all__ = [
    "LEMMAS",
    "MIN_PASSAGE_WORDS",
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
    "repairs",
    "shared_passages",
    "vector_width",
]
