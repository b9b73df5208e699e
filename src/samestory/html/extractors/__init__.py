"""The table of extractors."""

from samestory.html.extractors.base import Extraction, Extractor
from samestory.html.extractors.learned import Crf, MaxEnt
from samestory.html.extractors.native import BlockExtractor, Heuristic, Rules
from samestory.html.extractors.others import Readability, Resiliparse, Trafilatura
from samestory.html.extractors.whole import WholePage
from samestory.specs import parse as _parse

#: Extractors by name.
EXTRACTORS: dict[str, type[Extractor]] = {
    each.name: each for each in (WholePage, Heuristic, Rules, MaxEnt, Crf, Trafilatura, Readability, Resiliparse)
}


def parse(spec: str) -> Extractor:
    """Parses the spec of an extractor.

    >>> parse("heuristic(least=5)")
    Heuristic(least=5)
    """
    return _parse(spec, EXTRACTORS, "extractor", "heuristic(least=5)")


__all__ = ["EXTRACTORS", "BlockExtractor", "Crf", "Extraction", "Extractor", "Heuristic", "MaxEnt", "Rules", "parse"]
