"""Archives: articles in a database, related and grouped into stories as they arrive."""

from samestory.archive.archive import Archive
from samestory.archive.decided_stories import DecisionEntry
from samestory.archive.decision_plan import AppliedDecision, Decision, DecisionPreview
from samestory.archive.ingest import AddResult
from samestory.archive.revisions import Revision
from samestory.archive.stored import StoredArticle

__all__ = [
    "AddResult",
    "AppliedDecision",
    "Archive",
    "Decision",
    "DecisionEntry",
    "DecisionPreview",
    "Revision",
    "StoredArticle",
]
