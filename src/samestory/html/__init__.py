"""Article extraction from HTML: blocks, content labels and page metadata."""

from samestory.html.article import article
from samestory.html.blocks import Block, Element, PageBlocks, blocks
from samestory.html.extraction import ExtractedArticle, extract, extracted
from samestory.html.extractors import EXTRACTORS, Extraction, Extractor, parse
from samestory.html.head import Head
from samestory.html.metadata import Metadata, metadata
from samestory.html.site_filter import SiteFilter, SiteRule
from samestory.html.verdict import verdict
from samestory.readers.page import Page

__all__ = [
    "EXTRACTORS",
    "Block",
    "Element",
    "ExtractedArticle",
    "Extraction",
    "Extractor",
    "Head",
    "Metadata",
    "Page",
    "PageBlocks",
    "SiteFilter",
    "SiteRule",
    "article",
    "blocks",
    "extract",
    "extracted",
    "metadata",
    "parse",
    "verdict",
]
