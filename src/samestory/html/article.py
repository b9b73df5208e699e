"""Builds an article from an extracted page and its metadata."""

from __future__ import annotations

from datetime import datetime

from samestory.html.extractors.base import Extraction
from samestory.html.metadata import Metadata, metadata
from samestory.model import Article
from samestory.readers.page import Page


def article(
    page: Page, extraction: Extraction, id: str, known: Metadata | None = None, latest: datetime | None = None
) -> Article:
    """Builds the article of a page. Its URL is the canonical one, else that of the page; its date is that of
    publication, else of the last change. Author, last change, section and keywords are its metadata.

    >>> from samestory.html import parse
    >>> page = Page(b"<title>Storm hits coast</title><p>A storm has hit the coast of Norway, the police said today.", "http://a.com/1")
    >>> article(page, parse("heuristic").extract([page])[0], "1").source
    'a.com'
    """
    known = known or metadata(page, extraction, latest)
    others = {name: getattr(known, name) for name in ("author", "modified", "section", "keywords")}
    return Article(
        id=id,
        text=extraction.text,
        title=known.title,
        published=known.published or known.modified,
        url=known.canonical or page.url or None,
        source=known.source,
        lang=known.language,
        metadata={name: value for name, value in others.items() if value},
    )
