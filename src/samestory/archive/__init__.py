"""News that is kept: articles come in, are related and grouped, and are on disk before that is said."""

from samestory.archive.archive import Archive
from samestory.archive.arrivals import Added
from samestory.archive.revisions import Revision
from samestory.archive.stored import Stored

__all__ = ["Added", "Archive", "Revision", "Stored"]
