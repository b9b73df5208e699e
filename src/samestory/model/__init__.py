"""The values that pass through the pipeline. All are immutable, and none of them reads or writes files.

Offsets are half-open character offsets into ``article.text``. Batches are columns on Arrow arrays; one article is a
batch of one.
"""

from samestory.model.article import Article, Evidence, Span, digits, flaw, has_controls, shown
from samestory.model.columns import NO_TIME, Features, Overlaps, Pairs, Ragged, Signatures, record_batch
from samestory.model.group import Group, GroupList, Nearest
from samestory.model.metadata import NO_METADATA, ArticleMetadata, metadata_json
from samestory.model.reason import Reason
from samestory.model.relation import CLOSEST_FIRST, JOINING, KINDS, Kind, Overlap, Relation, check_ids

__all__ = [
    "CLOSEST_FIRST",
    "JOINING",
    "KINDS",
    "NO_METADATA",
    "NO_TIME",
    "Article",
    "ArticleMetadata",
    "Evidence",
    "Features",
    "Group",
    "GroupList",
    "Kind",
    "Nearest",
    "Overlap",
    "Overlaps",
    "Pairs",
    "Ragged",
    "Reason",
    "Relation",
    "Signatures",
    "Span",
    "check_ids",
    "digits",
    "flaw",
    "has_controls",
    "metadata_json",
    "record_batch",
    "shown",
]
