"""samestory detects which news articles are the same story, and how.

>>> import samestory
>>> news = [{"id": "a", "text": "The same words."}, {"id": "b", "text": "THE SAME WORDS"}]
>>> [group.members for group in samestory.find(news)]
[('a', 'b')]
"""

import importlib as _importlib
import typing as _typing

from samestory._core import __version__

if _typing.TYPE_CHECKING:
    from samestory.deduplication import dedup, label
    from samestory.detectors import DETECTORS, Detector, Exact, MinHash, Reuse, parse
    from samestory.entities import entities
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
    from samestory.groups import Decisions, GroupingOptions, group
    from samestory.html import extract
    from samestory.index import CorpusTree, Index
    from samestory.jobs import find, relate
    from samestory.model import Article, Evidence, Features, Group, Kind, Overlap, Relation, Span
    from samestory.readers import Page, Problem, Source, read
    from samestory.readers.pages import pages
    from samestory.stream import Stream
    from samestory.text import Frequencies
    from samestory.text.prepare import prepare

#: The module of each name. A module is imported at the first use of one of its names: a command needs few of them, and
#: importing all takes longer than deduplicating a small feed.
_NAMES = {
    name: module
    for module, names in {
        "deduplication": "dedup label",
        "detectors": "DETECTORS Detector Exact MinHash Reuse parse",
        "errors": "DecisionError InputError MismatchError NotFittedError ParameterError SamestoryError StoreError",
        "explanation": "Explanation explain",
        "groups": "Decisions GroupingOptions group",
        "html": "extract",
        "index": "CorpusTree Index",
        "jobs": "find relate",
        "model": "Article Evidence Features Group Kind Overlap Relation Span",
        "readers": "Page Problem Source pages read",
        "stream": "Stream",
        "text": "Frequencies prepare",
    }.items()
    for name in names.split()
}
_PACKAGES = (*_NAMES.values(), "entities", "archive", "feeds", "lab", "web")

#: Names that have changed; the old ones work for one version.
_RENAMED = {"Choice": "GroupingOptions"}

if not _typing.TYPE_CHECKING:  # type checkers read the imports above

    def __getattr__(name: str) -> _typing.Any:
        if name in _RENAMED:
            import warnings

            warnings.warn(f"samestory.{name} is now samestory.{_RENAMED[name]}", DeprecationWarning, stacklevel=2)
            name = _RENAMED[name]
        if name in _NAMES:
            found = getattr(_importlib.import_module(f"samestory.{_NAMES[name]}"), name)
            globals()[name] = found
            return found
        if name in _PACKAGES:
            return _importlib.import_module(f"samestory.{name}")
        raise AttributeError(f"module 'samestory' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


__all__ = [
    "DETECTORS",
    "Article",
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
    "GroupingOptions",
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
    "dedup",
    "entities",
    "explain",
    "extract",
    "find",
    "group",
    "label",
    "pages",
    "parse",
    "prepare",
    "read",
    "relate",
]
