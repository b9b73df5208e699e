"""Pages to articles: blocks, which of them are content, and what the page says of itself."""

from samestory.html.blocks import Block, Blocks, Element, blocks
from samestory.html.extraction import Extracted, extract, extracted
from samestory.html.extractors import EXTRACTORS, Extraction, Extractor, parse
from samestory.html.site_filter import SiteFilter, SiteRule
from samestory.readers.page import Page

__all__ = [
    "EXTRACTORS",
    "Block",
    "Blocks",
    "Element",
    "Extracted",
    "Extraction",
    "Extractor",
    "Page",
    "SiteFilter",
    "SiteRule",
    "blocks",
    "extract",
    "extracted",
    "parse",
]
