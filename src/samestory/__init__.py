"""samestory tells which news articles are the same story, and how.

>>> import samestory
>>> [g.members for g in samestory.find([{"id": "a", "text": "Same words."}, {"id": "b", "text": "SAME WORDS"}])]
[('a', 'b')]
"""

import typing as _typing

from samestory._core import __version__
from samestory.detectors import DETECTORS, Detector, Exact, MinHash, Reuse, parse
from samestory.errors import (
    DecisionError,
    InputError,
    MismatchError,
    NotFittedError,
    ParameterError,
    SamestoryError,
    StoreError,
)
from samestory.explanation import Explanation, explain
from samestory.groups import Choice, Decisions, group
from samestory.html import extract
from samestory.index import CorpusTree, Index
from samestory.jobs import find, relate
from samestory.model import Article, Evidence, Features, Group, Kind, Overlap, Relation, Span
from samestory.readers import Page, Problem, Source, pages, read
from samestory.stream import Stream
from samestory.text import Frequencies, prepare

if _typing.TYPE_CHECKING:
    from samestory.entities import entities
else:
    from samestory import entities

__all__ = [
    "DETECTORS",
    "Article",
    "Choice",
    "CorpusTree",
    "DecisionError",
    "Decisions",
    "Detector",
    "Evidence",
    "Exact",
    "Explanation",
    "Features",
    "Frequencies",
    "Group",
    "Index",
    "InputError",
    "Kind",
    "MinHash",
    "MismatchError",
    "NotFittedError",
    "Overlap",
    "Page",
    "ParameterError",
    "Problem",
    "Relation",
    "Reuse",
    "SamestoryError",
    "Source",
    "Span",
    "StoreError",
    "Stream",
    "__version__",
    "entities",
    "explain",
    "extract",
    "find",
    "group",
    "pages",
    "parse",
    "prepare",
    "read",
    "relate",
]
