"""Archives: articles in a database, related and grouped into stories as they arrive."""

from samestory.archive.archive import Archive
from samestory.archive.ingest import AddResult
from samestory.archive.revisions import Revision
from samestory.archive.stored import StoredArticle

__all__ = ["AddResult", "Archive", "Revision", "StoredArticle"]
