"""Detection of pages without an article: errors, bot challenges, paywall stubs, lists and empty pages.

Flagged pages are not passed on as articles. A flag needs evidence: a page that could be a short article is accepted.
"""

from __future__ import annotations

import re
from urllib.parse import urlsplit

from samestory.html.extractors.base import Extraction
from samestory.html.linked_data import ARTICLES
from samestory.html.metadata import Metadata
from samestory.html.phrases import CHALLENGE, ERROR_TITLE, SUBSCRIBER_SIGN_IN, TRUNCATED, WALL
from samestory.html.words import clean, fold
from samestory.readers.page import Page

#: Flags and their descriptions.
FLAGS = {
    "error-page": "an error message, or a request for scripts, cookies or a human check",
    "paywall": "only the beginning of an article for subscribers",
    "not-article": "a front page or a list: not declared as an article, undated, and mostly links",
    "empty": "no content",
}

#: Maximum characters of an error message, of one with a date, of a stub, and of a long stub.
MESSAGE, DATED_MESSAGE, STUB, LONG_STUB = 1200, 400, 1000, 2000
#: Minimum words of a paragraph, and minimum words in paragraphs of an article.
PARAGRAPH, ARTICLE = 20, 60
#: Maximum tokens of a page that is only a message, including menus.
SMALL_PAGE = 400
#: Words outside links and content above which the extractor may have missed the article.
MISSED = 500
#: Minimum share of link words on a list, and on a front page.
LINKS, LINKS_IN_FRONT = 0.66, 0.4

_FRONT = re.compile(r"/?(?:[a-z]{2}/?)?(?:(?:index|default|home)(?:\.\w{2,5})?/?)?", re.IGNORECASE)


def verdict(page: Page, extraction: Extraction, known: Metadata) -> frozenset[str]:
    """Returns the flags of a page; empty for an article.

    >>> from samestory.html import metadata, parse
    >>> page = Page(b"<title>404 - Page not found</title><p>The page you are looking for is not there any more.")
    >>> extraction = parse("heuristic").extract([page])[0]
    >>> sorted(verdict(page, extraction, metadata(page, extraction)))
    ['error-page']
    """
    text = extraction.text.strip()
    flags = set()
    if not any(letter.isalnum() for letter in text):
        flags.add("empty")
    if is_error(extraction, known):
        flags.add("error-page")
    elif is_paywalled(extraction, known):
        flags.add("paywall")
    elif is_list(page, extraction, known):
        flags.add("not-article")
    return frozenset(flags)


def is_error(extraction: Extraction, known: Metadata) -> bool:
    """Returns whether a page is short with an error title, or small with a bot challenge."""
    text, head = extraction.text, extraction.head
    if len(text) > MESSAGE or _may_be_missed(extraction) or _has_paragraphs(text):
        return False
    titles = [fold(clean(title)) for title in (known.title or "", extraction.title, head.heading)]
    if any(ERROR_TITLE.search(title) for title in titles):
        return known.published is None or len(text) < DATED_MESSAGE
    if head.tokens > SMALL_PAGE or known.kind in ARTICLES:
        return False
    return any(CHALLENGE.search(each) for each in (*titles, fold(clean(text, MESSAGE)), *map(fold, head.notices)))


def _has_paragraphs(text: str) -> bool:
    """Returns whether a text has paragraphs like an article: "Page not found: the unfinished novel" is a review."""
    words = (len(line.split()) for line in text.splitlines())
    return sum(count for count in words if count >= PARAGRAPH) >= ARTICLE


def is_paywalled(extraction: Extraction, known: Metadata) -> bool:
    """Returns whether a text is a paywall stub; the shorter it is, the less evidence is needed."""
    text, head = extraction.text.strip(), extraction.head
    notices = [fold(clean(notice)) for notice in head.notices]
    has_wall, has_sign_in = (any(map(pattern.search, notices)) for pattern in (WALL, SUBSCRIBER_SIGN_IN))
    ends_in_wall = bool(WALL.search(fold(text[-300:])))
    if len(text) > LONG_STUB:
        return ends_in_wall and known.free is False
    if _may_be_missed(extraction):
        return False
    evidence = 2 * (known.free is False) + (2 if has_wall or ends_in_wall else has_sign_in) + bool(head.telling)
    evidence += bool(evidence) and bool(TRUNCATED.search(text))
    return evidence >= (2 if len(text) < STUB else 4)


def _may_be_missed(extraction: Extraction) -> bool:
    return extraction.head.tokens - extraction.head.linked - len(extraction.text.split()) > MISSED


def is_list(page: Page, extraction: Extraction, known: Metadata) -> bool:
    """Returns whether a page is undated, not declared as an article, and mostly links: a front page or a list."""
    head = extraction.head
    if known.published or known.kind not in (None, "website") or not head.tokens:
        return False
    links = head.linked / head.tokens
    if is_front(page.url) and links > LINKS_IN_FRONT:
        return True
    return known.kind == "website" and links > LINKS and len(extraction.text) < STUB


def is_front(url: str | None) -> bool:
    """Returns whether a URL is a front page: a host, optionally with a language or an index page.

    >>> is_front("https://example.com/"), is_front("https://example.com/tr/index.html"), is_front("https://example.com/a-1")
    (True, True, False)
    """
    try:
        parts = urlsplit(url or "")
    except ValueError:
        return False
    return bool(parts.hostname) and not parts.query and bool(_FRONT.fullmatch(parts.path))
