"""A page to an article: its text, and what is known of it."""

from __future__ import annotations

from datetime import datetime

from samestory.html.extractors.base import Extraction
from samestory.html.metadata import Metadata, metadata
from samestory.model import Article
from samestory.readers.page import Page


def article(
    page: Page, extraction: Extraction, id: str, known: Metadata | None = None, latest: datetime | None = None
) -> Article:
    """The article of a page. Its address is the canonical one, or else where the page was found; where a page says only
    when it was changed, that is its date.

    >>> from samestory.html import parse
    >>> page = Page(b"<title>Storm hits coast</title><p>A storm has hit the coast of Norway, the police said today.", "http://a.com/1")
    >>> article(page, parse("heuristic").extract([page])[0], "1").source
    'a.com'
    """
    known = known or metadata(page, extraction, latest)
    return Article(
        id=id,
        text=extraction.text,
        title=known.title,
        published=known.published or known.modified,
        url=known.canonical or page.url or None,
        source=known.source,
        lang=known.language,
    )
