"""Articles to features: tokens and sentences with their places, and the language."""

from samestory.text.passages import missing, shared_passages
from samestory.text.prepare import PREPARATION, prepare

__all__ = ["PREPARATION", "missing", "prepare", "shared_passages"]
