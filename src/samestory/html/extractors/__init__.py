"""Extractors: one visible table."""

from samestory.html.extractors.base import Extraction, Extractor
from samestory.html.extractors.learned import Crf, MaxEnt
from samestory.html.extractors.native import BlockExtractor, Heuristic, Rules
from samestory.html.extractors.others import Readability, Resiliparse, Trafilatura
from samestory.html.extractors.whole import Whole
from samestory.specs import parse as _parse

#: Every extractor under its name.
EXTRACTORS: dict[str, type[Extractor]] = {
    each.name: each for each in (Whole, Heuristic, Rules, MaxEnt, Crf, Trafilatura, Readability, Resiliparse)
}


def parse(spec: str) -> Extractor:
    """The extractor that a spec names.

    >>> parse("heuristic(least=5)")
    Heuristic(least=5)
    """
    return _parse(spec, EXTRACTORS, "extractor", "heuristic(least=5)")


__all__ = ["EXTRACTORS", "BlockExtractor", "Crf", "Extraction", "Extractor", "Heuristic", "MaxEnt", "Rules", "parse"]
